use super::*;
use crate::tui::pictures::tiles::fill;

const PLACE: PicturePlace = PicturePlace {
    area: Rect::new(0, 0, 64, 32),
    cell: (8, 16),
    first: 5_000,
};

/// A picture of noise. In the tiles that change, the noise depends on `moment`.
struct Noise {
    place: PicturePlace,
    moment: u32,
    /// Returns whether a tile, given by its index, changes from moment to moment.
    changes: fn(usize) -> bool,
    urgent: Option<(u16, u16)>,
    /// Number of squares that a character shows.
    squares: usize,
}

impl Noise {
    const fn new(moment: u32) -> Self {
        Self {
            place: PLACE,
            moment,
            changes: |_| true,
            urgent: None,
            squares: 1,
        }
    }
}

impl Painter for Noise {
    fn place(&self) -> PicturePlace {
        self.place
    }

    fn urgent(&self) -> Option<(u16, u16)> {
        self.urgent
    }

    fn cost(&self, characters: usize) -> usize {
        characters * self.squares
    }

    fn paint(&self, part: Rect) -> Vec<Rgba> {
        let (width, height) = self.place.cell;
        let pixel = |right: u16, down: u16| {
            let at = (part.x + right / width, part.y + down / height);
            let tile = index_of(self.place.area, at).unwrap();
            let moment = if (self.changes)(tile) { self.moment } else { 0 };
            let x = u32::from(part.x) * u32::from(width) + u32::from(right);
            let y = u32::from(part.y) * u32::from(height) + u32::from(down);
            let noise = (x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b) ^ moment.wrapping_mul(0xc2b2_ae35))
                .wrapping_mul(0x27d4_eb2f);
            [(noise >> 28) as u8 * 16, 0, 0, 255]
        };
        let rows = 0..part.height * height;
        rows.flat_map(|down| (0..part.width * width).map(move |right| pixel(right, down)))
            .collect()
    }
}

/// A sender with a screen, a simulated clock and a simulated terminal that answers after `delay`.
struct Line {
    sender: PictureSender,
    replies: PictureReplies,
    screen: Buffer,
    now: Instant,
    /// Time from a query to its answer; `None` if the terminal never answers.
    delay: Option<Duration>,
    answer: Option<(Instant, u32)>,
}

impl Line {
    fn new(delay: Option<Duration>) -> Self {
        let replies = PictureReplies::default();
        let mut screen = Buffer::empty(PLACE.area);
        fill(PLACE, &mut screen);
        Self {
            sender: PictureSender::new(replies.clone()),
            replies,
            screen,
            now: Instant::now(),
            delay,
            answer: None,
        }
    }

    /// Begins a new frame if `is_new` is true, otherwise continues with the last frame. Returns the bytes sent.
    fn frame(&mut self, noise: &Noise, is_new: bool) -> Vec<u8> {
        if let Some((at, number)) = self.answer
            && at <= self.now
        {
            self.replies.receive(&format!("i={number};OK"));
            self.answer = None;
        }
        let mut bytes = Vec::new();
        if is_new {
            self.sender.frame(Some(noise.place), &self.screen, &mut bytes);
        }
        self.sender.send(noise, self.now, &mut bytes);
        if let Some(number) = asked(&bytes) {
            self.answer = self.delay.map(|delay| (self.now + delay, number));
        }
        bytes
    }

    /// Draws a frame and continues with it until all tiles are sent. Returns the bytes sent.
    fn finish(&mut self, noise: &Noise) -> Vec<u8> {
        let mut bytes = self.frame(noise, true);
        while self.sender.has_more() {
            self.now += Duration::from_millis(16);
            bytes.extend(self.frame(noise, false));
        }
        bytes
    }
}

fn asked(bytes: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(bytes).unwrap();
    let (_, rest) = text.rsplit_once("a=q,i=")?;
    rest.split(',').next()?.parse().ok()
}

/// Returns the ids of the pictures that are sent.
fn sent(bytes: &[u8]) -> Vec<u32> {
    let text = std::str::from_utf8(bytes).unwrap();
    let parts = text.split("a=T,U=1,f=100,i=").skip(1);
    parts
        .map(|part| part.split(',').next().unwrap().parse().unwrap())
        .collect()
}

#[test]
fn every_tile_is_sent_once_and_then_only_those_that_change() {
    let mut line = Line::new(Some(Duration::ZERO));
    let all = line.finish(&Noise::new(0));
    let mut numbers = sent(&all);
    numbers.sort_unstable();
    assert_eq!(numbers, (5_000..5_016).collect::<Vec<u32>>());
    assert_eq!(line.finish(&Noise::new(0)), b"", "nothing has changed");
    let some = Noise {
        changes: |tile| tile % 5 == 1,
        ..Noise::new(1)
    };
    assert_eq!(sent(&line.finish(&some)), [5_001, 5_006, 5_011]);
}

#[test]
fn no_second_carries_more_than_the_limit() {
    let mut line = Line::new(Some(Duration::from_millis(1)));
    let begun = line.now;
    let mut times = Vec::new();
    for moment in 0..250 {
        let bytes = line.frame(&Noise::new(moment), true);
        times.push((line.now - begun, bytes.len()));
        line.now += Duration::from_millis(16);
    }
    let second = |from: Duration| -> usize {
        let within = times
            .iter()
            .filter(|(at, _)| (from..from + Duration::from_secs(1)).contains(at));
        within.map(|(_, bytes)| bytes).sum()
    };
    let most = times.iter().map(|(at, _)| second(*at)).max().unwrap();
    // A batch with a single tile may exceed the allowance.
    assert!(most <= RATE + 16 * 1_024, "{most}");
    assert!(most >= RATE * 3 / 4, "the line is used: {most}");
}

#[test]
fn a_slow_line_has_one_batch_under_way_and_gets_smaller_ones() {
    let mut line = Line::new(Some(Duration::from_millis(400)));
    let mut sizes = Vec::new();
    for moment in 0..600 {
        let bytes = line.frame(&Noise::new(moment), true);
        if !bytes.is_empty() {
            sizes.push((line.now, bytes.len()));
        }
        line.now += Duration::from_millis(16);
    }
    for pair in sizes.windows(2) {
        assert!(pair[1].0 - pair[0].0 >= Duration::from_millis(400), "one at a time");
    }
    // A batch contains at least one tile, however slow the line is.
    assert!(sizes.last().unwrap().1 < 20 << 10, "{sizes:?}");
    assert!(sizes[0].1 > sizes.last().unwrap().1);
}

#[test]
fn a_lost_answer_does_not_stop_the_pictures_for_long() {
    let mut line = Line::new(None);
    let first = line.frame(&Noise::new(0), true);
    assert!(!first.is_empty());
    line.now += Duration::from_secs(1);
    assert_eq!(line.frame(&Noise::new(1), true), b"");
    line.now += LOST;
    assert!(!line.frame(&Noise::new(1), false).is_empty());
}

#[test]
fn a_pause_after_an_answer_does_not_make_batches_smaller() {
    let mut line = Line::new(Some(Duration::from_millis(5)));
    line.finish(&Noise::new(0));
    assert!(line.sender.is_waiting(), "the last batch is not answered yet");
    line.now += Duration::from_millis(16);
    // No tile is left, so this handles only the answer.
    assert_eq!(line.frame(&Noise::new(0), false), b"");
    assert!(!line.sender.is_waiting());
    let batch = line.sender.batch;
    line.now += Duration::from_secs(10);
    line.frame(&Noise::new(1), true);
    assert_eq!(line.sender.batch, batch);
}

#[test]
fn the_tile_that_the_user_waits_for_comes_first() {
    let mut line = Line::new(Some(Duration::ZERO));
    line.finish(&Noise::new(0));
    let cursor = Noise {
        urgent: Some((50, 30)),
        squares: 400,
        ..Noise::new(1)
    };
    line.now += Duration::from_secs(1);
    assert_eq!(sent(&line.frame(&cursor, true))[0], 5_015);
}

#[test]
fn every_tile_is_sent_in_turn_while_new_frames_are_drawn() {
    let mut line = Line::new(Some(Duration::ZERO));
    let mut numbers = std::collections::BTreeSet::new();
    for moment in 0..12 {
        // A tile costs so much that a frame has room for only three tiles.
        let noise = Noise {
            urgent: Some((30, 10)),
            squares: 500,
            ..Noise::new(moment)
        };
        numbers.extend(sent(&line.frame(&noise, true)));
        line.now += Duration::from_millis(16);
    }
    assert_eq!(numbers.len(), 16, "{numbers:?}");
}

#[test]
fn a_frame_reads_a_limited_number_of_squares() {
    use std::cell::Cell;

    struct Counting(Noise, Cell<usize>);
    impl Painter for Counting {
        fn place(&self) -> PicturePlace {
            self.0.place()
        }
        fn urgent(&self) -> Option<(u16, u16)> {
            None
        }
        fn cost(&self, characters: usize) -> usize {
            characters * 128
        }
        fn paint(&self, part: Rect) -> Vec<Rgba> {
            self.1.set(self.1.get() + self.cost(part.area() as usize));
            // All pixels are transparent, so that tiles are small and only the number of squares limits a frame.
            vec![[0; 4]; part.area() as usize * 128]
        }
    }

    let mut line = Line::new(Some(Duration::ZERO));
    let all = Counting(Noise::new(0), Cell::new(0));
    let mut frames = 0;
    let mut bytes = Vec::new();
    line.sender.frame(Some(PLACE), &line.screen, &mut bytes);
    while line.sender.has_more() {
        let before = all.1.get();
        line.sender.send(&all, line.now, &mut bytes);
        assert!(all.1.get() - before <= SQUARES + RUN);
        if let Some(number) = asked(&bytes) {
            line.replies.receive(&format!("i={number};OK"));
        }
        line.now += Duration::from_millis(16);
        frames += 1;
    }
    assert_eq!(all.1.get(), 64 * 32 * 128, "each square once");
    assert!(frames > 1);
}

#[test]
fn covered_tiles_wait() {
    let mut line = Line::new(Some(Duration::ZERO));
    for at in Rect::new(0, 0, 32, 32).positions() {
        line.screen[at].set_symbol("x");
    }
    let half = sent(&line.finish(&Noise::new(0)));
    assert_eq!(half.len(), 8);
    fill(PLACE, &mut line.screen);
    let other = sent(&line.finish(&Noise::new(0)));
    assert_eq!(other.len(), 8);
    assert!(other.iter().all(|number| !half.contains(number)));
    // If the screen shows no picture, nothing is sent.
    let mut bytes = Vec::new();
    line.sender.frame(None, &line.screen, &mut bytes);
    assert!(!line.sender.has_more() && bytes.is_empty());
}

#[test]
fn another_size_removes_the_old_pictures() {
    let mut line = Line::new(Some(Duration::ZERO));
    line.finish(&Noise::new(0));
    let smaller = Noise {
        place: PicturePlace {
            area: Rect::new(0, 0, 32, 8),
            ..PLACE
        },
        ..Noise::new(0)
    };
    let bytes = line.finish(&smaller);
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert_eq!(text.matches("a=d,d=I").count(), 16);
    assert_eq!(sent(&bytes), [5_000, 5_001]);
    // After `forget`, all tiles are sent again.
    line.sender.forget();
    assert_eq!(sent(&line.finish(&smaller)), [5_000, 5_001]);
}

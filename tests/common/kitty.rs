//! The pictures of a terminal that shows them by kitty's graphics protocol: a strict decoder of the commands, which
//! panics at anything that the protocol does not allow.
//!
//! It supports what the designer uses: pictures as PNG in parts, virtual placements with Unicode placeholders,
//! questions and deletions by number. See <https://sw.kovidgoyal.net/kitty/graphics-protocol/>.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The first combining characters of the protocol's table, for the numbers from 0.
const NUMBERS: &str = "\u{305}\u{30d}\u{30e}\u{310}\u{312}\u{33d}\u{33e}\u{33f}\u{346}\u{34a}\u{34b}\u{34c}\u{350}\u{351}\
                       \u{352}\u{357}\u{35b}\u{363}\u{364}\u{365}\u{366}\u{367}\u{368}\u{369}";

pub type Rgba = [u8; 4];

/// A picture that the terminal has.
#[derive(Debug)]
struct Picture {
    width: usize,
    pixels: Vec<Rgba>,
    /// The columns and rows of its placement.
    characters: (usize, usize),
}

/// The pictures of a terminal, and its answers.
#[derive(Debug, Default)]
pub struct Pictures {
    /// The size of a character in pixels.
    cell: (usize, usize),
    stored: BTreeMap<u32, Picture>,
    /// The rest of the output, which may be the start of a command.
    rest: Vec<u8>,
    /// The keys and the data so far of a picture of which more parts follow.
    begun: Option<(BTreeMap<char, String>, Vec<u8>)>,
    /// Answers that the terminal still has to send.
    answers: Vec<u8>,
    /// Bytes and number of the commands so far.
    pub bytes: usize,
    pub sent: usize,
    /// The name that the terminal reports, and its answer to pictures in place of OK.
    pub name: &'static str,
    pub refuses: Option<&'static str>,
}

impl Pictures {
    /// Creates a terminal with a name, whose characters have a size in pixels.
    pub fn new(name: &'static str, cell: (usize, usize)) -> Self {
        Self {
            cell,
            name,
            ..Self::default()
        }
    }

    /// Handles the program's output, and returns what the terminal answers.
    pub fn process(&mut self, output: &[u8]) -> Vec<u8> {
        self.rest.extend_from_slice(output);
        loop {
            let rest = std::mem::take(&mut self.rest);
            let Some(start) = rest.iter().position(|byte| *byte == 0x1b) else {
                break;
            };
            let rest = &rest[start..];
            if let Some(command) = rest.strip_prefix(b"\x1b_") {
                let Some(end) = command.windows(2).position(|two| two == b"\x1b\\") else {
                    self.rest = rest.to_vec();
                    break;
                };
                self.bytes += end + 4;
                let text = std::str::from_utf8(&command[..end]).expect("commands are ASCII");
                self.command(text.strip_prefix('G').expect("a graphics command"));
                self.rest = command[end + 2..].to_vec();
                continue;
            }
            self.question(rest);
            // The beginning of a question or a command is kept.
            if rest.len() < 5 && !rest[1..].contains(&0x1b) {
                self.rest = rest.to_vec();
                break;
            }
            self.rest = rest[1..].to_vec();
        }
        std::mem::take(&mut self.answers)
    }

    /// Answers a question that is not about pictures.
    fn question(&mut self, rest: &[u8]) {
        let (width, height) = self.cell;
        let name = self.name;
        for (question, answer) in [
            (&b"\x1b]11;?"[..], "\x1b]11;rgb:1010/1010/1010\x1b\\".to_owned()),
            (b"\x1b[16t", format!("\x1b[6;{height};{width}t")),
            (b"\x1b[>q", format!("\x1bP>|{name}\x1b\\")),
            (b"\x1b[?u", "\x1b[?0u".to_owned()),
            (b"\x1b[c", "\x1b[?62;4c".to_owned()),
        ] {
            if rest.starts_with(question) {
                self.answers.extend(answer.bytes());
            }
        }
    }

    /// Carries out a command.
    fn command(&mut self, command: &str) {
        let (control, data) = command.split_once(';').unwrap_or((command, ""));
        assert!(data.len() <= 4_096, "{} bytes of data", data.len());
        let mut keys = BTreeMap::new();
        for key in control.split(',') {
            let (name, value) = key.split_once('=').expect("KEY=VALUE");
            let mut names = name.chars();
            let (Some(name), None) = (names.next(), names.next()) else {
                panic!("a key is one letter: {control}");
            };
            assert!(keys.insert(name, value.to_owned()).is_none(), "{name} twice: {control}");
        }
        if let Some((begun, mut whole)) = self.begun.take() {
            assert!(
                keys.keys().all(|key| "mq".contains(*key)),
                "a further part has no other keys: {control}"
            );
            whole.extend(data.bytes());
            self.part(begun, whole, &keys);
            return;
        }
        let number = |key: char| keys.get(&key).and_then(|value| value.parse::<u32>().ok());
        let allowed = match keys.get(&'a').map(String::as_str) {
            Some("q") => "aistvfq",
            Some("d") => "adiq",
            Some("T") => "aUficrqm",
            other => panic!("an unexpected action: {other:?}"),
        };
        assert!(keys.keys().all(|key| allowed.contains(*key)), "{control}");
        let id = number('i').expect("a number");
        assert!(id > 0 && id < 1 << 24, "a colour has 24 bits: {id}");
        match keys[&'a'].as_str() {
            "q" => {
                let bytes = STANDARD.decode(data).unwrap();
                let pixel = number('s').unwrap() * number('v').unwrap();
                assert_eq!((number('f'), bytes.len() as u32), (Some(24), 3 * pixel));
                self.answer(id, "OK", &keys);
            }
            "d" => {
                assert_eq!((keys[&'d'].as_str(), data), ("I", ""));
                self.stored.remove(&id);
            }
            _ => {
                assert_eq!((keys[&'U'].as_str(), keys[&'f'].as_str()), ("1", "100"));
                let more = BTreeMap::from([('m', keys.get(&'m').cloned().unwrap_or_default())]);
                self.part(keys, data.as_bytes().to_vec(), &more);
            }
        }
    }

    /// Receives a part of a picture.
    fn part(&mut self, keys: BTreeMap<char, String>, data: Vec<u8>, part: &BTreeMap<char, String>) {
        if part.get(&'m').is_some_and(|more| more == "1") {
            assert!(data.len().is_multiple_of(4_096), "only the last part is shorter");
            self.begun = Some((keys, data));
            return;
        }
        let number = |key: char| keys[&key].parse::<usize>().expect("a number");
        let png = STANDARD.decode(data).expect("base64");
        let (width, pixels) = decoded(&png);
        let characters = (number('c'), number('r'));
        // A picture of another size would be blurred.
        assert_eq!(
            (width, pixels.len() / width),
            (characters.0 * self.cell.0, characters.1 * self.cell.1)
        );
        let id = number('i') as u32;
        self.sent += 1;
        if let Some(why) = self.refuses {
            self.answer(id, why, &keys);
            return;
        }
        self.stored.insert(
            id,
            Picture {
                width,
                pixels,
                characters,
            },
        );
        self.answer(id, "OK", &keys);
    }

    fn answer(&mut self, id: u32, status: &str, keys: &BTreeMap<char, String>) {
        let quiet = keys.get(&'q').map_or("0", String::as_str);
        if quiet == "2" || (quiet == "1" && status == "OK") {
            return;
        }
        self.answers.extend(format!("\x1b_Gi={id};{status}\x1b\\").bytes());
    }

    /// Returns the number of pictures.
    pub fn count(&self) -> usize {
        self.stored.len()
    }

    /// Returns a pixel of the part of a picture that a placeholder shows; `None` if the terminal does not have the
    /// picture. `offset` counts pixels to the right and down from the top left corner of the placeholder's character.
    pub fn pixel(&self, (id, at): Placeholder, offset: (usize, usize)) -> Option<Rgba> {
        Some(self.stored.get(&id)?.pixel(self.cell, at, offset))
    }
}

impl Picture {
    fn pixel(
        &self,
        (width, height): (usize, usize),
        (column, row): (usize, usize),
        (right, down): (usize, usize),
    ) -> Rgba {
        assert!(
            column < self.characters.0 && row < self.characters.1,
            "a placeholder outside the placement"
        );
        self.pixels[(row * height + down) * self.width + column * width + right]
    }
}

/// The picture that a placeholder shows, and the column and row of the character in it.
pub type Placeholder = (u32, (usize, usize));

/// Returns what a placeholder with this text and text colour shows; `None` if the text is not a placeholder.
pub fn placeholder(text: &str, color: impl FnOnce() -> [u8; 3]) -> Option<Placeholder> {
    let mut characters = text.chars();
    characters.next().filter(|first| *first == '\u{10eeee}')?;
    let mut number = || {
        let mark = characters.next().expect("a placeholder has a row and a column");
        NUMBERS
            .chars()
            .position(|known| known == mark)
            .expect("a combining character of the table")
    };
    let (row, column) = (number(), number());
    let [red, green, blue] = color();
    Some((u32::from_be_bytes([0, red, green, blue]), (column, row)))
}

fn decoded(png: &[u8]) -> (usize, Vec<Rgba>) {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).expect("the pixels of a PNG");
    assert_eq!(info.color_type, png::ColorType::Rgba);
    (info.width as usize, bytes.as_chunks().0.to_vec())
}

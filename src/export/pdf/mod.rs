//! Exports a dungeon as a PDF map for paper, on as many pages as the scale needs.
//!
//! If the map needs several pages, each page has a name, crop marks, and overlap strips for gluing. A map with several
//! pages or with a legend begins with an overview page, which shows how the pages join and contains the legend.
//!
//! Areas of squares are drawn as filled outlines, which are sharp at any size. The file's title keeps every character
//! of the design's name; text on the pages is limited to the characters that the module `text` can draw.

mod file;
mod stroke;
mod text;

use pdf_writer::Content;

use self::file::{PdfProgress, PdfWriter};
use self::stroke::{MM, PaperArea, fill, line, stroke};
use self::text::PdfFont;
use super::marks::{DIGIT, Label, OUTLINE, labels};
use super::outline::outlines_of;
use super::paint::Painting;
use super::palette::mixed;
use super::paper::{BAND, Pages, points};
use super::{DungeonView, ExportError, ExportKind, ExportOptions, ExportTask, picture};
use crate::geometry::{Point, Size};

/// Length in millimetres of the scale line on the overview page. The user can measure this line to check the printed
/// scale.
const RULE: f32 = 50.0;

/// Minimum font size of labels in points.
const LEAST_LABEL: f32 = 4.0;

/// Minimum side length of a square, in millimetres, at which coordinates do not touch each other.
const APART: f32 = 0.4;

/// The data that all pages share.
struct PdfDocument {
    font: PdfFont,
    painting: Painting,
    pages: Pages,
    grid: Option<i32>,
    legend: bool,
    labels: Vec<Label>,
    /// Heading of the overview page.
    title: String,
    /// Title of the dungeon, which every page of the map shows.
    name: String,
}

impl PdfDocument {
    /// Draws `size` rows and columns of squares, starting at the square `from`. `corner` is the position on the paper
    /// of this square's top left corner, and `square` the side length of a square, both in points. Nothing outside
    /// `area` is drawn.
    fn draw(
        &self,
        content: &mut Content,
        (from, size): (Point, Size),
        (corner, square): ([f32; 2], f32),
        area: PaperArea,
        steps: &mut PdfProgress<'_, '_>,
    ) -> Result<(), ExportError> {
        // Tracing the outlines counts as the first half of the progress, and drawing them as the second half.
        let rows = size.x as usize;
        let mut lines = outlines_of(
            size,
            |at| self.painting.part_of(Point::new(from.x + at.x, from.y + at.y)),
            |x| steps.drawn(x as usize, 2 * rows),
        )?;
        lines.sort_by_key(|(part, _)| *part);
        content.save_state();
        content.rect(area.left, area.foot, area.width, area.height);
        content.clip_nonzero().end_path();
        fill(content, self.painting.palette().ground);
        content
            .rect(area.left, area.foot, area.width, area.height)
            .fill_nonzero();
        // From here on, one unit is the side of a square, and y points down.
        content.transform([square, 0.0, 0.0, -square, corner[0], corner[1]]);
        let (mut done, all) = (0, lines.len());
        for same in lines.chunk_by(|a, b| a.0 == b.0) {
            let Some(part) = same.first().and_then(|(part, _)| self.painting.parts().get(*part)) else {
                continue;
            };
            fill(content, part.rgb);
            for (_, corners) in same {
                steps.drawn(all + done, 2 * all)?;
                done += 1;
                let Some((first, rest)) = corners.split_first() else {
                    continue;
                };
                content.move_to(first.y as f32, first.x as f32);
                for corner in rest {
                    content.line_to(corner.y as f32, corner.x as f32);
                }
                content.close_path();
            }
            content.fill_nonzero();
        }
        content.restore_state();
        Ok(())
    }

    /// Draws the grid lines, if any, as thin lines between squares.
    fn draw_grid(&self, content: &mut Content, from: Point, corner: [f32; 2], square: f32, area: PaperArea) {
        let Some(apart) = self.grid else {
            return;
        };
        let palette = self.painting.palette();
        content.save_state().set_line_width(0.1 * MM);
        stroke(content, mixed(palette.ground, palette.text, 1, 3));
        let first = |from: i32| (apart - from % apart) % apart;
        let mut across = first(from.y);
        while corner[0] + across as f32 * square <= area.right() + 0.01 {
            let x = corner[0] + across as f32 * square;
            line(content, [x, area.foot], [x, area.top()]);
            across += apart;
        }
        let mut down = first(from.x);
        while corner[1] - down as f32 * square >= area.foot - 0.01 {
            let y = corner[1] - down as f32 * square;
            line(content, [area.left, y], [area.right(), y]);
            down += apart;
        }
        content.restore_state();
    }

    /// Returns the font size of a label, and the area that the label and its outline cover. `corner` is the position on
    /// the paper of the map's top left corner.
    fn label_area(&self, label: &Label, corner: [f32; 2], square: f32) -> (f32, PaperArea) {
        let size = (label.font_size() as f32 * square).max(LEAST_LABEL);
        let (width, height) = (self.font.width(&label.text, size), DIGIT as f32 * size);
        let place = label.place(self.painting.size(), square.into(), [width, height].map(f64::from));
        let [left, top] = place.map(|length| length as f32);
        let letters = PaperArea {
            left: corner[0] + left,
            foot: corner[1] - top - height,
            width,
            height,
        };
        (size, letters.widened(Self::outline(size)))
    }

    /// Returns how far the outline of a text extends beyond its letters.
    fn outline(size: f32) -> f32 {
        size * OUTLINE as f32 / 2.0
    }

    /// Draws the parts of labels that lie in `area`. `corner` is the position on the paper of the map's top left corner.
    fn draw_labels(&self, content: &mut Content, corner: [f32; 2], square: f32, area: PaperArea) {
        let palette = self.painting.palette();
        content.save_state();
        content.rect(area.left, area.foot, area.width, area.height);
        content.clip_nonzero().end_path();
        fill(content, palette.text);
        let is_shown = |label: &&Label| label.is_room || square >= APART * MM;
        for label in self.labels.iter().filter(is_shown) {
            let (size, around) = self.label_area(label, corner, square);
            if around.overlaps(area) {
                let outline = Self::outline(size);
                let at = [around.left + outline, around.foot + outline];
                self.font.put_outline(content, size, at, &label.text, palette.ground);
                self.font.put(content, size, at, &label.text);
            }
        }
        content.restore_state();
    }

    fn paper(&self) -> [f32; 2] {
        self.pages.sides().map(super::Length::points)
    }

    /// Returns the area within the margins.
    fn inside(&self) -> PaperArea {
        let [width, height] = self.paper();
        let margin = self.pages.margin().points();
        PaperArea {
            left: margin,
            foot: margin,
            width: width - 2.0 * margin,
            height: height - 2.0 * margin,
        }
    }

    /// Draws a page of the map, and returns its content and its trim area.
    fn page(&self, page: Point, steps: &mut PdfProgress<'_, '_>) -> Result<(Content, PaperArea), ExportError> {
        let mut content = Content::new();
        let (from, own) = self.pages.squares(page);
        let square = self.pages.square().points();
        let corner = points(self.pages.corner());
        let corner = [corner, self.paper()[1] - corner];
        let [right, below] = self.pages.strips(page).map(points);
        let trim = PaperArea {
            left: corner[0],
            foot: corner[1] - own.x as f32 * square,
            width: own.y as f32 * square,
            height: own.x as f32 * square,
        };
        let area = PaperArea {
            left: trim.left,
            foot: trim.foot - below,
            width: trim.width + right,
            height: trim.height + below,
        };
        // Include the squares that the overlap strips show in part.
        let shown = |own: i32, strip: f32| own + (strip / square).ceil() as i32;
        let size = Size::new(shown(own.x, below), shown(own.y, right));
        self.draw(&mut content, (from, size), (corner, square), area, steps)?;
        self.draw_grid(&mut content, from, corner, square, area);
        let map_corner = [corner[0] - from.y as f32 * square, corner[1] + from.x as f32 * square];
        self.draw_labels(&mut content, map_corner, square, area);
        if self.pages.count() > 1 {
            Self::draw_marks(&mut content, trim, area);
        }
        self.draw_name(&mut content, page, trim);
        Ok((content, trim))
    }

    /// Draws the crop marks at the edges of the area whose squares belong to the page.
    fn draw_marks(content: &mut Content, trim: PaperArea, area: PaperArea) {
        let (from, to) = (MM, points(BAND));
        content.save_state().set_line_width(0.25);
        stroke(content, [0; 3]);
        for x in [trim.left, trim.right()] {
            line(content, [x, area.top() + from], [x, area.top() + to]);
            line(content, [x, area.foot - from], [x, area.foot - to]);
        }
        for y in [trim.top(), trim.foot] {
            line(content, [area.left - from, y], [area.left - to, y]);
            line(content, [area.right() + from, y], [area.right() + to, y]);
        }
        content.restore_state();
    }

    /// Draws a line of text above the map: the names of the page and its neighbours, the dungeon's title, and the
    /// scale.
    fn draw_name(&self, content: &mut Content, page: Point, trim: PaperArea) {
        const SIZE: f32 = 7.0;
        fill(content, [0; 3]);
        let foot = trim.top() + 1.3 * MM;
        let mut left = trim.left + 1.5 * MM;
        let mut description = format!("{}, 1 square = {}", self.name, self.pages.square());
        if self.pages.count() > 1 {
            let name = Pages::name(page);
            self.font.put_bold(content, SIZE + 1.0, [left, foot], &name);
            left += self.font.width(&name, SIZE + 1.0) + 2.0 * MM;
            let sides = [("left", 0, -1), ("right", 0, 1), ("above", -1, 0), ("below", 1, 0)];
            let neighbours = sides.into_iter().filter_map(|(side, x, y)| {
                let other = Point::new(page.x + x, page.y + y);
                let is_page = self.pages.grid().contains(other);
                is_page.then(|| format!("{side} {}", Pages::name(other)))
            });
            let neighbours: Vec<String> = neighbours.collect();
            description = format!("{} - {description}", neighbours.join(", "));
        }
        let room = trim.right() - left - MM;
        let description = self.font.cut(&description, SIZE, room);
        self.font.put(content, SIZE, [left, foot], &description);
    }

    /// Returns the lines of text above the map on the overview page.
    fn description(&self) -> [String; 2] {
        let (map, square) = (self.painting.size(), self.pages.square());
        let metres = |squares: i32| f64::from(squares) * f64::from(square.in_micrometres()) / 1e6;
        let size = format!(
            "{} columns and {} rows; a square is {square}, the map {:.2} m wide and {:.2} m high.",
            map.y,
            map.x,
            metres(map.y),
            metres(map.x)
        );
        let Size { x, y } = self.pages.grid();
        let how = if self.pages.count() == 1 {
            "Print at 100%, not fitted to the page.".into()
        } else {
            format!(
                "{x} x {y} pages of {}, named by row and column. Print at 100%, not fitted to the page; cut along the \
                 marks at the left and the top; glue each page over the edge of the one before.",
                self.pages.paper()
            )
        };
        [size, how]
    }

    /// Draws the overview page: the map with the page boundaries, the legend, and a line for checking the scale.
    fn overview(&self, steps: &mut PdfProgress<'_, '_>) -> Result<Content, ExportError> {
        const TITLE: f32 = 13.0;
        const SIZE: f32 = 8.0;
        const LINE: f32 = 4.0 * MM;
        let mut content = Content::new();
        let inside = self.inside();
        let ink = [0; 3];
        fill(&mut content, ink);
        let mut y = inside.top() - TITLE;
        let title = self.font.cut(&self.title, TITLE, inside.width);
        self.font.put_bold(&mut content, TITLE, [inside.left, y], &title);
        for description in self.description() {
            for part in self.font.wrapped(&description, SIZE, inside.width) {
                y -= LINE;
                self.font.put(&mut content, SIZE, [inside.left, y], &part);
            }
        }
        y -= LINE;
        let foot = self.draw_legend(&mut content, inside);
        // The map fills the space between heading and legend. If very wide margins leave less than 10 points, the map
        // is drawn as if there were 10 points.
        let room = [inside.width, (y - foot).max(10.0)];
        let size = self.painting.size();
        let square = (room[0] / size.y as f32).min(room[1] / size.x as f32);
        let area = PaperArea {
            left: inside.left + (room[0] - size.y as f32 * square) / 2.0,
            foot: y - size.x as f32 * square,
            width: size.y as f32 * square,
            height: size.x as f32 * square,
        };
        let corner = [area.left, area.top()];
        self.draw(&mut content, (Point::new(0, 0), size), (corner, square), area, steps)?;
        self.draw_joints(&mut content, corner, square, area);
        Ok(content)
    }

    /// Draws the page boundaries, the labels and the names of the pages over the map on the overview page. `map` is the
    /// area of the map.
    fn draw_joints(&self, content: &mut Content, corner: [f32; 2], square: f32, map: PaperArea) {
        content.save_state();
        let [ink, paper] = [[0; 3], [255; 3]];
        let areas = self.pages.each().map(|page| {
            let (from, own) = self.pages.squares(page);
            let place = |squares: i32| squares as f32 * square;
            let area = PaperArea {
                left: corner[0] + place(from.y),
                foot: corner[1] - place(from.x + own.x),
                width: place(own.y),
                height: place(own.x),
            };
            (page, area)
        });
        let areas: Vec<(Point, PaperArea)> = areas.collect();
        // A black line on top of a wider white one is visible on squares of any colour.
        for (rgb, thick) in [(paper, 2.0), (ink, 0.7)] {
            stroke(content, rgb);
            content.set_line_width(thick);
            for (_, area) in &areas {
                content.rect(area.left, area.foot, area.width, area.height).stroke();
            }
        }
        self.draw_labels(content, corner, square, map);
        if self.pages.count() > 1 {
            let rooms = self.labels.iter().filter(|label| label.is_room);
            let rooms: Vec<PaperArea> = rooms.map(|room| self.label_area(room, corner, square).1).collect();
            fill(content, ink);
            for (page, area) in &areas {
                let name = Pages::name(*page);
                let size = (area.width / 3.0).min(area.height / 2.0).clamp(3.0, 24.0);
                let (width, height) = (self.font.width(&name, size), DIGIT as f32 * size);
                // The name is in the middle of the page, or above or below it if a room number is there.
                let places = [2.0, 1.0, 3.0].map(|quarters| PaperArea {
                    left: area.left + (area.width - width) / 2.0,
                    foot: area.top() - quarters / 4.0 * area.height - height / 2.0,
                    width,
                    height,
                });
                let is_free = |place: &&PaperArea| {
                    let around = place.widened(Self::outline(size));
                    !rooms.iter().any(|room| room.overlaps(around))
                };
                let place = places.iter().find(is_free).unwrap_or(&places[0]);
                let at = [place.left, place.foot];
                self.font.put_outline(content, size, at, &name, paper);
                self.font.put_bold(content, size, at, &name);
            }
        }
        content.restore_state();
    }

    /// Draws the legend and the scale line at the foot of the overview page. Returns the distance from the lower edge
    /// of the paper to the upper end of the legend.
    fn draw_legend(&self, content: &mut Content, inside: PaperArea) -> f32 {
        const SIZE: f32 = 8.0;
        const LINE: f32 = 4.2 * MM;
        let ink = [0; 3];
        content.save_state().set_line_width(0.5);
        stroke(content, ink);
        let foot = inside.foot + MM;
        let end = inside.left + RULE * MM;
        line(content, [inside.left, foot], [end, foot]);
        for x in [inside.left, end] {
            line(content, [x, foot - MM], [x, foot + MM]);
        }
        let description = format!("{RULE} mm if printed to scale");
        self.font
            .put(content, SIZE, [end + 2.0 * MM, foot - 0.35 * SIZE], &description);
        let mut top = foot + 3.0 * MM;
        let mut entries: Vec<_> = if self.legend {
            self.painting.legend().collect()
        } else {
            Vec::new()
        };
        let description = |part: &super::ColourPart| self.font.spelled(&format!("{}: {}", part.name, part.tiles));
        let swatch = 3.0 * MM;
        let widths = entries.iter().map(|part| self.font.width(&description(part), SIZE));
        let widest = widths.fold(0.0, f32::max);
        let each = swatch + 2.0 * MM + widest + 4.0 * MM;
        let columns = ((inside.width / each) as usize).max(1);
        // Limit the legend to a third of the page, and state how many entries are left out.
        let most = columns * ((inside.height / 3.0 / LINE) as usize).max(1);
        if let Some(more) = entries.len().checked_sub(most).filter(|more| *more > 0) {
            entries.truncate(most);
            fill(content, ink);
            self.font
                .put(content, SIZE, [inside.left, top], &format!("and {more} more"));
            top += LINE;
        }
        let lines = entries.len().div_ceil(columns).max(1);
        for (number, part) in entries.iter().enumerate() {
            // Fill the legend column by column.
            let left = inside.left + (number / lines) as f32 * each;
            let y = top + (lines - 1 - number % lines) as f32 * LINE;
            fill(content, part.rgb);
            content.rect(left, y, swatch, swatch).fill_nonzero();
            // Some colours are as light as the paper, so each swatch has an outline.
            content.rect(left, y, swatch, swatch).stroke();
            fill(content, ink);
            let at = [left + swatch + 2.0 * MM, y + 0.6 * MM];
            self.font.put(content, SIZE, at, &description(part));
        }
        content.restore_state();
        if !entries.is_empty() {
            top += lines as f32 * LINE + MM;
        }
        top
    }
}

pub(super) fn write(
    dungeon: &DungeonView<'_>,
    options: &ExportOptions,
    job: &mut ExportTask<'_>,
) -> Result<(), ExportError> {
    let pages = Pages::new(dungeon.size(), &options.print)?;
    let ground = options.ground.unwrap_or(ExportKind::Pdf.ground());
    // The progress counts squares. The overview shows as many squares as all other pages together.
    let has_overview = pages.count() > 1 || options.legend;
    let squares = dungeon.size().squares();
    let all = squares * (1 + u64::from(has_overview));
    job.at(0, all)?;
    let marks = options.marks.unwrap_or(ExportKind::Pdf.marks());
    let painting = Painting::marked(dungeon, options.by, ground, marks);
    let labels = labels(dungeon, marks);
    let [title, name] = [picture::title(dungeon, options), dungeon.title()];
    let texts = painting.parts().iter().map(|part| &*part.name).chain([&*title, &*name]);
    let texts = texts.chain(labels.iter().map(|label| &*label.text));
    let font = PdfFont::new(texts)?;
    let document = PdfDocument {
        title: font.spelled(&title),
        name: font.spelled(&name),
        font,
        painting,
        pages,
        grid: options.grid.map(|grid| grid.clamp(1, i32::MAX as u32) as i32),
        legend: options.legend,
        labels,
    };
    let mut file = PdfWriter::new(document.paper());
    let mut steps = PdfProgress::new(job, all);
    if has_overview {
        steps.begin(squares);
        let content = document.overview(&mut steps)?;
        file.add(content, None, "Overview", &mut steps)?;
    }
    for page in pages.each() {
        steps.begin(pages.squares(page).1.squares());
        let (content, trim) = document.page(page, &mut steps)?;
        file.add(content, Some(trim), &Pages::name(page), &mut steps)?;
    }
    let bytes = file.finish(&title, &document.font)?;
    steps.end(&bytes)
}

//! Draws text on PDF pages in DejaVu Sans Condensed. A file embeds only the glyphs that it may need.
//!
//! The font covers the Latin, Greek, Cyrillic, Armenian and Georgian scripts and many symbols. Characters that it
//! lacks, and those of scripts that need shaping (such as scripts written from right to left or with joined letters),
//! are shown as their code points: `<U+57CE>`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pdf_writer::types::{CidFontType, FontFlags, LineJoinStyle, SystemInfo, TextRenderingMode, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str};
use subsetter::GlyphRemapper;
use ttf_parser::Face;

use super::stroke::stroke;
use crate::export::marks::OUTLINE;
use crate::export::{ExportError, Rgb};

/// Resource name of the font on each page.
pub(super) const FONT: Name<'static> = Name(b"F1");

/// Name of the embedded subset. In PDF, a prefix of six capitals and a plus sign marks a subset of a font.
const PART: Name<'static> = Name(b"WALLCR+DejaVuSansCondensed");

/// The character collection `Identity`, in which the number of a character is its glyph number.
const SYSTEM: SystemInfo<'static> = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};

/// Width of the line that is drawn around bold glyphs, as a fraction of the font size.
const BOLD: f32 = 0.04;

/// Number of PDF objects that the font needs.
pub(super) const OBJECTS: usize = 5;

/// A glyph of the embedded subset.
#[derive(Debug, Clone, Copy)]
struct PdfGlyph {
    /// Glyph number in the subset.
    number: u16,
    /// Advance width, in thousandths of the font size.
    advance: f32,
}

/// The embedded font and the characters that it can show.
pub(super) struct PdfFont {
    font: &'static [u8],
    face: Face<'static>,
    part: GlyphRemapper,
    known: BTreeMap<char, PdfGlyph>,
}

/// Returns whether a character can be set from left to right without shaping. Characters of Hebrew, Arabic, and the
/// scripts of India and South-East Asia cannot.
const fn is_simple(c: char) -> bool {
    !matches!(c, '\u{590}'..='\u{109f}' | '\u{1780}'..='\u{18af}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe00}'..='\u{feff}')
}

fn unusable(what: impl std::fmt::Display) -> ExportError {
    ExportError::Cannot(format!(
        "internal error: the font cannot be used: {what}; please report it"
    ))
}

impl PdfFont {
    /// Creates a font subset with the printable ASCII characters and all characters in `texts` that the font can show.
    ///
    /// # Errors
    ///
    /// Fails if the bundled font cannot be parsed.
    pub(super) fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Self, ExportError> {
        let font = dejavu::sans_condensed::regular();
        let face = Face::parse(font, 0).map_err(unusable)?;
        let mut part = GlyphRemapper::new();
        let mut known = BTreeMap::new();
        let thousandth = 1000.0 / f32::from(face.units_per_em());
        for c in (' '..='~').chain(texts.into_iter().flat_map(str::chars)) {
            let Some(glyph) = face.glyph_index(c).filter(|_| is_simple(c)) else {
                continue;
            };
            let letter = PdfGlyph {
                number: part.remap(glyph.0),
                advance: f32::from(face.glyph_hor_advance(glyph).unwrap_or(0)) * thousandth,
            };
            known.insert(c, letter);
        }
        Ok(Self {
            font,
            face,
            part,
            known,
        })
    }

    /// Returns the text with a code point, such as `<U+57CE>`, in place of each character that the font cannot show.
    pub(super) fn spelled(&self, text: &str) -> String {
        let mut spelled = String::new();
        for c in text.chars() {
            if self.known.contains_key(&c) {
                spelled.push(c);
            } else {
                // Writing to a string cannot fail.
                let _ = write!(spelled, "<U+{:04X}>", c as u32);
            }
        }
        spelled
    }

    fn of<'a>(&'a self, text: &'a str) -> impl Iterator<Item = PdfGlyph> + 'a {
        text.chars().filter_map(|c| self.known.get(&c)).copied()
    }

    /// Returns the width of text at a font size, in the unit of `size`.
    pub(super) fn width(&self, text: &str, size: f32) -> f32 {
        self.of(text).map(|letter| letter.advance).sum::<f32>() * size / 1000.0
    }

    /// Returns the text. If it is wider than `room`, cuts it and appends an ellipsis.
    pub(super) fn cut(&self, text: &str, size: f32, room: f32) -> String {
        if self.width(text, size) <= room {
            return text.to_owned();
        }
        let room = room - self.width("...", size);
        let mut advance = 0.0;
        let fits = |c: &char| {
            advance += self.known.get(c).map_or(0.0, |letter| letter.advance);
            advance * size / 1000.0 <= room
        };
        text.chars().take_while(fits).chain("...".chars()).collect()
    }

    /// Breaks text between words into lines no wider than `room`. A word that is wider than `room` gets its own line.
    pub(super) fn wrapped(&self, text: &str, size: f32, room: f32) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split(' ') {
            match lines.last_mut() {
                Some(line) if self.width(line, size) + self.width(word, size) + self.width(" ", size) <= room => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }

    /// Draws text on the page; `[x, y]` is the left end of its baseline.
    pub(super) fn put(&self, content: &mut Content, size: f32, [x, y]: [f32; 2], text: &str) {
        let bytes: Vec<u8> = self.of(text).flat_map(|letter| letter.number.to_be_bytes()).collect();
        content.begin_text().set_font(FONT, size).next_line(x, y);
        content.show(Str(&bytes)).end_text();
    }

    /// Draws text in bold black letters: fills the glyphs and also strokes their outlines.
    pub(super) fn put_bold(&self, content: &mut Content, size: f32, at: [f32; 2], text: &str) {
        content.save_state().set_line_width(size * BOLD);
        stroke(content, [0; 3]);
        content.set_text_rendering_mode(TextRenderingMode::FillStroke);
        self.put(content, size, at, text);
        content.restore_state();
    }

    /// Draws only the outline of a text. The caller then draws the text itself over the outline.
    pub(super) fn put_outline(&self, content: &mut Content, size: f32, at: [f32; 2], text: &str, rgb: Rgb) {
        content.save_state().set_line_width(size * OUTLINE as f32);
        content.set_line_join(LineJoinStyle::RoundJoin);
        stroke(content, rgb);
        content.set_text_rendering_mode(TextRenderingMode::Stroke);
        self.put(content, size, at, text);
        content.restore_state();
    }

    /// Writes the objects of the font; pages refer to the first of them. `packed` compresses a stream.
    ///
    /// # Errors
    ///
    /// Fails if the subset cannot be created or compressed.
    pub(super) fn write(
        &self,
        pdf: &mut Pdf,
        [font, glyphs, about, data, characters]: [Ref; OBJECTS],
        packed: impl Fn(&[u8]) -> Result<Vec<u8>, ExportError>,
    ) -> Result<(), ExportError> {
        let mut written = pdf.type0_font(font);
        written.base_font(PART).encoding_predefined(Name(b"Identity-H"));
        written.descendant_font(glyphs).to_unicode(characters);
        written.finish();

        let mut written = pdf.cid_font(glyphs);
        written.subtype(CidFontType::Type2).base_font(PART).system_info(SYSTEM);
        written.font_descriptor(about).default_width(0.0);
        written.cid_to_gid_map_predefined(Name(b"Identity"));
        // Several characters may share a glyph; the glyph is then mapped to the first of them in code point order.
        let by_number: BTreeMap<u16, (char, f32)> = self
            .known
            .iter()
            .rev()
            .map(|(c, letter)| (letter.number, (*c, letter.advance)))
            .collect();
        let mut widths = written.widths();
        for (number, (_, advance)) in &by_number {
            widths.consecutive(*number, [*advance]);
        }
        widths.finish();
        written.finish();

        let thousandths = |units: i16| f32::from(units) * 1000.0 / f32::from(self.face.units_per_em());
        let around = self.face.global_bounding_box();
        let box_of_all = Rect::new(
            thousandths(around.x_min),
            thousandths(around.y_min),
            thousandths(around.x_max),
            thousandths(around.y_max),
        );
        let capital = self.face.capital_height().unwrap_or(self.face.ascender());
        let mut written = pdf.font_descriptor(about);
        written.name(PART).flags(FontFlags::SYMBOLIC);
        written.bbox(box_of_all).italic_angle(0.0);
        written.ascent(thousandths(self.face.ascender()));
        written.descent(thousandths(self.face.descender()));
        // The font does not specify its stem width, so a typical value is written.
        written.cap_height(thousandths(capital)).stem_v(80.0).font_file2(data);
        written.finish();

        let part = subsetter::subset(self.font, 0, &self.part).map_err(unusable)?;
        let packed_part = packed(&part)?;
        let mut written = pdf.stream(data, &packed_part);
        written
            .filter(Filter::FlateDecode)
            .pair(Name(b"Length1"), part.len() as i32);
        written.finish();

        let mut map = UnicodeCmap::new(Name(b"Custom"), SYSTEM);
        for (number, (c, _)) in by_number {
            map.pair(number, c);
        }
        let map = map.finish();
        let map = packed(&map)?;
        pdf.stream(characters, &map).filter(Filter::FlateDecode);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_cannot_be_shown_become_code_points() {
        let name = "Łódź Замок Πύργος ☃ \u{2014} 城 שלום \u{1f3f0}\n\u{202e}x";
        let font = PdfFont::new([name]).unwrap();
        let spelled =
            "Łódź Замок Πύργος ☃ \u{2014} <U+57CE> <U+05E9><U+05DC><U+05D5><U+05DD> <U+1F3F0><U+000A><U+202E>x";
        assert_eq!(font.spelled(name), spelled);
        // The replacement text can itself be shown.
        assert_eq!(font.spelled(spelled), spelled);
    }

    #[test]
    fn texts_are_cut_and_wrapped_to_the_width() {
        let font = PdfFont::new(["Ж"]).unwrap();
        let text = "Жile of many words Жile of many words";
        for room in 0..200 {
            let room = room as f32;
            let cut = font.cut(text, 8.0, room);
            assert!(font.width(&cut, 8.0) <= room.max(font.width("...", 8.0)));
            assert!(cut == text || cut.ends_with("..."));
        }
        let lines = font.wrapped(text, 8.0, 60.0);
        assert!(lines.len() > 1 && lines.iter().all(|line| font.width(line, 8.0) <= 60.0));
        assert_eq!(lines.join(" "), text);
    }
}

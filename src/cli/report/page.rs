//! The contents of a report, independent of its file format: blocks of text, tables, pictures and histograms.

use crate::export::Rgb;

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Plain text.
    Text(String),
    /// A command, a name in a design or other text that is meant literally, shown as code.
    Code(String),
    /// Emphasized text.
    Strong(String),
}

/// A sentence or a cell of a table.
pub(super) type Line = Vec<Piece>;

/// Returns a line of plain text.
pub(super) fn text(text: impl Into<String>) -> Line {
    vec![Piece::Text(text.into())]
}

/// Returns a line of code.
pub(super) fn code(text: impl Into<String>) -> Line {
    vec![Piece::Code(text.into())]
}

/// A picture in two versions: for light and for dark pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Picture {
    /// File name without extension, for reports whose pictures are files.
    pub(super) name: String,
    /// Alternative text for readers who cannot see the picture.
    pub(super) alt: String,
    /// Contents of the PNG files for light and for dark pages.
    pub(super) png: [Vec<u8>; 2],
    /// Contents of the SVG files for light and for dark pages, if the picture can be drawn as SVG.
    pub(super) svg: Option<[Vec<u8>; 2]>,
    /// Width and height in pixels.
    pub(super) size: [u32; 2],
}

/// A titled card: a picture, if there is one, with lines of text below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Card {
    /// Heading.
    pub(super) title: String,
    pub(super) picture: Option<Picture>,
    /// Lines below the picture.
    pub(super) lines: Vec<Line>,
}

/// The distribution of a metric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Histogram {
    /// Number of dungeons in each bin, from the lowest values to the highest.
    pub(super) counts: Vec<u64>,
    /// The lowest and the highest value.
    pub(super) ends: [String; 2],
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cell {
    Line(Line),
    /// A right-aligned number.
    Number(String),
    Histogram(Histogram),
}

/// A part of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    Heading(String),
    Paragraph(Line),
    /// Text by the author of the design, one string for each paragraph.
    Quote(Vec<String>),
    List(Vec<Line>),
    Table {
        head: Vec<String>,
        rows: Vec<Vec<Cell>>,
    },
    /// A picture as wide as the page.
    Picture(Picture),
    Cards(Vec<Card>),
    /// Cards in pairs: the first belongs with the second, the third with the fourth, and so on.
    Pairs(Vec<Card>),
    /// A legend: names with their colours on light and on dark pages.
    Colours(Vec<(String, [Rgb; 2])>),
    /// Literal text with line breaks, such as the content of a file.
    Code(String),
}

/// A page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) title: String,
    pub(super) subtitle: String,
    pub(super) blocks: Vec<Block>,
}

impl Page {
    /// Returns the pictures of all blocks, in the order of the page.
    pub(super) fn pictures(&self) -> impl Iterator<Item = &Picture> {
        self.blocks.iter().flat_map(|block| match block {
            Block::Picture(picture) => vec![picture],
            Block::Cards(cards) | Block::Pairs(cards) => {
                cards.iter().filter_map(|card| card.picture.as_ref()).collect()
            }
            _ => Vec::new(),
        })
    }
}

//! The contents of a report, apart from its format: blocks of text, tables, pictures and histograms.

use crate::export::Rgb;

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Plain text.
    Text(String),
    /// A command, a name in a design or another text that is copied letter by letter.
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

/// A picture for light and for dark pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Picture {
    /// Name of the file without its extension, if pictures are written as files.
    pub(super) name: String,
    /// Description for readers who do not see the picture.
    pub(super) alt: String,
    /// PNG files for light and for dark pages.
    pub(super) png: [Vec<u8>; 2],
    /// The same pictures as SVG files, if there are any.
    pub(super) svg: Option<[Vec<u8>; 2]>,
    /// Width and height in pixels.
    pub(super) size: [u32; 2],
}

/// A picture with a caption.
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
    /// Numbers of dungeons, from the lowest values to the highest.
    pub(super) counts: Vec<u64>,
    /// The lowest and the highest value.
    pub(super) ends: [String; 2],
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cell {
    Line(Line),
    /// A number, aligned at its right.
    Number(String),
    Histogram(Histogram),
}

/// A part of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    Heading(String),
    Paragraph(Line),
    /// Text by the author of the design, paragraph by paragraph.
    Quote(Vec<String>),
    List(Vec<Line>),
    Table {
        head: Vec<String>,
        rows: Vec<Vec<Cell>>,
    },
    /// A picture as wide as the page.
    Picture(Picture),
    Cards(Vec<Card>),
    /// Cards in pairs: each two consecutive ones belong together.
    Pairs(Vec<Card>),
    /// A legend: names with their colours on light and on dark pages.
    Colours(Vec<(String, [Rgb; 2])>),
    /// A text with line breaks, such as a file.
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
    /// Returns the pictures in order.
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

//! Builds the PDF file: adds pages, reports progress, and writes the objects that all pages share (font, page tree,
//! catalog).

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::writers::PageLabel;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, TextStr};

use super::stroke::PaperArea;
use super::text::{FONT, OBJECTS, PdfFont};
use crate::export::{ExportError, ExportTask};
use crate::recording_file::PROGRAM;

/// Number of input bytes compressed between two calls of the progress callback.
const CHUNK: usize = 1 << 16;

/// Progress of a PDF export. The weight of a page is its number of squares. Drawing the page counts for half of its
/// weight, and compressing it for the other half.
pub(super) struct PdfProgress<'j, 'w> {
    job: &'j mut ExportTask<'w>,
    /// Weight of the pages before the current one.
    before: u64,
    /// Weight of the current page.
    page: u64,
    /// Total weight of all pages.
    all: u64,
}

impl<'j, 'w> PdfProgress<'j, 'w> {
    /// Creates a progress report that starts at zero; `all` is the total weight of the pages.
    pub(super) fn new(job: &'j mut ExportTask<'w>, all: u64) -> Self {
        Self {
            job,
            before: 0,
            page: 0,
            all,
        }
    }

    /// Begins the next page, whose weight is `page`.
    pub(super) fn begin(&mut self, page: u64) {
        self.before += self.page;
        self.page = page;
    }

    /// Reports completion and writes the finished file to the output.
    pub(super) fn end(self, file: &[u8]) -> Result<(), ExportError> {
        self.job.at(self.all, self.all)?;
        Ok(self.job.out.write_all(file)?)
    }

    /// Reports that `done` of `all` units of one half of the current page are complete. `half` is 0 for drawing and 1
    /// for compressing.
    fn at(&mut self, half: u64, done: usize, all: usize) -> Result<(), ExportError> {
        let each = self.page / 2;
        let done = (u128::from(each) * done as u128 / all.max(1) as u128) as u64;
        self.job.at(self.before + half * each + done, self.all)
    }

    /// Reports how much of the current page is drawn.
    pub(super) fn drawn(&mut self, done: usize, all: usize) -> Result<(), ExportError> {
        self.at(0, done, all)
    }

    /// Reports how much of the current page is compressed.
    fn packed(&mut self, done: usize, all: usize) -> Result<(), ExportError> {
        self.at(1, done, all)
    }
}

/// A PDF file to which pages are added.
pub(super) struct PdfWriter {
    pdf: Pdf,
    next: i32,
    tree: Ref,
    font: Ref,
    pages: Vec<Ref>,
    labels: Vec<Ref>,
    paper: [f32; 2],
}

impl PdfWriter {
    /// Creates a file without pages; `paper` is the width and height of every page in points.
    pub(super) fn new(paper: [f32; 2]) -> Self {
        let mut file = Self {
            pdf: Pdf::new(),
            next: 1,
            tree: Ref::new(1),
            font: Ref::new(1),
            pages: Vec::new(),
            labels: Vec::new(),
            paper,
        };
        file.tree = file.reference();
        file.font = file.reference();
        file
    }

    fn reference(&mut self) -> Ref {
        let reference = Ref::new(self.next);
        self.next += 1;
        reference
    }

    /// Adds a page labelled `name`. `trim` becomes its trim box: the area of the squares that belong to the page.
    pub(super) fn add(
        &mut self,
        content: Content,
        trim: Option<PaperArea>,
        name: &str,
        steps: &mut PdfProgress<'_, '_>,
    ) -> Result<(), ExportError> {
        let [page, stream, label] = [self.reference(), self.reference(), self.reference()];
        let packed = packed(&content.finish(), &mut |done, all| steps.packed(done, all))?;
        self.pdf.stream(stream, &packed).filter(Filter::FlateDecode);
        let mut written = self.pdf.page(page);
        written.media_box(Rect::new(0.0, 0.0, self.paper[0], self.paper[1]));
        if let Some(trim) = trim {
            written.trim_box(Rect::new(trim.left, trim.foot, trim.right(), trim.top()));
        }
        written.parent(self.tree).contents(stream);
        let mut resources = written.resources();
        resources.fonts().pair(FONT, self.font);
        resources.finish();
        written.finish();
        let mut description: PageLabel<'_> = self.pdf.indirect(label).start();
        description.prefix(TextStr(name));
        description.finish();
        self.pages.push(page);
        self.labels.push(label);
        Ok(())
    }

    /// Adds the font, the document information and the catalog, and returns the bytes of the file.
    pub(super) fn finish(mut self, title: &str, pdf_font: &PdfFont) -> Result<Vec<u8>, ExportError> {
        let mut font = [self.font; OBJECTS];
        for reference in font.iter_mut().skip(1) {
            *reference = self.reference();
        }
        pdf_font.write(&mut self.pdf, font, |bytes| packed(bytes, &mut |_, _| Ok(())))?;
        let [catalog, info] = [self.reference(), self.reference()];
        let mut written = self.pdf.document_info(info);
        written
            .title(TextStr(title))
            .creator(TextStr(PROGRAM))
            .producer(TextStr(PROGRAM));
        written.finish();
        let mut written = self.pdf.catalog(catalog);
        written.pages(self.tree);
        let mut preferences = written.viewer_preferences();
        preferences.display_doc_title(true);
        // Asks the viewer to print at true scale instead of fitting the page to the paper.
        preferences.pair(Name(b"PrintScaling"), Name(b"None"));
        preferences.finish();
        let mut labels = written.page_labels();
        let mut numbers = labels.nums();
        for (number, label) in self.labels.iter().enumerate() {
            numbers.insert(number as i32, *label);
        }
        numbers.finish();
        labels.finish();
        written.finish();
        let mut written = self.pdf.pages(self.tree);
        written.count(self.pages.len() as i32).kids(self.pages);
        written.finish();
        Ok(self.pdf.finish())
    }
}

/// Compresses `bytes` with zlib. `at` receives the number of bytes compressed so far and the number of all bytes; it
/// stops the work by returning an error.
fn packed(bytes: &[u8], at: &mut dyn FnMut(usize, usize) -> Result<(), ExportError>) -> Result<Vec<u8>, ExportError> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    for (number, chunk) in bytes.chunks(CHUNK).enumerate() {
        at(number * CHUNK, bytes.len())?;
        packed.write_all(chunk)?;
    }
    Ok(packed.finish()?)
}

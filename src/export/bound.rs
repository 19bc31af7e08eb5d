//! The file of a PDF while its pages are added, and how far it is.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::writers::PageLabel;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, TextStr};

use super::ink::PaperArea;
use super::letters::{FONT, OBJECTS, PdfFont};
use super::{ExportError, ExportTask};

/// The bytes that are packed between two looks at who watches.
const CHUNK: usize = 1 << 16;

/// How far the file is. A page counts by its squares, half for drawing it and half for packing it.
pub(super) struct PdfProgress<'j, 'w> {
    job: &'j mut ExportTask<'w>,
    /// What the pages before this one count.
    before: u64,
    /// What this page counts.
    page: u64,
    /// What all pages count.
    all: u64,
}

impl<'j, 'w> PdfProgress<'j, 'w> {
    /// The steps of a file whose pages count so much.
    pub(super) fn new(job: &'j mut ExportTask<'w>, all: u64) -> Self {
        Self {
            job,
            before: 0,
            page: 0,
            all,
        }
    }

    /// Begins a page that counts so much.
    pub(super) fn begin(&mut self, page: u64) {
        self.before += self.page;
        self.page = page;
    }

    /// Writes the file, when all of its pages are made.
    pub(super) fn end(self, file: &[u8]) -> Result<(), ExportError> {
        self.job.at(self.all, self.all)?;
        Ok(self.job.out.write_all(file)?)
    }

    /// Says that so much of this page's half is done, of all of it.
    fn at(&mut self, half: u64, done: usize, all: usize) -> Result<(), ExportError> {
        let each = self.page / 2;
        let done = (u128::from(each) * done as u128 / all.max(1) as u128) as u64;
        self.job.at(self.before + half * each + done, self.all)
    }

    /// Says how much of this page is drawn.
    pub(super) fn drawn(&mut self, done: usize, all: usize) -> Result<(), ExportError> {
        self.at(0, done, all)
    }

    /// Says how much of this page is packed.
    fn packed(&mut self, done: usize, all: usize) -> Result<(), ExportError> {
        self.at(1, done, all)
    }
}

/// The file while it is made.
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
    /// A file without pages yet, of such paper, in points.
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

    /// Adds a page; `trim` is what is left of it when it is cut.
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
        let mut told: PageLabel<'_> = self.pdf.indirect(label).start();
        told.prefix(TextStr(name));
        told.finish();
        self.pages.push(page);
        self.labels.push(label);
        Ok(())
    }

    /// The bytes of the file.
    pub(super) fn finish(mut self, title: &str, letters: &PdfFont) -> Result<Vec<u8>, ExportError> {
        let mut font = [self.font; OBJECTS];
        for reference in font.iter_mut().skip(1) {
            *reference = self.reference();
        }
        letters.write(&mut self.pdf, font, |bytes| packed(bytes, &mut |_, _| Ok(())))?;
        let [catalog, info] = [self.reference(), self.reference()];
        let program = concat!("wallcrawler ", env!("CARGO_PKG_VERSION"));
        let mut written = self.pdf.document_info(info);
        written
            .title(TextStr(title))
            .creator(TextStr(program))
            .producer(TextStr(program));
        written.finish();
        let mut written = self.pdf.catalog(catalog);
        written.pages(self.tree);
        let mut preferences = written.viewer_preferences();
        preferences.display_doc_title(true);
        // To scale, and not as the printer's dialog would have it.
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

/// What a stream of a file holds; `at` is told how many of its bytes are done, and may end it.
fn packed(bytes: &[u8], at: &mut dyn FnMut(usize, usize) -> Result<(), ExportError>) -> Result<Vec<u8>, ExportError> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    for (number, chunk) in bytes.chunks(CHUNK).enumerate() {
        at(number * CHUNK, bytes.len())?;
        packed.write_all(chunk)?;
    }
    Ok(packed.finish()?)
}

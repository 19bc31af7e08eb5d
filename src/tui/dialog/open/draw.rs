//! Drawing of the dialog that opens a design: the input, the list, and a small picture of the selected design's grown
//! dungeon.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::Span;
use unicode_width::UnicodeWidthStr as _;

use super::items::{OpenItem, name_and_folder};
use super::{OpenDialog, OpenFilter};
use crate::geometry::Size;
use crate::storage::DesignFiles;
use crate::text::{counted, escape_line};
use crate::tui::commands::{Action, DialogCommand};
use crate::tui::editor::Editor;
use crate::tui::widget::popup::{after, popup, popup_inside, shrunk};
use crate::tui::widget::table;
use crate::tui::widget::text::{put, put_centered, put_wrapped, rule, shortened};
use crate::tui::widget::thumbnail::{self, CellResolution};

/// Maximum size of the dialog in columns and rows, including its frame.
const WIDTH: u16 = 116;
const HEIGHT: u16 = 38;

/// Minimum width in columns for showing a picture beside the list.
const WITH_PICTURE: u16 = 60;

/// Number of rows for the description of the selected design.
const ABOUT: u16 = 5;

/// The areas inside the dialog.
struct Parts {
    input: Rect,
    rule: Rect,
    list: Rect,
    picture: Rect,
    about: Rect,
}

fn parts(inside: Rect) -> Parts {
    let [input, rule, rest] =
        Layout::vertical([Constraint::Length(1), Constraint::Length(1), Constraint::Min(0)]).areas(inside);
    if inside.width < WITH_PICTURE {
        let [list, about] = Layout::vertical([Constraint::Min(1), Constraint::Length(ABOUT)]).areas(rest);
        return Parts {
            input,
            rule,
            list,
            picture: Rect::default(),
            about,
        };
    }
    let [list, _, side] = Layout::horizontal([
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length((inside.width * 9 / 20).min(62)),
    ])
    .areas(rest);
    let [picture, about] = Layout::vertical([Constraint::Min(0), Constraint::Length(ABOUT)]).areas(side);
    Parts {
        input,
        rule,
        list,
        picture,
        about,
    }
}

/// Returns the size of a picture in pixels, with two rows of pixels per character row; zero if no picture is shown.
pub(super) fn room(screen: Rect) -> Size {
    let picture = parts(inside(screen)).picture;
    if picture.is_empty() {
        return Size::new(0, 0);
    }
    Size::new(i32::from(picture.height) * 2, i32::from(picture.width))
}

fn inside(screen: Rect) -> Rect {
    popup_inside(WIDTH, HEIGHT, screen)
}

/// Returns the area of the list.
pub(super) fn list_area(screen: Rect) -> Rect {
    parts(inside(screen)).list
}

impl OpenDialog {
    /// Draws the dialog; `progress` describes the operation in progress on the chosen file, if any.
    pub(in crate::tui) fn draw(&self, editor: &Editor, progress: Option<String>, screen: Rect, buf: &mut Buffer) {
        let theme = editor.theme;
        let title = match self.shows {
            OpenFilter::Presets => "Designs that come with the program",
            OpenFilter::All => "Open a design",
            OpenFilter::Compared => "Compare with another design",
            OpenFilter::Drawings => "Import a drawing into the design",
            OpenFilter::Examples => "Learn from a design or a drawing",
        };
        let inside = popup(editor.theme, title, WIDTH, HEIGHT, screen, buf);
        let parts = parts(inside);
        let prompt = "  > ";
        put(prompt, parts.input, theme.accent(), buf);
        let typed = after(parts.input, prompt.width() as u16);
        self.typing.draw(theme, typed, buf);
        if self.typing.text().is_empty() {
            let hint = if self.shows == OpenFilter::Presets {
                "type to search"
            } else {
                "search, or type a path: ~/dungeons/"
            };
            put(hint, after(typed, 1), theme.quiet(), buf);
        }
        rule(theme, parts.rule, buf);
        draw_list(self, editor, screen, buf);
        let description = match (self.picture(), self.subject()) {
            (Some(Ok(picture)), _) => {
                thumbnail::draw(theme, &picture.rows, CellResolution::Halves, parts.picture, buf);
                ""
            }
            (Some(Err(_)), _) => "no picture",
            (None, Some(_)) => "growing …",
            (None, None) => "",
        };
        put_centered(description, parts.picture, theme.quiet(), buf);
        let (text, style) = match progress {
            Some(progress) => (progress, theme.text()),
            None => about(self, editor),
        };
        put_wrapped(&text, shrunk(parts.about), style, buf);
    }
}

/// Returns the key that accepts the selected item.
fn key(open: &OpenDialog, editor: &Editor) -> String {
    let accept = Action::Dialog(DialogCommand::Accept);
    editor.keymap.key_in(open.context(), accept)
}

fn draw_list(open: &OpenDialog, editor: &Editor, screen: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let visible = open.visible(screen);
    if open.items.is_empty() {
        let description = match (&open.listed, open.listing.is_some()) {
            (_, true) => "reading the folder …".to_owned(),
            (Some((_, Err(why))), _) => why.clone(),
            _ => {
                let purpose = match open.shows {
                    OpenFilter::All | OpenFilter::Presets => "open it",
                    OpenFilter::Compared | OpenFilter::Drawings | OpenFilter::Examples => "choose it",
                };
                let key = key(open, editor);
                format!("no match; type a path and press {key} to {purpose}")
            }
        };
        put_wrapped(&description, shrunk(visible.area), theme.quiet(), buf);
    }
    let width = visible.area.width;
    let line = |i: usize| {
        let item = &open.items[i];
        if let OpenItem::Heading(text) = item {
            let heading = Span::styled(text.as_str(), theme.heading());
            return table::row(width, [" ".into()], heading, [Span::raw("")]);
        }
        let (name, more, missing) = words(open, item);
        let [name, more] = [name, more].map(|text| escape_line(&text).into_owned());
        let style = if missing { theme.quiet() } else { theme.text() };
        let name = shortened(&name, usize::from(width).saturating_sub(4));
        let name = Span::styled(format!("   {name}  "), style);
        table::row(width, [name], Span::styled(more, theme.quiet()), [])
    };
    let is_heading = open.items.get(visible.selected).is_some_and(OpenItem::is_heading);
    let selection = (!is_heading).then(|| theme.selected(true));
    visible.draw(theme, selection, line, buf);
}

/// Returns a line of the list: the item's name, a remark, and whether the item's files no longer exist.
fn words(open: &OpenDialog, item: &OpenItem) -> (String, String, bool) {
    match item {
        OpenItem::Heading(text) => (text.clone(), String::new(), false),
        OpenItem::Up => ("../".into(), "the parent folder".into(), false),
        OpenItem::Folder(name) => (format!("{name}/"), String::new(), false),
        OpenItem::Rooms(path) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            (name.into_owned(), "no matching stats file".into(), false)
        }
        OpenItem::Design { name, files } => (name.clone(), companions(files), false),
        OpenItem::Drawing { name, .. } => (name.clone(), "a drawing".into(), false),
        OpenItem::Preset(i) => open.presets.get(*i).map_or_else(Default::default, |preset| {
            let more = format!("{} · {}", preset.id, preset.design.layout.size);
            (preset.design.name.clone(), more, false)
        }),
        OpenItem::Recent(i) => open.recent.get(*i).map_or_else(Default::default, |(files, there)| {
            let (name, folder) = name_and_folder(files);
            let more = if *there {
                folder
            } else {
                format!("no longer exists  {folder}")
            };
            (name, more, !*there)
        }),
    }
}

/// Returns a text that names the files after the first, as in `with a.stats`; empty if there is only one file.
fn companions(files: &DesignFiles) -> String {
    let paths = files.paths();
    let names = paths.iter().skip(1).filter_map(|path| path.file_name());
    let names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    if names.is_empty() {
        String::new()
    } else {
        format!("with {}", names.join(", "))
    }
}

/// Returns the description of the selected item; after an error, the error instead.
fn about(open: &OpenDialog, editor: &Editor) -> (String, Style) {
    let (theme, key) = (editor.theme, key(open, editor));
    if !open.why.is_empty() {
        return (open.why.clone(), theme.error());
    }
    if let Some((folder, Err(why))) = &open.listed
        && *folder == open.place().folder
        && open.picture().is_none()
    {
        return (format!("{}: {why}", folder.display()), theme.error());
    }
    let summary = match open.item() {
        Some(OpenItem::Preset(i)) => open.presets.get(*i).map(|preset| preset.summary.clone()),
        Some(OpenItem::Drawing { .. }) => Some(match open.shows {
            OpenFilter::Drawings => format!(
                "{key} shows a preview. If you accept it, the walls follow the map's cursor until you place them. They replace anything drawn by hand on their squares."
            ),
            OpenFilter::Examples => format!(
                "{key} shows a preview. If you accept it, the drawing becomes an example: a search looks for parameters with which the open design's dungeons resemble the drawing."
            ),
            OpenFilter::All | OpenFilter::Presets | OpenFilter::Compared => {
                format!("{key} shows a preview of a new design with the walls of this drawing as hand-placed walls.")
            }
        }),
        Some(OpenItem::Rooms(_)) => Some(format!(
            "There is no matching stats file beside this rooms file: {key} lets you type the path of its stats file."
        )),
        _ => None,
    };
    match open.picture() {
        Some(Err(why)) => (why.clone(), theme.error()),
        Some(Ok(picture)) => {
            let name = if picture.name.is_empty() || summary.is_some() {
                String::new()
            } else {
                format!("{} · ", picture.name)
            };
            let facts = format!("{name}{} squares · {}", picture.size, counted(picture.turns, "turn"));
            let summary = summary.map(|summary| format!("\n{summary}")).unwrap_or_default();
            (format!("{facts}{summary}"), theme.quiet())
        }
        None => (summary.unwrap_or_default(), theme.quiet()),
    }
}

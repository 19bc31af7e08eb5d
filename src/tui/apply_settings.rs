//! Applies the settings, and lists the names of the actions and colours that settings may use.

use super::app::App;
use super::editor::Editor;
use super::query::Answers;
use super::theme::{Depth, Ground, Theme};
use crate::settings::{ActionName, Background, Colours, LoadedSettings, Pixels, Settings, Vocabulary};
use crate::text::counted;
use crate::tui::commands::Action;
use crate::tui::keymap::{self, Binding, Context, Key, Keymap};
use crate::tui::viewport::{CellSize, PictureSupport, knows_octants};

/// Returns every name that the settings may use.
pub fn vocabulary() -> Vocabulary {
    // The key table is in the order in which help shows it, so the rows of a context need not be adjacent. The settings
    // list each context only once, so its rows are collected here.
    let mut rows: Vec<&'static Binding> = Vec::new();
    for row in keymap::table() {
        let after = rows.iter().rposition(|other| other.context == row.context);
        rows.insert(after.map_or(rows.len(), |at| at + 1), row);
    }
    let actions = rows.into_iter().map(|row| ActionName {
        context: row.context.id(),
        former_context: row.context.former_id(),
        name: row.id(),
        former: row.former_ids(),
        help: row.help,
        keys: row.keys.iter().map(|key| key.name()).collect(),
        needed: is_needed(row),
        amid_text: row.context.takes_text(),
    });
    Vocabulary {
        actions: actions.collect(),
        colours: Theme::names(),
        key: |text| Key::parse(text).map(Key::name),
    }
}

/// Returns whether an action must keep at least one key, because the user would be stuck without it: quitting, the
/// palette, and the footer actions of contexts in which the palette may be unavailable.
fn is_needed(row: &Binding) -> bool {
    let has_palette = matches!(
        row.context,
        Context::Everywhere
            | Context::Map
            | Context::Tools
            | Context::Walk
            | Context::Placing
            | Context::Panels
            | Context::Panel(_)
            | Context::Varying
            | Context::Remedies
            | Context::Tuning
            | Context::Learning
            | Context::Views
            | Context::View(_)
            | Context::Tour
    );
    matches!(row.action, Action::Quit | Action::Palette) && row.context == Context::Everywhere
        || (!has_palette && row.foot)
}

impl Editor {
    /// Applies settings. Where the settings say `auto`, environment variables decide; `environment` looks them up.
    pub(super) fn configure(&mut self, loaded: LoadedSettings, environment: impl Fn(&str) -> Option<String>) {
        self.keymap = Keymap::with(&loaded.settings.keys);
        self.theme = theme(&loaded, self.ground, environment);
        if !loaded.diagnostics.is_empty() {
            let problems = counted(loaded.diagnostics.len(), "problem");
            self.fail(format!("settings: {problems} (see Problems)"));
        }
        self.configured = loaded;
        self.choose_pictures();
    }

    /// Decides whether the map is drawn in pixels: only if the terminal shows pictures, the settings allow pixels, and
    /// the theme has at least 256 colours.
    pub(super) fn choose_pictures(&mut self) {
        let is_wanted = self.configured.settings.screen.pixels != Pixels::Off;
        let has_colors = matches!(self.theme.depth(), Depth::Indexed | Depth::True);
        self.map.pictures = self.offered.filter(|_| is_wanted && has_colors);
    }

    /// Reports that the settings were reloaded. Does nothing if they have diagnostics, because `configure` has already
    /// reported those.
    pub(super) fn report_configured(&mut self) {
        if self.configured.diagnostics.is_empty() {
            self.done("settings reloaded");
        }
    }
}

/// Returns whether to ask the terminal if it shows pictures. Returns `false` if the settings forbid pixels, and also
/// inside tmux or GNU screen, which would display the query as the title of their window.
pub(super) fn asks_for_pictures(settings: &Settings) -> bool {
    let environment = |name: &str| std::env::var(name).ok();
    let is_inside = ["TMUX", "STY"].iter().any(|name| environment(name).is_some())
        || environment("TERM").is_some_and(|term| term.starts_with("screen") || term.starts_with("tmux"));
    settings.screen.pixels != Pixels::Off && !is_inside
}

/// Returns the picture support of the terminal; `None` if pictures cannot be used. The terminal must have answered that
/// it shows pictures. It must also be known to replace placeholder characters with pictures, unless the settings turn
/// pixels on.
fn offered_pictures(answers: &Answers, settings: &Settings) -> Option<PictureSupport> {
    let is_known = answers.has_placeholders() || settings.screen.pixels == Pixels::On;
    let (width, height) = answers.cell.filter(|_| answers.has_pictures && is_known)?;
    // The colour of a placeholder encodes a picture number of 24 bits. The process id determines the upper 14 bits; the
    // lower ten bits contain the number of a part of the picture.
    let first = (std::process::id() % 0x3fff + 1) << 10;
    Some(PictureSupport {
        cell: CellSize::plausible(width, height)?,
        first,
    })
}

impl App {
    /// Applies the terminal's answers to the queries, and the environment variables that `environment` looks up.
    pub(super) fn answered(
        &mut self,
        answers: &Answers,
        settings: &Settings,
        environment: impl Fn(&str) -> Option<String>,
    ) {
        self.editor.ground = answers.ground;
        self.editor.offered = offered_pictures(answers, settings);
        self.set_octants_known(knows_octants(environment) && !answers.lacks_octants());
    }
}

/// Returns the theme that the settings select. `reported` is the background that the terminal has reported, if any.
fn theme(loaded: &LoadedSettings, reported: Option<Ground>, environment: impl Fn(&str) -> Option<String>) -> Theme {
    let screen = loaded.settings.screen;
    let depth = match screen.colours {
        Colours::Auto => Depth::from_environment(&environment),
        Colours::None => Depth::None,
        Colours::Sixteen => Depth::Sixteen,
        Colours::Indexed => Depth::Indexed,
        Colours::True => Depth::True,
    };
    let ground = match screen.background {
        Background::Auto => reported.unwrap_or_else(|| Ground::from_environment(&environment)),
        Background::Light => Ground::Light,
        Background::Dark => Ground::Dark,
    };
    Theme::new(depth).on(ground).with(&loaded.settings.colours)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use crossterm::event::{KeyCode, KeyModifiers};

    use super::*;
    use crate::background::Message;
    use crate::format::Text;
    use crate::settings::{self, parse};
    use crate::tui::commands::{
        Action, CompareCommand, Effect, MapCommand, MetricsCommand, SeedGalleryCommand, ViewCommand,
    };
    use crate::tui::fixture::TestApp;
    use crate::tui::help;
    use crate::tui::keymap::Context;
    use crate::tui::tabs::View;

    /// Returns an app with these settings.
    fn configured(text: &str, width: u16, height: u16) -> TestApp {
        let mut designer = TestApp::grown(width, height);
        let (settings, diagnostics) = parse(&Text::new("/home/me/config.toml", text), &vocabulary());
        let path = Some("/home/me/config.toml".into());
        let loaded = LoadedSettings {
            settings,
            diagnostics,
            path,
        };
        designer.app.editor.configure(loaded, |_| None);
        designer
    }

    #[test]
    fn the_template_names_everything_and_changes_nothing() {
        let text = settings::template(&vocabulary());
        let set = text.lines().fold(String::new(), |set, line| {
            let line = line
                .strip_prefix('#')
                .filter(|line| !line.starts_with(' '))
                .unwrap_or(line);
            set + line + "\n"
        });
        let (settings, diagnostics) = parse(&Text::new("config.toml", set), &vocabulary());
        assert_eq!(diagnostics, []);
        let keymap = Keymap::with(&settings.keys);
        for row in keymap::table() {
            assert_eq!(keymap.keys(row), row.keys, "{}", row.name);
            assert!(text.contains(row.help), "{}", row.name);
        }
    }

    #[test]
    fn configured_keys_work_and_are_shown_everywhere() {
        let mut designer = configured(
            "[keys]\nmap.zoom-in = \"Ctrl-Up\"\neverywhere.play = [\"F9\"]\n",
            120,
            90,
        );
        assert!(designer.app.editor.status.notice.is_none());
        let before = designer.text();
        designer.keys("+");
        assert_eq!(designer.text(), before, "the old key does nothing");
        assert!(designer.text().contains("F9 play"), "the footer shows the new one");
        designer.keys(":");
        designer.keys("zoom in");
        assert!(designer.text().contains("Ctrl-↑"), "the palette, too");
        designer.press(KeyCode::Esc);
        designer.send(Message::Input(crossterm::event::Event::Key(
            crossterm::event::KeyEvent::new(KeyCode::Up, KeyModifiers::CONTROL),
        )));
        assert_ne!(designer.text(), before);
        designer.keys("?");
        assert!(designer.text().contains("F9"), "and help");
    }

    #[test]
    fn only_keys_without_which_the_user_would_be_stuck_must_stay() {
        for keys in [
            "walk]\nexplore",
            "varying]\nwider",
            "remedies]\npreview",
            "placing]\nplace",
        ] {
            let designer = configured(&format!("[keys.{keys} = []\n"), 80, 24);
            assert_eq!(designer.app.editor.configured.diagnostics, [], "{keys}");
        }
        for keys in ["everywhere]\nquit", "everywhere]\npalette", "vaults]\nclose"] {
            let designer = configured(&format!("[keys.{keys} = []\n"), 80, 24);
            assert_eq!(designer.app.editor.configured.diagnostics.len(), 1, "{keys}");
        }
    }

    #[test]
    fn messages_name_the_configured_keys() {
        let keys = "everywhere.to-the-end = \"F9\"\neverywhere.wall-frequency = []\n\
                    gallery.mark = \"Ctrl-B\"\natlas.mark = \"F11\"\ncompare.another-design = \"F10\"\n\
                    everywhere.follow = [\"Ctrl-F\", \"F\"]\nevents.births = \"!\"\n";
        let mut designer = configured(&format!("[keys]\n{keys}"), 140, 40);
        assert_eq!(designer.app.editor.configured.diagnostics, []);
        designer.keys("g");
        let mut shows = |action: Action, text: &str| {
            let effects = designer.app.update(action);
            designer.perform(effects);
            let shown = designer.text();
            assert!(shown.contains(text), "{text}:\n{shown}");
        };
        shows(
            Action::Metrics(MetricsCommand::Scatter),
            "press F9 to go to the end of the growth",
        );
        shows(Action::View(ViewCommand::NextBuilder(1)), "Ctrl-F follows it");
        shows(Action::FocusView(View::Events), "!✓births 2✓deaths");
        // If an action has no key, the text names its command in the palette.
        shows(
            Action::Map(MapCommand::WallFrequency),
            "; `wall frequency` in the palette stops it",
        );
        shows(
            Action::Compare(CompareCommand::Open),
            "or choose another design with F10",
        );
        shows(
            Action::Compare(CompareCommand::Seeds),
            "mark a seed first (Ctrl-B), then select another",
        );
        // The same action has another key in another part of the designer.
        let key = |context| {
            designer
                .app
                .editor
                .keymap
                .key_in(context, Action::Gallery(SeedGalleryCommand::Mark))
        };
        assert_eq!(key(Context::Gallery), "Ctrl-B");
        assert_eq!(key(Context::Atlas), "F11");
    }

    #[test]
    fn actions_are_found_by_their_former_names() {
        let mut designer = configured(
            "[keys]\neverywhere.luck-map = \"F9\"\neverywhere.figures = \"F10\"\nfigure-list.take = \"F11\"\n",
            120,
            40,
        );
        assert!(designer.app.editor.status.notice.is_none());
        designer.keys(":");
        designer.keys("F9");
        assert!(designer.text().contains("wall frequency"), "{}", designer.text());
    }

    #[test]
    fn bad_settings_are_reported_until_the_report_is_dismissed() {
        let text = "[screen]\ncolours = \"many\"\n\n[keys]\nmap.zoom-in = [\"c\"]\nmap.zom-out = \"x\"\n";
        for (width, height) in [(80, 24), (120, 40), (40, 12)] {
            let mut designer = configured(text, width, height);
            insta::assert_snapshot!(format!("reported_{width}x{height}"), designer.text());
            designer.chord(KeyModifiers::ALT, '5');
            assert!(designer.app.editor.has_failed(), "it stays until it is dismissed");
            insta::assert_snapshot!(format!("problems_{width}x{height}"), designer.text());
            let focus = designer.app.editor.focus;
            designer.press(KeyCode::Esc);
            assert!(!designer.app.editor.has_failed() && designer.app.editor.focus == focus);
        }
    }

    #[test]
    fn changed_settings_are_reloaded() {
        let mut designer = configured("", 80, 24);
        let path = designer.app.editor.configured.path.clone().unwrap();
        assert!(matches!(designer.app.watched(), Effect::Watch(files) if files.contains(&path)));
        let effects = designer.app.handle(Message::FilesChanged(vec![path]));
        assert!(effects.contains(&crate::tui::Effect::Configure));
        designer.app.editor.report_configured();
        assert!(designer.text().contains("settings reloaded"));
        // Changes made before watching began went unnoticed, so the settings are read again when it begins.
        let effects = designer.app.handle(Message::Watching);
        assert!(effects.contains(&crate::tui::Effect::Configure));
    }

    #[test]
    fn the_number_of_colours_is_configured_or_detected() {
        let depth = |text: &str, environment: &str| {
            let (settings, _) = parse(&Text::new("config.toml", text), &vocabulary());
            let loaded = LoadedSettings {
                settings,
                ..LoadedSettings::default()
            };
            let value = environment.to_owned();
            theme(&loaded, None, move |name| (name == "COLORTERM").then(|| value.clone())).depth()
        };
        assert_eq!(depth("", "truecolor"), Depth::True);
        assert_eq!(depth("", ""), Depth::Sixteen);
        assert_eq!(depth("[screen]\ncolours = \"none\"", "truecolor"), Depth::None);
        assert_eq!(depth("[screen]\ncolours = \"16\"", "truecolor"), Depth::Sixteen);
        assert_eq!(depth("[screen]\ncolours = \"256\"", "truecolor"), Depth::Indexed);
        assert_eq!(depth("[screen]\ncolours = \"true\"", ""), Depth::True);
    }

    /// Returns the text of the guide's page about keys.
    fn page() -> String {
        let mut text = String::from(
            "# Keys\n\n<!-- Written from the key table by WALLCRAWLER_BLESS=1 cargo test --lib tui::apply_settings \
             -->\n\nThis page lists every action of the designer with its keys. The heading of each section says \
             where these keys work. The\ncommand palette (<kbd>:</kbd>) also runs actions without a key. `wallcrawler \
             settings --write` writes a file in which you\ncan assign other keys to any action. [How Crawlers \
             think](crawlers.md) explains Builders, turns, iterations, generations\nand Directions; [Named \
             places](judging.md#named-places) and [Rooms](rooms.md) explain places, sites and \
             `div`;\n[Animations](exporting.md#animations) explains scripts of moments.\n",
        );
        for context in help::contexts() {
            let _ = write!(text, "\n## {}\n\n| keys | action | |\n|---|---|---|\n", context.title());
            for row in keymap::table().filter(|row| row.context == context) {
                let keys: Vec<String> = row.keys.iter().map(|key| format!("<kbd>{key}</kbd>")).collect();
                let keys = keys.join(" ").replace('|', "\\|");
                let _ = writeln!(text, "| {keys} | {} | {} |", row.name, row.help);
            }
        }
        text
    }

    #[test]
    fn the_guide_has_the_key_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/guide/keys.md");
        let page = page();
        if std::env::var_os("WALLCRAWLER_BLESS").is_some() {
            std::fs::write(path, &page).unwrap();
        }
        assert!(
            std::fs::read_to_string(path).unwrap() == page,
            "renew it with WALLCRAWLER_BLESS=1 cargo test --lib tui::apply_settings"
        );
        for row in keymap::table() {
            assert!(page.contains(row.help), "the page lacks the help of {}", row.name);
        }
    }
}

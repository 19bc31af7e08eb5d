use super::*;
use crate::format::Text;

fn vocabulary() -> Vocabulary {
    let action = |context: &str, name: &str, keys: &[&str], needed, amid_text| ActionName {
        context: context.into(),
        former_context: None,
        name: name.into(),
        former: Vec::new(),
        help: "Does something.",
        keys: keys.iter().map(|key| (*key).to_owned()).collect(),
        needed,
        amid_text,
    };
    Vocabulary {
        actions: vec![
            action("everywhere", "quit", &["q"], true, false),
            action("everywhere", "play", &["Space"], false, false),
            action("everywhere", "palette", &[":"], true, false),
            action("map", "zoom-in", &["+", "="], false, false),
            action("map", "centre", &["c"], false, false),
            action("typing", "take", &["Enter"], true, true),
        ],
        colours: vec![ColourName {
            name: "accent".into(),
            former: Some("emphasis"),
            rgb: [1, 2, 3],
        }],
        key: |text| (text.len() == 1 || ["Space", "Enter", "Ctrl-Up"].contains(&text)).then(|| text.to_owned()),
    }
}

fn read(text: &str) -> (Settings, Vec<String>) {
    let (settings, diagnostics) = parse(&Text::new("config.toml", text), &vocabulary());
    (settings, diagnostics.iter().map(ToString::to_string).collect())
}

fn keys<'a>(settings: &'a Settings, action: &str) -> Option<Vec<&'a str>> {
    let change = settings.keys.iter().find(|change| change.action == action)?;
    Some(change.keys.iter().map(String::as_str).collect())
}

#[test]
fn a_colour_is_found_by_its_former_name() {
    let (settings, diagnostics) = read("[colours]\nemphasis = \"#070809\"\n");
    assert_eq!(diagnostics, Vec::<String>::new());
    let found: Vec<_> = settings.colours.iter().map(|c| (c.name.as_str(), c.rgb)).collect();
    assert_eq!(found, [("accent", [7, 8, 9])]);
}

#[test]
fn a_name_and_its_former_name_are_not_set_twice() {
    let mut vocabulary = vocabulary();
    vocabulary.actions[4].former = vec!["middle"];
    let text = "[colours]\nemphasis = \"#070809\"\naccent = \"#010101\"\n\
                [keys.map]\nmiddle = \"m\"\ncentre = \"n\"\n";
    let (settings, diagnostics) = parse(&Text::new("config.toml", text), &vocabulary);
    let colours: Vec<_> = settings.colours.iter().map(|colour| colour.rgb).collect();
    assert_eq!((colours, settings.keys.len()), (vec![[7, 8, 9]], 1));
    assert_eq!(keys(&settings, "centre"), Some(vec!["m"]));
    let messages: Vec<&str> = diagnostics.iter().map(|found| &*found.message).collect();
    let expected = ["accent", "keys.map.centre"]
        .map(|name| format!("{name} is already set under another name; this line has no effect"));
    assert_eq!(messages, expected);
}

#[test]
fn a_file_that_is_not_utf_8_is_read_as_latin_1() {
    let bytes = b"# K\xe4se\n[screen]\nbackground = \"bogus\"\nmouse = false\n".to_vec();
    let (settings, diagnostics) = parse(&Text::decode("config.toml", bytes), &vocabulary());
    assert!(!settings.screen.mouse);
    let [encoding, background] = &diagnostics[..] else {
        panic!("{diagnostics:?}");
    };
    assert!(encoding.message.contains("Latin-1"), "{encoding}");
    assert!(background.message.contains("background"), "{background}");
}

#[test]
fn everything_that_can_be_set_is_read() {
    let (settings, problems) = read(
        "[screen]\ncolours = \"256\"\nbackground = \"light\"\nmouse = false\n\
         [recording]\nmemory = 64\n[saving]\nautosave = 0\nbackups = false\n\
         [colours]\naccent = \"#FF8000\"\n[keys]\nmap.zoom-in = [\"x\", \"Ctrl-Up\"]\nmap.centre = []\n",
    );
    assert_eq!(problems, [""; 0]);
    assert_eq!(settings.screen.colours, Colours::Indexed);
    assert_eq!(settings.screen.background, Background::Light);
    assert!(!settings.screen.mouse && !settings.saving.backups);
    assert_eq!(settings.recording.memory, 64 << 20);
    assert_eq!(settings.saving.autosave, None);
    assert_eq!(settings.colours[0].rgb, [255, 128, 0]);
    assert_eq!(keys(&settings, "zoom-in"), Some(vec!["x", "Ctrl-Up"]));
    assert_eq!(keys(&settings, "centre"), Some(vec![]));
}

#[test]
fn invalid_entries_are_reported_and_have_their_defaults() {
    let (settings, problems) = read(
        "[screen]\ncolours = 256\nmuose = true\n[recording]\nmemory = 3\n\
         [colours]\naccent = \"red\"\n[key]\n[keys.map]\nzoom-in = [\"Ctrl-Nowhere\"]\nzoom = \"z\"\n",
    );
    assert_eq!(settings, Settings::default());
    insta::assert_snapshot!(problems.join("\n"));
}

#[test]
fn a_setting_above_all_tables_is_sent_to_its_table() {
    let (settings, problems) = read("mouse = false\nnix = 3\n");
    assert_eq!(settings, Settings::default());
    let text = problems.join("\n");
    assert!(text.contains("mouse is not in a table"), "{text}");
    assert!(text.contains("write it below the line [screen]"), "{text}");
    assert!(text.contains("nix is not in a table"), "{text}");
    assert!(
        text.contains("there is no such setting; the tables are screen, "),
        "{text}"
    );
}

#[test]
fn a_broken_line_affects_no_other_setting() {
    let (settings, problems) = read("[screen]\nmouse = false\nbackground = \"light\n[recording]\nmemory = 64\n");
    assert!(!settings.screen.mouse);
    assert_eq!(settings.recording.memory, 64 << 20);
    let there = |problem: &String| problem.starts_with("config.toml:3:");
    assert!(!problems.is_empty() && problems.iter().all(there), "{problems:?}");
    let (settings, problems) = read("\u{0}");
    assert!(settings == Settings::default() && !problems.is_empty());
}

#[test]
fn the_lines_below_a_key_without_a_value_are_said_to_have_no_effect() {
    // The parser stops at such a key.
    let (_, problems) = read("[screen]\nmouse\nbackground = \"light\"\n");
    assert!(
        problems.len() == 1 && problems[0].contains("the lines below it may have no effect"),
        "{problems:?}"
    );
}

#[test]
fn a_key_has_one_action_in_a_context() {
    // A key set in the file is removed from the action that has it by default, with a warning.
    let (settings, problems) = read("[keys]\nmap.zoom-in = [\"c\"]\n");
    assert_eq!(keys(&settings, "centre"), Some(vec![]));
    assert!(
        problems[0].contains("`c` is a default key of `centre`") && problems.len() == 1,
        "{problems:?}"
    );
    // If the file sets the same key for two actions, the first keeps it.
    let (settings, problems) = read("[keys.map]\nzoom-in = \"x\"\ncentre = [\"x\", \"y\"]\n");
    assert_eq!(keys(&settings, "centre"), Some(vec!["y"]));
    assert_eq!(problems.len(), 1);
    // Contexts that do not overlap cannot conflict.
    let (_, problems) = read("[keys]\nmap.zoom-in = \"Space\"\n");
    assert_eq!(problems, [""; 0]);
    // Quit cannot lose its last key, either directly or to another action.
    for text in ["everywhere.quit = []", "everywhere.play = [\"q\", \"p\"]"] {
        let (settings, problems) = read(&format!("[keys]\n{text}\n"));
        assert_eq!(keys(&settings, "quit"), None);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(
            settings
                .keys
                .iter()
                .all(|change| !change.keys.contains(&"q".to_owned()))
        );
    }
    // Where text is typed, a bare character cannot be a key.
    let (settings, problems) = read("[keys]\ntyping.take = [\"t\"]\n");
    assert!(settings.keys.is_empty() && problems.len() == 1, "{problems:?}");
}

#[test]
fn an_action_that_loses_all_keys_in_conflicts_has_its_defaults() {
    // Its default keys apply where they are free.
    let (settings, problems) = read("[keys.everywhere]\nplay = \"x\"\nquit = \"x\"\n");
    assert_eq!(
        (keys(&settings, "play"), keys(&settings, "quit")),
        (Some(vec!["x"]), None)
    );
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].contains("`x` is already set for play in the same context; the default is used"));
    let (settings, problems) = read("[keys.map]\nzoom-in = [\"x\", \"c\"]\ncentre = \"x\"\n");
    assert_eq!(keys(&settings, "centre"), Some(vec![]));
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert_eq!(
        keys(&read("[keys.map]\nzoom-in = \"x\"\ncentre = []\n").0, "centre"),
        Some(vec![])
    );
    // If the only key that the file sets for an action must go back to another action, its default keys apply as well.
    let (settings, problems) = read("[keys.everywhere]\nplay = \"q\"\n");
    assert_eq!(settings.keys, []);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(!problems[0].contains("[] means no key"), "{problems:?}");
    // The file may have set these default keys for a third action, which loses them if their own action needs a key.
    let (settings, problems) = read("[keys.everywhere]\npalette = \"q\"\nplay = [\":\", \"p\"]\n");
    assert_eq!((keys(&settings, "palette"), keys(&settings, "quit")), (None, None));
    assert_eq!(keys(&settings, "play"), Some(vec!["p"]));
    assert_eq!(problems.len(), 2, "{problems:?}");
}

#[test]
fn the_advice_for_shift_before_a_character_is_to_write_the_shifted_character() {
    let (_, problems) = read("[keys]\nmap.centre = \"Shift-r\"\n");
    assert!(problems[0].contains("write R, not Shift-r"), "{problems:?}");
    assert!(template(&vocabulary()).contains("Write R, not Shift-r."));
}

#[test]
fn the_template_sets_nothing_and_its_lines_are_the_defaults() {
    let text = template(&vocabulary());
    assert_eq!(read(&text), (Settings::default(), vec![]));
    let set: String = text.lines().fold(String::new(), |set, line| {
        let line = line
            .strip_prefix('#')
            .filter(|line| !line.starts_with(' '))
            .unwrap_or(line);
        set + line + "\n"
    });
    let (settings, problems) = read(&set);
    assert_eq!(problems, [""; 0], "{set}");
    assert_eq!((settings.colours.len(), settings.keys.len()), (1, 6));
    let plain = Settings {
        colours: vec![],
        keys: vec![],
        ..settings
    };
    assert_eq!(plain, Settings::default());
}

#[test]
fn a_missing_file_is_reported_only_if_the_user_named_it() {
    let folder = tempfile::tempdir().unwrap();
    let named = SettingsPath::File(folder.path().join("none.toml"));
    assert_eq!(named.load(&vocabulary()).diagnostics.len(), 1);
    assert_eq!(SettingsPath::Nowhere.load(&vocabulary()), LoadedSettings::default());
    let path = folder.path().join("config.toml");
    std::fs::write(&path, "[screen]\nmouse = false\n").unwrap();
    let loaded = SettingsPath::File(path).load(&vocabulary());
    assert!(!loaded.settings.screen.mouse && loaded.diagnostics.is_empty());
}

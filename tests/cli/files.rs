//! The files that commands write and those that they do not change: inputs and files of other origin, streams, drafts,
//! attributes.

use super::*;

/// Returns the bytes of a file.
#[cfg(unix)]
fn bytes(path: &str) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Runs a command that must refuse to write and name `word` as the reason; the folder's contents stay as they are.
#[track_caller]
fn refused(folder: &Folder, args: &[&str], word: &str) {
    let content = || -> Vec<(PathBuf, Vec<u8>)> {
        let files = std::fs::read_dir(folder.0.path()).expect("a folder");
        let mut files: Vec<_> = files
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.is_file())
            .map(|path| (path.clone(), std::fs::read(path).expect("readable")))
            .collect();
        files.sort();
        files
    };
    let before = content();
    let ran = run(args);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{args:?}: {}", ran.err);
    assert!(ran.err.contains(word), "{args:?}: {}", ran.err);
    assert!(content() == before, "{args:?} changed a file");
}

#[test]
fn an_input_is_never_an_output_even_with_force() {
    let folder = inputs();
    let path = |name: &str| folder.path(name);
    let [toml, recording_file, rooms] = ["design.toml", "k.wcr", "rooms4"].map(path);
    for force in [&[][..], &["--force"]] {
        for args in [
            &["grow", &toml, "--output", &toml][..],
            &["export", &toml, "--as", "png", "--to", &toml],
            &["export", &recording_file, "--as", "gif", "--to", &recording_file],
            &["export", &recording_file, "--to", &recording_file],
            &["survey", &toml, "--seeds", "3", "--output", &toml, "--fresh"],
            &["tune", &toml, "--expect", "path > 1", "--output", &toml],
            &["convert", &toml, "--to", &toml],
            &["grow", "--rooms", &rooms, "--output", &path("stats4")],
            &["export", "--rooms", &rooms, "--as", "csv", "--to", &path("constants4")],
        ] {
            refused(&folder, &[args, force].concat(), "is read by this command");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_input_is_recognized_under_every_name() {
    let folder = inputs();
    let toml = folder.path("design.toml");
    std::fs::hard_link(&toml, folder.path("hard")).expect("linked");
    std::os::unix::fs::symlink("design.toml", folder.path("soft")).expect("linked");
    std::fs::create_dir(folder.path("sub")).expect("made");
    for name in ["hard", "soft", "./design.toml", "sub/../design.toml"] {
        refused(
            &folder,
            &["grow", &toml, "--force", "--output", &folder.path(name)],
            "is read by this",
        );
        refused(
            &folder,
            &["grow", &folder.path(name), "--force", "--output", &toml],
            "is read by this",
        );
    }
}

#[test]
fn a_level_file_that_is_named_twice_is_read_once() {
    let folder = Folder::empty();
    folder.put(
        "own.des",
        "NAME: hall\nORIENT: float\nMAP\nxxxxx\nx...x\nxx.xx\nENDMAP\n",
    );
    let path = folder.path("own.des");
    let mut names = vec![path.clone(), folder.path("./own.des"), folder.path("")];
    #[cfg(unix)]
    std::os::unix::fs::symlink("own.des", folder.path("soft.des")).expect("linked");
    if cfg!(unix) {
        names.push(folder.path("soft.des"));
    }
    for command in [
        &["vault", "list", "--json"][..],
        &["vault", "check", "--summary"],
        &["vault", "stats"],
    ] {
        let once = run(&[command, &[path.as_str()]].concat());
        assert!(!once.out.is_empty(), "{command:?}: {}", once.err);
        for again in &names {
            let twice = run(&[command, &[path.as_str(), again]].concat());
            assert_eq!(
                (twice.status, twice.out),
                (once.status, once.out.clone()),
                "{command:?} {again}"
            );
        }
    }
}

#[test]
fn level_files_tilesets_and_companions_are_inputs() {
    let folder = Folder::empty();
    let level = "NAME: hall\nORIENT: float\nMAP\nxxxxx\nx...x\nxx.xx\nENDMAP\n";
    folder.put("own.des", level);
    let mut design = design();
    design.layout.vaults.push(wallcrawler::design::VaultEntry {
        file: "own.des".into(),
        map: "hall".into(),
        ..Default::default()
    });
    folder.put("design.toml", &native::write(&design));
    let own = folder.path("own.des");
    for args in [
        &[
            "export",
            &folder.path("design.toml"),
            "--as",
            "text",
            "--to",
            &own,
            "--force",
        ][..],
        &[
            "survey",
            &folder.path("design.toml"),
            "--seeds",
            "2",
            "-o",
            &own,
            "--force",
        ],
    ] {
        refused(&folder, args, "is read by this command");
    }
    std::fs::rename(&own, folder.path("own.des.1")).expect("renamed");
    let own = folder.path("own.des.1");
    refused(
        &folder,
        &[
            "vault",
            "dump",
            "hall",
            &own,
            "--output",
            &folder.path("own.des"),
            "--force",
        ],
        "is read by this command",
    );
    // A folder of the game's data is read as a whole.
    std::fs::create_dir(folder.path("data")).expect("made");
    std::fs::write(folder.path("data/helper.1"), "-- Lua").expect("written");
    let ran = run(&[
        "vault",
        "dump",
        "hall",
        &folder.path("own.des.1"),
        "--crawl-data",
        &folder.path("data"),
        "--force",
        "--output",
        &folder.path("data/helper"),
    ]);
    assert!(ran.err.contains("is read by this command"), "{}", ran.err);
    assert_eq!(folder.text("data/helper.1"), "-- Lua");
    // A drawing, and the tileset that it names.
    let tiles = "<?xml version=\"1.0\"?>\n<tileset name=\"t\" tilewidth=\"8\" tileheight=\"8\" tilecount=\"2\" columns=\"2\"/>\n";
    folder.put("set.tsx", tiles);
    folder.put(
        "map.tmx",
        "<?xml version=\"1.0\"?>\n<map version=\"1.10\" orientation=\"orthogonal\" width=\"3\" height=\"3\" tilewidth=\"8\" \
         tileheight=\"8\" infinite=\"0\"><tileset firstgid=\"1\" source=\"set.tsx\"/><layer id=\"1\" name=\"a\" width=\"3\" \
         height=\"3\"><data encoding=\"csv\">1,1,1,1,0,1,1,1,1</data></layer></map>\n",
    );
    let (map, set) = (folder.path("map.tmx"), folder.path("set.tsx"));
    for to in [&map, &set] {
        let ran = run(&["import", &map, "--to", to, "--force"]);
        assert_eq!(ran.status, 2, "{}", ran.err);
    }
    refused(
        &folder,
        &["import", &map, "--to", &set, "--force"],
        "is read by this command",
    );
    refused(
        &folder,
        &["grow", &map, "--output", &set, "--force"],
        "is read by this command",
    );
    assert_eq!(folder.text("set.tsx"), tiles);
}

#[test]
fn a_file_of_another_kind_is_replaced_only_with_force() {
    let folder = inputs();
    let toml = folder.path("design.toml");
    folder.put("letter.txt", "Dear reader,\nthis is a letter.\n");
    folder.put("other.toml", &native::write(&Design::default()));
    folder.put("photo.png", "\u{1}PNG of another program");
    folder.put("maze.txt", "#####\n#...#\n##.##\n");
    folder.put("statements.txt", "Paid: 3\n");
    folder.put("Cargo.toml", "[package]\nname = \"maze\"\n");
    for (target, what) in [
        ("letter.txt", "did not write"),
        ("other.toml", "a TOML design"),
        ("rooms4", "a rooms file"),
        ("k.wcr", "a recording"),
        ("photo.png", "did not write"),
        ("maze.txt", "did not write"),
        ("statements.txt", "did not write"),
        ("Cargo.toml", "a TOML file"),
    ] {
        let to = folder.path(target);
        for args in [
            &["grow", &toml, "--output", &to][..],
            &["export", &toml, "--as", "json", "--to", &to],
            &["survey", &toml, "--seeds", "2", "--output", &to],
            &["survey", &toml, "--seeds", "2", "--output", &to, "--fresh"],
        ] {
            // `grow` refuses a name with the extension of an export before it opens the file.
            if args[0] == "grow" && ["k.wcr", "photo.png"].contains(&target) {
                continue;
            }
            refused(&folder, args, what);
            refused(&folder, args, "--force");
        }
        let forced = run(&["export", &toml, "--as", "json", "--to", &to, "--force"]);
        assert_eq!(forced.status, 0, "{}", forced.err);
        assert!(
            folder
                .text(target)
                .starts_with("{\n\"format\": \"wallcrawler-dungeon\"")
        );
    }
    // The tileset beside a map is not replaced, either.
    folder.put("map.tiles.png", "mine");
    refused(
        &folder,
        &["export", &toml, "--to", &folder.path("map.tmx")],
        "map.tiles.png already exists",
    );
    // One output cannot be two files.
    let [a, b] = ["x", "./x"].map(|name| folder.path(name));
    refused(
        &folder,
        &["convert", &toml, "--rooms", &a, "--stats", &b],
        "is given for two outputs",
    );
    refused(
        &folder,
        &["convert", &toml, "--rooms", "-", "--stats", "-"],
        "- is given for two outputs",
    );
    #[cfg(unix)]
    refused(
        &folder,
        &["convert", &toml, "--rooms", "-", "--stats", "/dev/stdout"],
        "is given for two outputs",
    );
}

#[test]
fn an_output_of_the_same_kind_is_written_again_by_one_command() {
    let folder = inputs();
    let toml = folder.path("design.toml");
    let again = |args: &[&str]| {
        for _ in 0..2 {
            let ran = run(args);
            assert_eq!(ran.status, 0, "{args:?}: {}", ran.err);
        }
    };
    for kind in wallcrawler::export::ExportKind::ALL.map(|about| about.name) {
        again(&[
            "export",
            &toml,
            "--as",
            kind,
            "--to",
            &folder.path(&format!("of.{kind}")),
        ]);
    }
    for format in ["plain", "digits", "ansi"] {
        again(&[
            "grow",
            &toml,
            "--format",
            format,
            "--output",
            &folder.path(&format!("g.{format}")),
        ]);
    }
    let bins = ["--x", "path", "--y", "loops", "--seeds", "3"];
    for name in ["r.csv", "r.txt", "r.svg", "r.png"] {
        let format = if name == "r.txt" {
            &["--format", "text"][..]
        } else {
            &[]
        };
        again(&[&["range", &toml, "-o", &folder.path(name)], &bins[..], format].concat());
    }
    for (name, more) in [("s.csv", "0..2"), ("s.jsonl", "0..2"), ("s.parquet", "0..2")] {
        again(&["survey", &toml, "--seeds", more, "--output", &folder.path(name)]);
        again(&[
            "survey",
            &toml,
            "--seeds",
            "5..7",
            "--fresh",
            "--output",
            &folder.path(name),
        ]);
    }
    again(&["man", "--output", &folder.path("man1")]);
    folder.put("empty", "");
    let ran = run(&["convert", &toml, "--to", &folder.path("empty")]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    // A page that another program wrote is kept.
    std::fs::write(folder.path("man1/wallcrawler.1"), ".TH other 1\n").expect("written");
    let ran = run(&["man", "--output", &folder.path("man1")]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("--force"), "{}", ran.err);
}

#[test]
fn a_file_that_only_looks_like_an_output_is_replaced_only_with_force() {
    let folder = inputs();
    let toml = folder.path("design.toml");
    let wall = "X".repeat(30) + "\n";
    let maze = wall.clone() + &format!("X{}X\n", ".".repeat(28)).repeat(28) + &wall;
    folder.put("maze.txt", &maze.replacen('X', ".", 1));
    folder.put("small.txt", "XXXXX\nX...X\nXX.XX\n");
    folder.put("spaced.txt", &maze.replace('.', " "));
    for name in ["maze.txt", "small.txt", "spaced.txt"] {
        let to = folder.path(name);
        refused(&folder, &["grow", &toml, "-o", &to], "did not write");
        refused(&folder, &["export", &toml, "-o", &to], "did not write");
        refused(
            &folder,
            &["export", &toml, "--format", "digits", "-o", &to],
            "did not write",
        );
    }
    folder.put("own.csv", "x,x_low,x_high,y,my own\n1,2,3,4,5\n");
    folder.put("notes.txt", "Expressive range of my dungeons\n");
    for (name, format) in [("own.csv", "csv"), ("notes.txt", "text")] {
        let to = folder.path(name);
        let bins = ["--x", "path", "--y", "loops", "--seeds", "3", "--format", format];
        refused(
            &folder,
            &[&["range", &toml, "-o", &to], &bins[..]].concat(),
            "did not write",
        );
    }
    folder.put("prices.csv", "seed,design,price\n1,oak,3\n");
    folder.put("prices.jsonl", "{\"seed\":1,\"design\":\"oak\",\"price\":3}\n");
    for name in ["prices.csv", "prices.jsonl"] {
        for fresh in [&[][..], &["--fresh"]] {
            let to = folder.path(name);
            let survey = ["survey", &toml, "--seeds", "3", "-o", &to];
            refused(&folder, &[&survey[..], fresh].concat(), "did not write");
        }
    }
    folder.put("map.1", "xxxx\nx..x\nxxxx\n");
    let dump = [
        "vault",
        "dump",
        "shrine_in_the_woods",
        "--times",
        "1",
        "-o",
        &folder.path("map"),
    ];
    refused(&folder, &dump, "may have written or changed; pass --force");
    assert_eq!(run(&[&dump[..], &["--force"]].concat()).status, 0);
    refused(&folder, &dump, "may have written or changed; pass --force");
}

#[test]
fn no_map_is_dumped_if_the_name_of_the_last_one_is_in_use() {
    let folder = Folder::empty();
    folder.put("map.3", "xxxx\nx..x\nxxxx\n");
    let to = folder.path("map");
    let dump = ["vault", "dump", "shrine_in_the_woods", "--times", "3", "-o", &to];
    refused(&folder, &dump, "map.3 already exists");
}

#[test]
fn a_survey_of_another_design_or_of_no_design_is_refused_with_a_reason() {
    let folder = inputs();
    let toml = folder.path("design.toml");
    let rows = folder.path("rows.csv");
    assert_eq!(run(&["survey", &toml, "--seeds", "3", "-o", &rows]).status, 0);
    let mut other = design();
    other.layout.protuberances = 9;
    folder.put("other.toml", &native::write(&other));
    let other = folder.path("other.toml");
    let args = ["survey", &other, "--seeds", "3", "-o", &rows];
    refused(&folder, &args, "the row belongs to another design");
    refused(&folder, &args, "--fresh");
    // `--force` is for files that are not surveys.
    refused(&folder, &[&args[..], &["--force"]].concat(), "--fresh");
    folder.put("notes.csv", "name,weight\nkeep,3\n");
    let notes = folder.path("notes.csv");
    refused(
        &folder,
        &["survey", &toml, "--seeds", "3", "-o", &notes],
        "did not write; pass --force",
    );
    assert_eq!(
        run(&["survey", &toml, "--seeds", "3", "-o", &notes, "--force"]).status,
        0
    );
    assert_eq!(folder.text("notes.csv"), folder.text("rows.csv"));
}

#[test]
fn a_file_that_another_command_is_writing_is_left_alone() {
    let folder = inputs();
    let toml = folder.path("design.toml");
    let rows = folder.path("rows.csv");
    let survey = |more: &[&str]| run(&[&["survey", &toml, "--seeds", "3", "-o", &rows], more].concat());
    assert_eq!(survey(&[]).status, 0);
    let before = folder.text("rows.csv");
    let other = std::fs::File::open(&rows).expect("the rows");
    other.lock().expect("locked");
    for more in [&[][..], &["--fresh"]] {
        let ran = survey(more);
        assert_eq!(ran.status, 2, "{}", ran.err);
        assert!(ran.err.contains("another command is writing"), "{}", ran.err);
        assert_eq!(folder.text("rows.csv"), before);
    }
    drop(other);
    assert_eq!(survey(&["--fresh"]).status, 0);
}

#[test]
fn an_option_without_effect_on_a_drawing_is_refused() {
    let folder = Folder::new(&design());
    folder.put("maze.txt", "#####\n#...#\n#####\n");
    folder.put("table.txt", "12,12,12\n12,0,12\n12,12,12\n");
    for name in ["o.png", "o.json", "o.csv", "o.tmj"] {
        let ran = run(&["export", &folder.path("design.toml"), "--output", &folder.path(name)]);
        assert_eq!(ran.status, 0, "{}", ran.err);
    }
    for (name, option, said) in [
        (
            "o.png",
            &["--walls", "3"][..],
            "--walls has no effect on png; it applies to text, tmx, tmj, csv",
        ),
        (
            "o.png",
            &["--open", "x"],
            "--open has no effect on png; it applies to text",
        ),
        (
            "o.png",
            &["--layer", "foo"],
            "--layer has no effect on png; it applies to tmx, tmj",
        ),
        (
            "o.png",
            &["--invert"],
            "--invert has no effect on this file, because the file states which squares are walls",
        ),
        (
            "o.json",
            &["--scale", "3"],
            "--scale has no effect on tmj; it applies to text, png",
        ),
        (
            "o.json",
            &["--layer", "foo"],
            "--layer has no effect on this file, because the file has no layers",
        ),
        (
            "o.csv",
            &["--walls", "3"],
            "--walls has no effect on this file, because the file states which squares are walls",
        ),
        (
            "o.tmj",
            &["--threshold", "40"],
            "--threshold has no effect on tmj; it applies to png",
        ),
        (
            "maze.txt",
            &["--threshold", "40"],
            "--threshold has no effect on text; it applies to png",
        ),
        (
            "table.txt",
            &["--scale", "2"],
            "--scale has no effect on this file, because the file is a table of numbers",
        ),
        (
            "table.txt",
            &["--open", "5"],
            "--open has no effect on this file, because the file is a table of numbers",
        ),
    ] {
        let import = ["import", &folder.path(name), "--output", "-"];
        refused(&folder, &[&import, option].concat(), said);
    }
    for (name, option) in [
        ("o.png", &["--scale", "8"][..]),
        ("o.png", &["--threshold", "40", "--invert"]),
        ("o.tmj", &["--layer", "Dungeon"]),
        ("o.tmj", &["--walls", "3", "--invert"]),
        ("maze.txt", &["--walls", "#", "--open", ".", "--scale", "1", "--invert"]),
    ] {
        let import = ["import", &folder.path(name), "--output", "-"];
        let ran = run(&[&import, option].concat());
        assert_eq!(ran.status, 0, "{name} {option:?}: {}", ran.err);
    }
}

#[test]
fn a_scale_that_is_too_large_for_a_tileset_is_refused() {
    let folder = Folder::new(&design());
    let toml = folder.path("design.toml");
    for kind in ["tmx", "tmj", "ldtk"] {
        let to = folder.path(&format!("out.{kind}"));
        let export = ["export", &toml, "--output", &to, "--scale"];
        refused(&folder, &[&export[..], &["257"]].concat(), "use a scale of at most 256");
    }
}

#[test]
fn the_seed_of_an_import_that_writes_no_design_is_refused() {
    let folder = Folder::empty();
    folder.put("maze.txt", "#####\n#...#\n#####\n");
    let (maze, rooms) = (folder.path("maze.txt"), folder.path("rooms"));
    refused(
        &folder,
        &["import", &maze, "--rooms", &rooms, "--seed", "7"],
        "--output",
    );
}

#[test]
fn a_table_has_all_names_of_a_place() {
    let folder = Folder::empty();
    let mut text = native::write(&design());
    for name in ["well", "boss"] {
        text += &format!("\n[[place]]\nname = \"{name}\"\nx = 12\ny = 20\n");
    }
    folder.put("design.toml", &text);
    let ran = run(&[
        "export",
        &folder.path("design.toml"),
        "--format",
        "csv",
        "--output",
        "-",
    ]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let line = ran.out.lines().find(|line| line.starts_with("12,20,")).expect("a line");
    assert!(line.ends_with(",well; boss"), "{line}");
}

#[test]
fn an_option_without_effect_on_a_kind_is_refused() {
    let folder = Folder::new(&design());
    let toml = folder.path("design.toml");
    for (kind, option, takers) in [
        (
            "json",
            &["--scale", "4"][..],
            "--scale has no effect on json; it applies to png, svg, gif, apng, tmx",
        ),
        (
            "text",
            &["--no-generations"],
            "--no-generations has no effect on text; it applies to digits, ansi",
        ),
        ("csv", &["--by", "generation"], "--by has no effect on csv"),
        (
            "png",
            &["--paper", "a3"],
            "--paper has no effect on png; it applies to pdf",
        ),
        (
            "svg",
            &["--seconds", "3"],
            "--seconds has no effect on svg; it applies to gif, apng, cast, cast3",
        ),
        (
            "png",
            &["--open-doors"],
            "--open-doors has no effect on png; it applies to uvtt",
        ),
        ("tmx", &["--legend"], "--legend has no effect on tmx"),
        ("cast", &["--grid"], "--grid has no effect on cast"),
        ("recording", &["--turn", "3"], "--turn has no effect on a recording"),
    ] {
        let to = folder.path("out");
        refused(
            &folder,
            &[&["export", &toml, "--as", kind, "--to", &to], option].concat(),
            takers,
        );
    }
    let fits = run(&[
        "export",
        &toml,
        "--to",
        &folder.path("a.png"),
        "--scale",
        "4",
        "--legend",
        "--by",
        "age",
    ]);
    assert_eq!(fits.status, 0, "{}", fits.err);
}

/// Runs a shell command in a folder.
#[cfg(target_os = "linux")]
fn shell(folder: &Folder, line: &str) -> Ran {
    let output = Command::new("bash")
        .args(["-c", line])
        .env("W", env!("CARGO_BIN_EXE_wallcrawler"))
        .current_dir(folder.0.path())
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    Ran {
        status: output.status.code().expect("no signal"),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[cfg(target_os = "linux")]
#[test]
fn files_whose_names_are_not_unicode_are_paired_and_quoted() {
    let folder = Folder::new(&Design::default());
    let ran = shell(
        &folder,
        r"$W new --template keep k.toml && $W convert k.toml --rooms $'rooms\xff4' --stats $'stats\xff4'",
    );
    assert_eq!(ran.status, 0, "{}", ran.err);
    for name in [r"$'rooms\xff4'", r"$'stats\xff4'"] {
        let ran = shell(&folder, &format!("$W check {name}"));
        assert_eq!(ran.status, 0, "{}", ran.err);
        assert!(!ran.err.contains("stats file"), "{name}: {}", ran.err);
        let grown = shell(
            &folder,
            &format!("cmp <($W grow {name} --seed 5) <($W grow k.toml --seed 5)"),
        );
        assert_eq!(grown.status, 0, "{name}: {}", grown.out);
    }
    let ran = shell(&folder, r"$W new $'n\xff.toml'");
    assert!(ran.err.contains(r"`wallcrawler $'n\xff.toml'` opens it"), "{}", ran.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_write_into_a_removed_current_folder_names_the_cause() {
    let folder = Folder::new(&Design::default());
    let ran = shell(&folder, "mkdir gone; cd gone; rmdir ../gone; $W new k.toml");
    assert_eq!(ran.status, 2);
    assert!(
        ran.err
            .contains("cannot write k.toml: the current folder was removed; use an absolute path"),
        "{}",
        ran.err
    );
}

#[cfg(target_os = "linux")]
#[test]
fn every_writing_command_streams() {
    let folder = inputs();
    folder.put("maze.txt", &maze());
    let writers = [
        ("grow design.toml --output", "XXXX"),
        ("export design.toml --as json --to", "wallcrawler-dungeon"),
        ("export k.wcr --as gif --to", "GIF89a"),
        ("survey design.toml --seeds 3 --output", "seed,design"),
        ("convert design.toml --to", "format = 1"),
        ("convert design.toml --stats /dev/null --rooms", "Dungeon dimensions"),
        ("import maze.txt --to", "format = 1"),
        ("import maze.txt --rooms", "Dungeon dimensions"),
        (
            "tune design.toml --expect 'path > 0' --seeds 2 --move MaxAge --output",
            "format = 1",
        ),
        ("vault dump shrine_in_the_woods --times 2 --output", "# 2: seed 2"),
    ];
    for (command, word) in writers {
        for line in [
            format!("$W {command} - | cat"),
            format!("$W {command} /dev/stdout | cat"),
            format!("$W {command} /dev/fd/1 | cat"),
            format!(
                "$W {command} >(cat > caught) > /dev/null; for _ in {{1..500}}; do grep -aq '{word}' caught && break; \
                 sleep 0.02; done; cat caught; rm caught"
            ),
            format!("mkfifo fifo; cat fifo & $W {command} fifo > /dev/null && wait; rm fifo"),
            format!("echo before > file; $W {command} /dev/stdout >> file; cat file; rm file"),
            format!("{{ echo before; $W {command} /dev/stdout; echo after; }} > file; cat file; rm file"),
            format!("ln -s /dev/stdout link; $W {command} link | cat; rm link"),
        ] {
            let ran = shell(&folder, &line);
            assert!(ran.out.contains(word), "{line}: {} {}", ran.out, ran.err);
            let has_frame = line.contains("echo before");
            assert!(!has_frame || ran.out.starts_with("before\n"), "{line}: {}", ran.out);
            assert!(
                !line.contains("echo after") || ran.out.ends_with("after\n"),
                "{line}: {}",
                ran.out
            );
        }
        let nowhere = shell(&folder, &format!("$W {command} /dev/null > /dev/null"));
        assert_eq!(nowhere.status, 0, "{command}: {}", nowhere.err);
        // A reader that closes its pipe early is not an error.
        let left = shell(
            &folder,
            &format!("$W {command} /dev/stdout | head -c 4; exit ${{PIPESTATUS[0]}}"),
        );
        assert_eq!(left.status, 0, "{command}: {}", left.err);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_stream_is_refused_with_advice() {
    let folder = inputs();
    for (line, why) in [
        (
            "$W export design.toml --to -",
            "cannot infer the format from `-`; pass --format",
        ),
        ("$W export design.toml --to /dev/stdout", "pass --format with one of"),
        ("$W export design.toml --as tmx --to - ", "tmx needs a companion file"),
        (
            "$W export design.toml --as tmx --to /dev/stdout | cat; exit ${PIPESTATUS[0]}",
            "tmx needs a companion file",
        ),
        (
            "$W survey design.toml --format parquet -o /dev/null",
            "cannot be printed or streamed",
        ),
        (
            "$W export design.toml --as text --to - >> design.toml",
            "is read by this command",
        ),
    ] {
        let ran = shell(&folder, line);
        assert_eq!(ran.status, 2, "{line}: {}", ran.err);
        assert!(ran.err.contains(why), "{line}: {}", ran.err);
    }
    assert_eq!(folder.text("design.toml"), native::write(&design()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_no_half_page_and_errors_name_the_file() {
    let folder = inputs();
    // Manual pages are both smaller and larger than the limit, which is in blocks of 1024 bytes.
    let ran = shell(&folder, "trap '' XFSZ; ulimit -f 4; $W man --output pages");
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(
        ran.err.contains("cannot write pages/wallcrawler") && !ran.err.contains(".wallcrawler-"),
        "{}",
        ran.err
    );
    assert_eq!(std::fs::read_dir(folder.path("pages")).expect("a folder").count(), 0);
    for command in [
        "grow design.toml --output",
        "export design.toml --as json --to",
        "survey design.toml --seeds 2 --output",
    ] {
        let ran = shell(&folder, &format!("$W {command} /dev/full"));
        assert_eq!(ran.status, 2, "{}", ran.err);
        assert!(ran.err.contains("cannot write /dev/full: No space left"), "{}", ran.err);
    }
    for command in [
        "export design.toml --as json --to big",
        "export design.toml --as csv --to big",
    ] {
        let ran = shell(&folder, &format!("trap '' XFSZ; ulimit -f 4; $W {command}"));
        assert_eq!(ran.status, 2, "{}", ran.err);
        assert!(ran.err.contains("cannot write big"), "{}", ran.err);
        assert!(!Path::new(&folder.path("big")).exists());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_draft_of_a_killed_command_is_removed_by_the_next_one() {
    let folder = inputs();
    let drafts = || {
        let files = std::fs::read_dir(folder.0.path()).expect("a folder");
        let names = files.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"));
        names.filter(|name| name.starts_with(".wallcrawler-")).count()
    };
    // The signal for a file that grows too large ends the program while it writes.
    let killed = shell(&folder, "ulimit -f 4; $W export design.toml --as json --to big; exit 0");
    assert_eq!((killed.status, drafts()), (0, 1), "{}", killed.err);
    assert_eq!(
        run(&["grow", &folder.path("design.toml"), "--output", &folder.path("g.txt")]).status,
        0
    );
    assert_eq!(drafts(), 0);
}

#[cfg(unix)]
#[test]
fn a_file_with_two_links_keeps_both_and_its_mode() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let folder = inputs();
    let (one, two) = (folder.path("one.txt"), folder.path("two.txt"));
    let grow = |seed: &str| {
        let ran = run(&["grow", &folder.path("design.toml"), "--seed", seed, "--output", &one]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    };
    grow("1");
    std::fs::hard_link(&one, &two).expect("linked");
    std::fs::set_permissions(&one, std::fs::Permissions::from_mode(0o640)).expect("set");
    let before = bytes(&two);
    grow("2");
    assert!(bytes(&two) == bytes(&one) && bytes(&two) != before);
    let found = std::fs::metadata(&two).expect("found");
    assert_eq!((found.nlink(), found.permissions().mode() & 0o777), (2, 0o640));
    assert!(!Path::new(&format!("{one}.new")).exists());
}

#[test]
fn standard_input_is_not_overwritten_as_an_output() {
    let folder = Folder::empty();
    folder.put("maze.txt", &maze());
    let stdin = std::fs::File::open(folder.path("maze.txt")).expect("open");
    let ran = program()
        .args(["import", "-", "--force", "--to", &folder.path("maze.txt")])
        .stdin(stdin)
        .output()
        .expect("the program runs");
    assert_eq!(ran.status.code(), Some(2), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_eq!(folder.text("maze.txt"), maze());
}

/// Commands that run for a long time report before they start that their output cannot be written.
#[test]
fn unwritable_outputs_are_reported_before_the_work_begins() {
    let folder = inputs();
    for file in ["ro.toml", "ro.html", "ro.svg", "ro.png", "ro.parquet"] {
        folder.put(file, "");
        let path = folder.0.path().join(file);
        let mut permissions = path.metadata().expect("it is there").permissions();
        permissions.set_readonly(true);
        std::fs::set_permissions(&path, permissions).expect("the owner may");
        std::fs::create_dir(folder.path(&format!("folder{file}"))).expect("created");
    }
    let toml = folder.path("design.toml");
    let commands: [(&str, &str, &[&str]); 7] = [
        ("ro.toml", "-o", &["learn", &toml, "--candidates", "1"]),
        (
            "ro.toml",
            "-o",
            &["tune", &toml, "--expect", "path > 1", "--seeds", "1"],
        ),
        ("ro.html", "-o", &["report", &toml, "--seeds", "3"]),
        (
            "ro.svg",
            "-o",
            &["range", &toml, "--x", "path", "--y", "fill", "--seeds", "3"],
        ),
        ("ro.svg", "-o", &["frequency", &toml, "--seeds", "3"]),
        (
            "ro.png",
            "--to",
            &["atlas", &toml, "--x", "path", "--y", "fill", "--candidates", "1"],
        ),
        ("ro.parquet", "-o", &["survey", &toml, "--seeds", "3"]),
    ];
    for (file, option, command) in commands {
        let read_only = folder.path(file);
        let other = folder.path(&format!("folder{file}"));
        let nowhere = format!("/proc/{file}");
        let refusal = if file == "ro.parquet" {
            // The advice to save under another name does not fit a table that a run continues.
            format!("cannot write {read_only}: permission denied; make it writable, or choose another file")
        } else {
            format!("{read_only} is read-only; ")
        };
        let mut targets = vec![
            (&read_only, refusal),
            (&other, format!("{other} is not a regular file; ")),
        ];
        if cfg!(target_os = "linux") {
            targets.push((&nowhere, format!("cannot write {nowhere}: ")));
        }
        for (target, message) in targets {
            for force in [&[][..], &["--force"]] {
                let args = [command, &[option, target, "--progress", "json"], force].concat();
                refused(&folder, &args, &message);
                let err = run(&args).err;
                assert!(!err.contains('{'), "{args:?} began its work: {err}");
            }
        }
    }
}

/// A table of rows is continued in place, which needs no permission to write to its folder.
#[cfg(unix)]
#[test]
fn a_survey_is_continued_in_a_folder_that_is_read_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = inputs();
    let tables = folder.0.path().join("tables");
    std::fs::create_dir(&tables).expect("created");
    let table = tables.join("s.csv");
    let survey = |seeds: &str| {
        let ran = run(&[
            "survey",
            &folder.path("design.toml"),
            "--seeds",
            seeds,
            "-o",
            table.to_str().expect("a name"),
        ]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        std::fs::read_to_string(&table).expect("readable").lines().count()
    };
    assert_eq!(survey("2"), 3);
    let mode = |mode| std::fs::set_permissions(&tables, std::fs::Permissions::from_mode(mode)).expect("the owner may");
    mode(0o555);
    let lines = survey("4");
    mode(0o755);
    assert_eq!(lines, 5);
}

#[test]
fn settings_written_to_standard_output_have_no_extra_line() {
    let folder = Folder::empty();
    let path = folder.path("config.toml");
    assert_eq!(
        run(&["settings", "--write", "--config", &path]).out,
        format!("{path}\n")
    );
    let printed = run(&["settings", "--write", "--config", "-"]);
    assert_eq!((printed.status, printed.out), (0, folder.text("config.toml")));
}

#[test]
fn an_empty_name_of_an_input_is_refused_as_such() {
    for args in [&["grow", ""][..], &["check", ""], &["grow", "--rooms", ""]] {
        let ran = run(args);
        assert_eq!(ran.status, 2, "{args:?}");
        assert!(ran.err.contains("a value is required for "), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_settings_file_that_cannot_be_read_is_no_invalid_entry() {
    let folder = Folder::empty();
    let path = folder.path("config.toml");
    std::fs::create_dir(&path).expect("a folder");
    let check = || run(&["settings", "--check", "--config", &path]);
    let unreadable = check();
    assert_eq!(unreadable.status, 2, "{}", unreadable.err);
    assert!(!unreadable.err.contains("--config"), "{}", unreadable.err);
    std::fs::remove_dir(&path).expect("removed");
    folder.put("config.toml", "nonsense = 1\n");
    assert_eq!(check().status, 1);
    folder.put("config.toml", "");
    assert_eq!(check().status, 0);
}

#[test]
fn a_converted_design_keeps_its_comments_and_its_level_files() {
    let folder = inputs();
    std::fs::create_dir(folder.path("in")).expect("created");
    std::fs::create_dir(folder.path("out")).expect("created");
    let text = "# Written by hand.\nformat = 1\nseed = 3 # the best one\n\n[[vault]]\nfile = \"a.des\"\nmap = \"a\"\n";
    folder.put("in/a.des", "NAME: a\nTAGS: no_exits\nMAP\nxxx\nx.x\nxxx\nENDMAP\n");
    folder.put("in/design.toml", text);
    let written = |args: &[&str]| {
        let ran = run(args);
        assert_eq!(ran.status, 0, "{args:?}: {}", ran.err);
        ran.out
    };
    let [from, to] = ["in/design.toml", "out/design.toml"].map(|name| folder.path(name));
    written(&["convert", &from, "--seed", "5", "--output", &to]);
    let kept = std::fs::read_to_string(&to).expect("written");
    for part in ["# Written by hand.", "seed = 5 # the best one", "\"../in/a.des\""] {
        assert!(kept.contains(part), "{part}: {kept}");
    }
    let [before, after] = [&from, &to].map(|design| written(&["grow", design, "--seed", "5"]));
    assert_eq!(before, after);
    let streamed = written(&["convert", &from, "--output", "-"]);
    assert_eq!(streamed, text);
    // The same with a drawing.
    folder.put("drawing.txt", "###\n#.#\n###\n");
    let merged = written(&[
        "import",
        &folder.path("drawing.txt"),
        "--into",
        &from,
        "--crawler",
        "none",
        "-o",
        "-",
    ]);
    assert!(merged.starts_with("# Written by hand."), "{merged}");
}

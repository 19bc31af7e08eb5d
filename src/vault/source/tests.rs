//! Tests of reading small files, part by part.

use super::*;

fn file(text: &str) -> VaultFile {
    read("a.des", text.as_bytes())
}

/// Returns the lines of a chunk that have code, with their line numbers in the file.
fn lines(chunk: &Chunk) -> Vec<(usize, String)> {
    let source = String::from_utf8(chunk.source()).expect("text");
    let numbered = source
        .split('\n')
        .enumerate()
        .map(|(i, line)| (i + 1, line.trim().to_owned()));
    numbered.filter(|(_, line)| !line.is_empty()).collect()
}

fn description(file: &VaultFile) -> Vec<String> {
    file.problems.iter().map(ToString::to_string).collect()
}

#[test]
fn headers_and_lua_lines_become_one_source_on_their_lines() {
    let file = file(
        "# a map\nNAME: gate\nTAGS: a b\n: if you.xl() > 3 then\nMONS: orc, \\\n      ogre\n: else\n{{ mons('rat')\n\
         -- nothing\n}}\n: end\nMAP\nx1@\nENDMAP\nSUBST: x = c\n",
    );
    assert_eq!(description(&file), [""; 0]);
    let map = &file.maps[0];
    let expected = [
        (3, r#"tags("a") tags("b")"#),
        (4, "if you.xl() > 3 then"),
        (5, r#"mons("orc") mons("ogre")"#),
        (7, "else"),
        (8, "mons('rat')"),
        (9, "-- nothing"),
        (11, "end"),
        (15, r#"subst("x = c")"#),
    ];
    assert_eq!(lines(&map.body), expected.map(|(n, line)| (n, line.to_owned())));
    assert_eq!((map.body.line, map.line, map.last_line), (3, 2, 15));
    assert_eq!((map.rows.as_slice(), map.rows_line), (&[b"x1@".to_vec()][..], 13));
    assert_eq!(map.values("MONS").collect::<Vec<_>>(), [b"orc, ogre"]);
    assert_eq!(map.chunks().count(), 1);
}

#[test]
fn each_block_has_the_role_of_its_keyword() {
    let file = file(
        ": of_file = 1\nNAME: a\nprelude {{ p() }}\nvalidate {{\n  return true }}\nveto{{ return false }}\nepilogue {{\ne()\n}}\n\
         lua {{ body() }}\ndefault-depth: D\n: of_file = 2\nNAME: b\n",
    );
    assert_eq!(description(&file), [""; 0]);
    let map = &file.maps[0];
    let one = |chunk: &Option<Chunk>| lines(chunk.as_ref().expect("a chunk"));
    assert_eq!(one(&map.prelude), [(3, "p()".to_owned())]);
    assert_eq!(one(&map.validate), [(5, "return true".to_owned())]);
    assert_eq!(one(&map.veto), [(6, "return false".to_owned())]);
    assert_eq!(one(&map.epilogue), [(8, "e()".to_owned())]);
    assert_eq!(lines(&map.body), [(10, "body()".to_owned())]);
    assert_eq!(
        one(&file.prelude),
        [(1, "of_file = 1".to_owned()), (12, "of_file = 2".to_owned())]
    );
    assert_eq!(map.chunks().count(), 5);
    assert!(file.maps[1].body.source().is_empty());
}

#[test]
fn a_default_depth_applies_until_the_next() {
    let file = file("NAME: a\ndefault-depth: D:2-4\nNAME: b\nNAME: c\ndefault-depth:\nNAME: d\n");
    let depths: Vec<Option<&str>> = file.maps.iter().map(|map| map.default_depth.as_deref()).collect();
    assert_eq!(depths, [None, Some("D:2-4"), Some("D:2-4"), None]);
}

#[test]
fn rows_keep_their_leading_blanks_and_any_glyph() {
    let file = file("NAME: a\nMAP\n  #x  \n:=}}\nMAPS\n  ENDMAP\n# over\n");
    assert_eq!(description(&file), [""; 0]);
    assert_eq!(
        file.maps[0].rows,
        [b"  #x".to_vec(), b":=}}".to_vec(), b"MAPS".to_vec()]
    );
    // A no-break space is two bytes in UTF-8, and therefore two cells.
    let wide = super::read("a.des", "NAME: a\nMAP\nx\u{a0}\nENDMAP\n".as_bytes());
    assert_eq!(wide.maps[0].rows[0].len(), 3);
}

#[test]
fn places_of_problems_follow_continued_lines() {
    let file = file("NAME: a\n  SUBST: a = b, \\\n     \\\n    c d, \\\n  e = f\n");
    let places: Vec<(u32, u32)> = file
        .problems
        .iter()
        .filter_map(|problem| problem.source.as_ref())
        .map(|source| (source.line, source.column))
        .collect();
    assert_eq!(places, [(4, 5)], "{:?}", description(&file));
    assert_eq!(file.maps[0].headers[0].line, 2);
}

#[test]
fn a_marker_of_lua_is_a_function_that_its_map_can_call() {
    let file = file("NAME: a\nMARKER: A = lua:f { x = \"a, b\", \\\n   y = 2 }\n");
    let expected = r#"lua_marker("A", function() return f { x = "a, b", y = 2 } end)"#;
    assert_eq!(lines(&file.maps[0].body), [(2, expected.to_owned())]);
}

#[test]
fn line_ends_and_a_byte_order_mark_are_not_content() {
    let plain = file("NAME: a\nTAGS: b\nMAP\nx.x\nENDMAP\n");
    let other = file("\u{feff}NAME: a \r\nTAGS: b\r\nMAP\r\nx.x\t\r\nENDMAP");
    assert!(plain.same_content(&other));
    assert_eq!(print(&other), b"NAME: a\nTAGS: b\nMAP\nx.x\nENDMAP\n");
}

#[test]
fn printing_yields_the_canonical_form() {
    let text = "  NAME:a\nKFEAT :  O = floor \\\n        / stone_arch\nlua{{ x() }}\nveto{{\nreturn 1 }}\n:y()\nmystery: \\\n z\nwhat?\nKFEAT:\n";
    let printed = "NAME: a\nKFEAT: O = floor \\\n    / stone_arch\n{{ x() }}\nveto {{\nreturn 1 }}\n:y()\nmystery: \\\n    z\nwhat?\nKFEAT:\n";
    assert_eq!(String::from_utf8(print(&file(text))).expect("text"), printed);
}

#[test]
fn the_number_of_diagnostics_of_a_file_is_limited() {
    let text = "what is this\n".repeat(5000);
    let file = file(&text);
    assert_eq!(file.problems.len(), 201);
    assert!(file.problems[200].message.contains("too many problems"));
    assert_eq!(file.statements.len(), 5000);
}

#[test]
fn many_maps_take_no_more_memory_than_their_file() {
    let text = "NAME: a\n: x()\n".repeat(20_000);
    let file = file(&text);
    let code: usize = file.maps.iter().map(|map| map.body.code.len()).sum();
    assert!(code < text.len(), "{code} bytes of code");
}

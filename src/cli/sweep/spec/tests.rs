//! Tests with a valid specification, and with mistakes whose places are checked.

use super::*;

const SPEC: &str = r#"
# A comment.
preset = "weave"
seeds = "3..8"
metrics = ["path", "dead-ends"]
change = ["StepLength -> 4 in 0"]

[vary]
MaxAge = [4, 8]
"CorridorWidth in 1-3" = "2..=6 step 2"
"dimX, dimY" = ["* 0.5", "+ 3"]
"width in room 1" = { name = "hall", values = ["1..3", 9] }

[sample]
latin_hypercube = 12
seed = 7
"#;

fn read_text(text: &str) -> Result<Spec, Vec<Diagnostic>> {
    read(&Text::new("s.toml", text))
}

#[test]
fn a_specification_is_read() {
    let spec = read_text(SPEC).unwrap();
    assert_eq!(spec.origin.value, Origin::Preset("weave".into()));
    assert_eq!((spec.seeds.len(), spec.seeds.nth(0)), (5, 3));
    assert_eq!(spec.change[0].value.to_string(), "StepLength -> 4 in 0");
    let names: Vec<&str> = spec.factors.iter().map(|factor| factor.name.as_str()).collect();
    assert_eq!(names, ["max_age", "corridor_width_1_3", "dim_x_dim_y", "hall"]);
    let levels =
        |at: usize| -> Vec<String> { spec.factors[at].factor.levels.iter().map(ToString::to_string).collect() };
    assert_eq!(levels(0), ["-> 4", "-> 8"]);
    assert_eq!(levels(1), ["-> 2", "-> 4", "-> 6"]);
    assert_eq!(levels(2), ["* 0.5", "+ 3"]);
    assert_eq!(levels(3), ["-> 1", "-> 2", "-> 9"]);
    assert_eq!(&SPEC[spec.factors[1].span.clone()], "CorridorWidth in 1-3");
    assert_eq!(&SPEC[spec.factors[3].levels[2].clone()], "9");
    assert_eq!(spec.sample, Some(SampleSize { designs: 12, seed: 7 }));
    let short = read_text("design = \"a.toml\"\nvary.MaxAge = 3").unwrap();
    assert_eq!((short.seeds.len(), short.sample, short.metrics.len()), (100, None, 0));
}

#[test]
fn a_hexadecimal_number_of_seeds_is_not_read_as_decimal() {
    let spec = read_text("preset = \"weave\"\nseeds = 0x10\nvary.MaxAge = 3").unwrap();
    assert_eq!(spec.seeds.len(), 16);
    let negative = read_text("preset = \"weave\"\nseeds = -5\nvary.MaxAge = 3").unwrap_err();
    assert!(negative[0].help.contains("write the seeds"), "{negative:?}");
}

/// Text of the valid specification, its incorrect replacement, and the expected place (line, column, text), message and
/// advice of the error. Message and advice are compared in part.
type Mistake = (
    &'static str,
    &'static str,
    (u32, u32, &'static str),
    &'static str,
    &'static str,
);

const MISTAKES: &[Mistake] = &[
    (
        "preset = \"weave\"",
        "",
        (1, 1, ""),
        "the design is missing",
        "write `preset",
    ),
    (
        "\"weave\"",
        "\"weeve\"",
        (3, 10, "\"weeve\""),
        "no preset `weeve`",
        "did you mean `weave`?",
    ),
    (
        "seeds",
        "seed",
        (4, 1, "seed"),
        "unknown key `seed`",
        "did you mean `seeds`?",
    ),
    (
        "\"3..8\"",
        "\"8..3\"",
        (4, 9, "\"8..3\""),
        "contains no seed",
        "write the seeds",
    ),
    (
        "StepLength",
        "StepLenght",
        (6, 12, "StepLenght"),
        "unknown parameter",
        "did you mean `StepLength`?",
    ),
    (
        "MaxAge =",
        "MaxAgee =",
        (9, 1, "MaxAgee"),
        "unknown parameter `MaxAgee`",
        "did you mean `MaxAge`?",
    ),
    ("[4, 8]", "[4, \"x\"]", (9, 15, "x"), "unexpected `x`", "write ->"),
    ("[4, 8]", "[4, 8.5]", (9, 14, "8.5"), "this is not a value", "\"* 1.5\""),
    ("[4, 8]", "[]", (9, 10, "[]"), "the list is empty", "at least one"),
    (
        "in 1-3",
        "in 1-33",
        (10, 19, "1-33"),
        "`33` is not a generation",
        "use 0 to 9",
    ),
    (
        "step 2",
        "step 0",
        (10, 26, "\"2..=6 step 0\""),
        "the step is 0",
        "at least 1",
    ),
    (
        "2..=6 ",
        "6..=2 ",
        (10, 26, "\"6..=2 step 2\""),
        "is empty",
        "lower number first",
    ),
    ("* 0.5", "* a", (11, 20, "a"), "`a` is not a number", ""),
    (
        "name =",
        "nmae =",
        (12, 23, "nmae"),
        "unknown key `nmae`",
        "did you mean `name`?",
    ),
    (
        "\"hall\"",
        "\"max_age\"",
        (12, 2, "width in room 1"),
        "two columns",
        "give one of the two a name",
    ),
    (
        "latin_hypercube = 12",
        "latin_hypercube = 0",
        (15, 19, "0"),
        "not a number of designs",
        "from 1",
    ),
    ("[vary]", "[vary", (8, 6, ""), "this is not TOML", "fix the syntax"),
];

#[test]
fn an_error_names_its_place_and_what_to_do() {
    for (from, to, place, message, help) in MISTAKES {
        let text = SPEC.replacen(from, to, 1);
        assert_ne!(text, SPEC, "{from}");
        let found = read_text(&text).expect_err(to);
        let source = found[0].source.as_ref().expect("a place");
        assert_eq!(
            (source.line, source.column, source.text.as_str()),
            *place,
            "{to}: {found:?}"
        );
        assert!(found[0].message.contains(message), "{to}: {}", found[0].message);
        assert!(found[0].help.contains(help), "{to}: {}", found[0].help);
    }
    let nothing = read_text("preset = \"weave\"").unwrap_err();
    assert_eq!(nothing[0].message, "nothing varies");
}

//! The README and the guide for the stories: the sentences of both, and the chapters that contain them.

const README: &str = include_str!("../../README.md");
const DESIGNER: &str = include_str!("../../assets/guide/designer.md");

/// A story and its name in the guide: the bold words at the head of a step or paragraph.
pub(crate) type Chapter = (&'static str, fn());

/// Returns a text without its markup, with single spaces.
fn plain(text: &str) -> String {
    let mut plain = text.replace("**", "").replace(['*', '`'], "");
    for tag in ["<kbd>", "</kbd>"] {
        plain = plain.replace(tag, "");
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Requires that the README or the designer's page of the guide contains a sentence that a story drives.
pub(crate) fn says(words: &str) {
    assert!(
        [README, DESIGNER].into_iter().any(|page| plain(page).contains(words)),
        "neither the README nor the guide says “{words}”: correct the story or the page"
    );
}

/// Returns the bold words at the heads of a chapter's lines.
fn heads(chapter: &str) -> Vec<&'static str> {
    let from = DESIGNER.find(chapter).expect("the page has the chapter") + chapter.len();
    let rest = &DESIGNER[from..];
    let chapter = rest.find("\n## ").map_or(rest, |end| &rest[..end]);
    chapter
        .lines()
        .filter_map(|line| {
            let line = line
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .trim_start_matches(". ");
            Some(line.strip_prefix("**")?.split_once("**")?.0)
        })
        .collect()
}

fn names(stories: &[Chapter]) -> Vec<&'static str> {
    let mut names: Vec<&str> = stories.iter().map(|(head, _)| *head).collect();
    names.dedup();
    names
}

#[test]
fn each_step_and_paragraph_has_its_story() {
    assert_eq!(
        heads("## The first five minutes\n"),
        names(&crate::first_minutes::STORIES)
    );
    assert_eq!(
        heads("## From nothing to a design\n"),
        names(&crate::designer::NEW_STORIES)
    );
    assert_eq!(
        heads("## The parts of the designer\n"),
        names(&crate::designer::STORIES)
    );
}

#[test]
fn a_sentence_that_is_on_neither_page_is_noticed() {
    says("Roll again. R grows a dungeon from another seed.");
    let other = std::panic::catch_unwind(|| says("R sells a dungeon to another seed."));
    assert!(other.is_err());
}

//! The README as the stories see it: what it says, and the chapters in which it says it.

const README: &str = include_str!("../../README.md");

/// A story and what it is called in the README: the bold words at the head of a step or paragraph.
pub(crate) type Chapter = (&'static str, fn());

/// A text without its markup, with single spaces.
fn plain(text: &str) -> String {
    let mut plain = text.replace("**", "").replace(['*', '`'], "");
    for tag in ["<kbd>", "</kbd>"] {
        plain = plain.replace(tag, "");
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Demands that the README says something: a story that drives it would else tell of another program.
pub(crate) fn says(words: &str) {
    assert!(
        plain(README).contains(words),
        "the README does not say “{words}”: mend the story or the README"
    );
}

/// The bold words at the heads of a chapter's lines.
fn heads(chapter: &str) -> Vec<&'static str> {
    let from = README.find(chapter).expect("the chapter is there") + chapter.len();
    let rest = &README[from..];
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

fn told(stories: &[Chapter]) -> Vec<&'static str> {
    let mut told: Vec<&str> = stories.iter().map(|(head, _)| *head).collect();
    told.dedup();
    told
}

#[test]
fn each_step_and_paragraph_has_its_story() {
    assert_eq!(
        heads("## The first five minutes\n"),
        told(&crate::first_minutes::STORIES)
    );
    assert_eq!(heads("## In the designer\n"), told(&crate::designer::STORIES));
}

#[test]
fn what_the_readme_does_not_say_is_noticed() {
    says("Roll again. R draws another seed.");
    let other = std::panic::catch_unwind(|| says("R sells another seed."));
    assert!(other.is_err());
}

//! Any bytes as a level file: read, printed and read again; then every header of its maps is applied to the map,
//! whether or not its scripts would reach it.
//!
//! Scripts are not run here: their sandbox has tests of its own.

#![no_main]

use libfuzzer_sys::fuzz_target;
use wallcrawler::engine::random::Key;
use wallcrawler::vault::dice::Dice;
use wallcrawler::vault::map::{MapState, Origin};
use wallcrawler::vault::source::{self, MapSource};
use wallcrawler::vault::spec::SubvaultSpec;

fuzz_target!(|bytes: &[u8]| {
    let file = source::read("f", bytes);
    for problem in &file.problems {
        assert!(!problem.message.is_empty());
        let source = problem.source.as_ref().expect("a problem of a file has a place in it");
        assert!(source.line > 0 && source.column > 0, "{problem}");
    }
    let again = source::read("f", &source::print(&file));
    assert!(file.same_content(&again), "the printed text is read differently");
    file.maps.iter().take(20).for_each(act);
});

fn act(source: &MapSource) {
    let mut map = MapState::new(&source.name);
    let mut dice = Dice::new(Key::new(1));
    source.rows.iter().for_each(|row| map.add_row(row));
    map.pad();
    for header in &source.headers {
        let keyword = header.keyword.call();
        let _refused = match keyword {
            "marker" => map.marker(&header.value).err(),
            "subvault" => SubvaultSpec::parse(&header.value).err(),
            name => map.header(name, &header.value, &mut dice).and_then(Result::err),
        };
    }
    let spaces = |map: &MapState| map.glyphs.find(b' ').count();
    let before = spaces(&map);
    map.random_turns(&mut dice);
    assert_eq!(spaces(&map), before);
    let done = map.finish(Origin::default(), &mut dice);
    assert_eq!(done.cells.iter().filter(|cell| cell.is_none()).count(), before);
}

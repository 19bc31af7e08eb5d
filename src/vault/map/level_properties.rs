//! Properties of the whole level that a map sets: flags, names and rates that only the game applies.

use super::MapState;

/// Name of the property that contains the flags of the level.
pub const LEVEL_FLAGS: &str = "level_flags";
/// Name of the property that contains the flags of the branch.
pub const BRANCH_FLAGS: &str = "branch_flags";

impl MapState {
    /// Sets a property of the level, replacing an earlier value; an empty value removes the property.
    pub fn set_level_property(&mut self, name: &str, value: &str) {
        self.level_properties.retain(|(other, _)| other != name);
        if !value.is_empty() {
            self.level_properties.push((name.to_owned(), value.to_owned()));
        }
    }

    /// Adds the flags in `changes` to a property; a flag with a leading `!` is removed instead. Returns whether the
    /// property changed.
    pub fn change_flags(&mut self, name: &str, changes: &str) -> bool {
        let own = self.level_properties.iter().find(|(other, _)| other == name);
        let before: Vec<String> = own.map_or_else(Vec::new, |(_, flags)| words(flags));
        let mut flags = before.clone();
        for change in words(changes) {
            let flag = change.trim_start_matches('!');
            if flag != change {
                flags.retain(|other| other != flag);
            } else if !flags.contains(&change) {
                flags.push(change);
            }
        }
        self.set_level_property(name, &flags.join(" "));
        flags != before
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_added_once_and_removed() {
        let mut state = MapState::new("a");
        assert!(state.change_flags(LEVEL_FLAGS, "no_tele_control not_mappable"));
        for flag in ["not_mappable", "no_tele_control"] {
            assert!(!state.change_flags(LEVEL_FLAGS, flag), "already there");
        }
        assert!(state.change_flags(LEVEL_FLAGS, "!no_tele_control no_maprot"));
        let flags = (LEVEL_FLAGS.to_owned(), "not_mappable no_maprot".to_owned());
        assert_eq!(state.level_properties, [flags]);
        assert!(state.change_flags(LEVEL_FLAGS, "!not_mappable !no_maprot"));
        state.set_level_property("level_name_abbrev", "IceCv");
        state.set_level_property("level_name_abbrev", "Ice");
        assert_eq!(
            state.level_properties,
            [("level_name_abbrev".to_owned(), "Ice".to_owned())]
        );
    }
}

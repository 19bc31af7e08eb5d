//! Parsing of typed parameter bounds.

use crate::analysis::tune::TunedParameter;
use crate::design::Design;

/// Parses bounds such as `5-40`, `5 to 40` or `5..40`.
///
/// The bounds must be two numbers within the parameter's range, the smaller first, and must include the parameter's
/// current value. Otherwise, returns an error message.
pub(super) fn bounds(text: &str, one: TunedParameter, design: &Design) -> Result<TunedParameter, String> {
    let info = one.parameter.info();
    let two = ["..", " to ", "-", "–"]
        .iter()
        .find_map(|between| text.split_once(between));
    let is_number = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let two = two.map(|(least, most)| (least.trim(), most.trim()));
    let Some((least, most)) = two.filter(|(least, most)| is_number(least) && is_number(most)) else {
        return Err(format!("type two numbers, such as {}-{}", one.least, one.most));
    };
    let read = |number: &str| {
        number
            .parse::<i32>()
            .ok()
            .filter(|number| info.range().contains(number))
    };
    let (Some(least), Some(most)) = (read(least), read(most)) else {
        return Err(format!("{} must be {} to {}", info.name, info.min, info.max));
    };
    let now = design.get(one.entry, one.parameter).unwrap_or(least);
    if least >= most {
        return Err("the first bound must be the smaller one".into());
    }
    if !(least..=most).contains(&now) {
        return Err(format!("{} is {now} now: the bounds must include it", info.name));
    }
    Ok(TunedParameter { least, most, ..one })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Entry, Stat};

    #[test]
    fn bounds_are_two_numbers_of_the_range_around_the_current_value() {
        let design = Design::default();
        let one = TunedParameter::around(&design, Entry::Generation(0), Stat::MaxAge).unwrap();
        let read = |text: &str| bounds(text, one, &design).map(|one| (one.least, one.most));
        assert_eq!(read("5-40"), Ok((5, 40)));
        assert_eq!(read(" 5 to 40"), Ok((5, 40)));
        assert_eq!(read("5..40"), Ok((5, 40)));
        for wrong in ["5", "5x40", "-5-40", "1.5-40", "5-40x", "5 40", ""] {
            assert!(read(wrong).unwrap_err().contains("two numbers"), "{wrong}");
        }
        assert!(read("40-5").unwrap_err().contains("smaller"));
        assert!(read("50-60").unwrap_err().contains("MaxAge is 10 now"));
        assert!(read("0-99999999999").unwrap_err().contains("MaxAge must be 0 to"));
    }
}

//! Named values as the members of JSON objects and the cells of CSV rows.

use serde_json::Value;

use super::output::Output;
use super::rows::joined;

/// The named values of a CSV row, in the order of the columns, or of a JSON object.
pub(super) type Members = Vec<(&'static str, Value)>;

/// Returns a JSON object with these members.
pub(super) fn object(members: Members) -> Value {
    let members = members.into_iter().map(|(name, value)| (name.to_owned(), value));
    Value::Object(members.collect())
}

/// Formats a value as a cell of a CSV row; a null value becomes an empty cell.
pub(super) fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Prints CSV: a header with the names of the first item's members, and a row for each item.
pub(super) fn print_csv(rows: impl IntoIterator<Item = Members>, output: &mut Output) {
    for (at, members) in rows.into_iter().enumerate() {
        if at == 0 {
            output.line(&joined(members.iter().map(|(name, _)| (*name).to_owned())));
        }
        output.line(&joined(members.iter().map(|(_, value)| cell(value))));
        if output.is_closed() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_missing_value_is_an_empty_cell_and_a_text_has_no_quotes() {
        let cells = [json!(null), json!("a \"b\""), json!(0.5), json!(true)].map(|value| cell(&value));
        assert_eq!(cells, ["", "a \"b\"", "0.5", "true"]);
        let object = object(vec![("name", json!("path")), ("p", json!(null))]);
        assert_eq!(object, json!({"name": "path", "p": null}));
    }
}

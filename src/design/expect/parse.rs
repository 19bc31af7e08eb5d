//! Parses expectations and expressions. Parsing stops at the first error and returns it with its position in the text.

use std::ops::Range;

use super::metric::{AreaIndex, AreaPredicate, Metric, all_metrics};
use super::{Aggregate, Expectation, ExpectationError, Expression, Operator, PlaceName};
use crate::design::List;
use crate::text::did_you_mean;

/// Maximum nesting depth of parentheses, `-`, `not` and aggregates; deeper nesting is an error.
const DEEPEST: usize = 60;

/// Maximum number of tokens in an expression; a longer expression is an error. Each operator in a chain such as
/// `a + b + c` adds a level to the tree, and the recursive functions over the tree must not exhaust the stack.
const MOST_TOKENS: usize = 2_000;

/// Parses an expectation such as `path >= 180 in 95%`.
///
/// # Errors
/// Returns the first error, with its position in the text.
pub fn parse(text: &str) -> Result<Expectation, ExpectationError> {
    let mut parser = Parser::new(text)?;
    let condition = parser.truth()?;
    let mut share = None;
    if parser.takes("in") {
        let (token, span) = parser.next();
        let Token::Number(number) = token else {
            return Err(wrong(span, "a percentage is missing", "write `in 95%`"));
        };
        if !parser.takes("%") {
            return Err(wrong(parser.peek().1, "`%` is missing", "write `in 95%`"));
        }
        if !(number > 0.0 && number <= 100.0) {
            return Err(wrong(
                span,
                "this is not a share of the seeds",
                "write a number above 0 and up to 100",
            ));
        }
        if !condition.is_of_one() {
            let help = "remove either `in … %`, or the aggregates such as `median`";
            return Err(wrong(
                span,
                "a condition on all seeds together cannot hold for a share of them",
                help,
            ));
        }
        share = Some(number / 100.0);
    }
    parser.end(match share {
        Some(_) => "end the expectation here; write the rest of the condition before `in`",
        None => "end the expectation here, or continue with `and`, `or` or `in 95%`",
    })?;
    Ok(Expectation { condition, share })
}

/// Parses a condition on one dungeon. It may contain neither aggregates nor a share of seeds.
///
/// # Errors
/// Returns the first error, with its position in the text.
pub fn parse_condition(text: &str) -> Result<Expression, ExpectationError> {
    let mut parser = Parser::new(text)?;
    parser.of_one = true;
    let condition = parser.truth()?;
    parser.end("end the condition here, or continue with `and` or `or`")?;
    Ok(condition)
}

/// Parses a numeric expression over the metrics of one dungeon, without aggregates.
///
/// # Errors
/// Returns the first error, with its position in the text.
pub fn parse_value(text: &str) -> Result<Expression, ExpectationError> {
    let mut parser = Parser::new(text)?;
    parser.of_one = true;
    let begin = parser.peek().1.start;
    let (value, is_truth) = parser.value()?;
    parser.end("end the value here")?;
    if is_truth {
        let help = "write a number such as `path` or `-dead-ends`";
        return Err(wrong(begin..text.len(), "this is true or false, not a number", help));
    }
    Ok(value)
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Token<'t> {
    Number(f64),
    Word(&'t str),
    Sign(&'static str),
    End,
}

fn wrong(span: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> ExpectationError {
    ExpectationError {
        span,
        message: message.into(),
        help: help.into(),
    }
}

/// The symbols that may occur in an expression, such as operators and parentheses. `<=` comes before `<` in this list,
/// so that the longest symbol is found.
const SIGNS: [&str; 17] = [
    "<=", ">=", "==", "!=", "..", "<", ">", "=", "(", ")", "+", "-", "*", "/", "%", "≤", "≥",
];

fn tokens(text: &str) -> Result<Vec<(Token<'_>, Range<usize>)>, ExpectationError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (token, length) = if wants_place(&tokens) && (c.is_alphanumeric() || c == '"') {
            let (name, length) = place(rest);
            (Token::Word(name), length)
        } else if c.is_ascii_alphabetic() {
            let length = word(rest);
            (Token::Word(&rest[..length]), length)
        } else if c.is_ascii_digit() {
            let length = number(rest);
            let number = rest[..length].replace('_', "").parse();
            let number =
                number.map_err(|_| wrong(at..at + length, "this is not a number", "write a number such as 0.35"))?;
            (Token::Number(number), length)
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            let meant = match sign {
                "≤" => "<=",
                "≥" => ">=",
                "=" => "==",
                other => other,
            };
            (Token::Sign(meant), sign.len())
        } else {
            let help = "a condition consists of metrics, numbers, the words `and`, `or`, `not` and `in`, and the signs \
                        < <= > >= == != + - * / % .. ( )";
            return Err(wrong(at..at + c.len_utf8(), "this is not allowed here", help));
        };
        tokens.push((token, at..at + length));
        at += length;
    }
    tokens.push((Token::End, text.len()..text.len()));
    Ok(tokens)
}

/// Returns whether the next token must be the name of a place: the tokens end with `reaches` or `path to`.
fn wants_place(tokens: &[(Token<'_>, Range<usize>)]) -> bool {
    let is = |token: Option<&(Token<'_>, Range<usize>)>, name: &str| matches!(token, Some((Token::Word(word), _)) if word.eq_ignore_ascii_case(name));
    let mut last = tokens.iter().rev();
    let (last, before) = (last.next(), last.next());
    is(last, "reaches") || is(last, "to") && is(before, "path")
}

/// Returns the name of a place at the start of a text, without its quotes if it has any, and the number of bytes to
/// consume, including the quotes.
fn place(text: &str) -> (&str, usize) {
    if let Some(quoted) = text.strip_prefix('"')
        && let Some((name, _)) = quoted.split_once('"')
    {
        return (name, name.len() + 2);
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len()).max(1);
    (&text[..end], end)
}

/// Returns the length of the word at the start of a text, in bytes. A hyphen or underscore belongs to the word if a
/// letter follows.
fn word(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_letter = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_alphabetic);
    let is_part = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_alphanumeric);
    let goes_on = |i: usize| is_part(i) || matches!(bytes.get(i), Some(b'-' | b'_')) && is_letter(i + 1);
    (1..bytes.len()).find(|&i| !goes_on(i)).unwrap_or(bytes.len())
}

/// Returns the length of the number at the start of a text, in bytes. The number ends before `..`, which separates the
/// ends of a range.
fn number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_digit = |i: usize| bytes.get(i).is_some_and(|b| b.is_ascii_digit() || *b == b'_');
    let mut end = 1;
    while is_digit(end) {
        end += 1;
    }
    if bytes.get(end) == Some(&b'.') && is_digit(end + 1) {
        end += 1;
        while is_digit(end) {
            end += 1;
        }
    }
    end
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<(Token<'t>, Range<usize>)>,
    at: usize,
    depth: usize,
    /// Whether the expression is about one dungeon; if so, aggregates are errors.
    of_one: bool,
}

/// An expression, and whether it is a boolean rather than a number.
type Typed = (Expression, bool);

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Result<Self, ExpectationError> {
        let tokens = tokens(text)?;
        if tokens.len() == 1 {
            let help = "write a condition such as `path >= 180`";
            return Err(wrong(0..text.len(), "the condition is empty", help));
        }
        // The last token is the end.
        if tokens.len() > MOST_TOKENS + 1 {
            let span = tokens[MOST_TOKENS].1.start..text.len();
            let help = "split it into several conditions";
            return Err(wrong(span, "the condition is too long", help));
        }
        Ok(Self {
            text,
            tokens,
            at: 0,
            depth: 0,
            of_one: false,
        })
    }

    fn peek(&self) -> (Token<'t>, Range<usize>) {
        self.tokens[self.at].clone()
    }

    fn next(&mut self) -> (Token<'t>, Range<usize>) {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// Consumes the next token if it is the word or sign `what`. Returns whether it was consumed.
    fn takes(&mut self, what: &str) -> bool {
        let is_it = match self.peek().0 {
            Token::Word(word) => word.eq_ignore_ascii_case(what),
            Token::Sign(sign) => sign == what,
            _ => false,
        };
        if is_it {
            self.next();
        }
        is_it
    }

    fn end(&self, help: &str) -> Result<(), ExpectationError> {
        let (token, span) = self.peek();
        if token == Token::End {
            return Ok(());
        }
        Err(wrong(span, "this does not belong here", help))
    }

    fn truth(&mut self) -> Result<Expression, ExpectationError> {
        let begin = self.peek().1.start;
        let (condition, is_truth) = self.condition()?;
        self.must(is_truth, true, begin)?;
        Ok(condition)
    }

    /// Checks the type of the operand that starts at byte `begin`: it must be a boolean if `wanted` is true, otherwise
    /// a number.
    fn must(&self, is_truth: bool, wanted: bool, begin: usize) -> Result<(), ExpectationError> {
        if is_truth == wanted {
            return Ok(());
        }
        let span = begin..self.tokens[self.at.max(1) - 1].1.end;
        Err(if wanted {
            wrong(span, "a number is not a condition", "compare it: `path >= 180`")
        } else {
            wrong(
                span,
                "this is true or false, not a number",
                "compare only numbers; join conditions with `and` and `or`",
            )
        })
    }

    fn condition(&mut self) -> Result<Typed, ExpectationError> {
        self.joined(Self::both, &[("or", Operator::Or)], true)
    }

    fn both(&mut self) -> Result<Typed, ExpectationError> {
        self.joined(Self::one, &[("and", Operator::And)], true)
    }

    /// Parses operands that are joined by any of `operators`, with left associativity. `truths` says whether the
    /// operands must be booleans or numbers; the result has the type of the operands.
    fn joined(
        &mut self,
        operand: impl Fn(&mut Self) -> Result<Typed, ExpectationError>,
        operators: &[(&str, Operator)],
        truths: bool,
    ) -> Result<Typed, ExpectationError> {
        let mut begin = self.peek().1.start;
        let mut left = operand(self)?;
        while let Some(&(_, operator)) = operators.iter().find(|(word, _)| self.takes(word)) {
            self.at -= 1;
            self.must(left.1, truths, begin)?;
            self.at += 1;
            begin = self.peek().1.start;
            let right = operand(self)?;
            self.must(right.1, truths, begin)?;
            left = (Expression::Two(operator, Box::new([left.0, right.0])), truths);
        }
        Ok(left)
    }

    fn one(&mut self) -> Result<Typed, ExpectationError> {
        if self.takes("not") {
            let begin = self.peek().1.start;
            let (inner, is_truth) = self.deeper(Self::one)?;
            self.must(is_truth, true, begin)?;
            return Ok((Expression::Not(Box::new(inner)), true));
        }
        let first = self.peek().1.start;
        let left = self.value()?;
        let sign = self.peek().1;
        let Some(operator) = self.comparison() else {
            // After a number, `in` begins a range; after a condition, it begins a share of seeds, which is parsed
            // later.
            if !left.1 && self.takes("in") {
                return self.within(left.0);
            }
            return Ok(left);
        };
        self.at -= 1;
        self.must(left.1, false, first)?;
        self.at += 1;
        let begin = self.peek().1.start;
        let right = self.value()?;
        self.must(right.1, false, begin)?;
        let span = self.peek().1;
        if let Some(second) = self.comparison() {
            let help = self.unchained([first, begin], [sign, span.clone()], [operator, second]);
            return Err(wrong(span, "comparisons cannot be chained", help));
        }
        Ok((Expression::Two(operator, Box::new([left.0, right.0])), true))
    }

    /// Returns advice for a chain such as `180 <= path < 250`, whose last operand is parsed next. `starts` contains the
    /// bytes at which the first two operands begin, `signs` the spans of the operators.
    fn unchained(&mut self, starts: [usize; 2], signs: [Range<usize>; 2], operators: [Operator; 2]) -> String {
        let begin = self.peek().1.start;
        let Ok((_, false)) = self.value() else {
            return "write `180 <= path and path < 250`".to_owned();
        };
        let text = |span: Range<usize>| self.text[span].trim();
        let last = text(begin..self.tokens[self.at.max(1) - 1].1.end);
        let first = text(starts[0]..signs[0].start);
        let middle = text(starts[1]..signs[1].start);
        let [sign, second] = signs.map(text);
        let comparisons = format!("`{first} {sign} {middle} and {middle} {second} {last}`");
        let [low, high] = match operators {
            [Operator::AtMost, Operator::AtMost] => [first, last],
            [Operator::AtLeast, Operator::AtLeast] => [last, first],
            _ => return format!("write {comparisons}"),
        };
        format!("write `{middle} in {low}..{high}` or {comparisons}")
    }

    /// Parses the range of `path in 120..300`, both ends included.
    fn within(&mut self, value: Expression) -> Result<Typed, ExpectationError> {
        let end = |parser: &mut Self| {
            let begin = parser.peek().1.start;
            let (end, is_truth) = parser.value()?;
            parser.must(is_truth, false, begin)?;
            Ok(end)
        };
        let least = end(self)?;
        if !self.takes("..") {
            let help = "write a range such as `path in 120..300`, or a condition before `in 95%`";
            return Err(wrong(self.peek().1, "`..` is missing", help));
        }
        let most = end(self)?;
        let compare = |operator, value, end| Expression::Two(operator, Box::new([value, end]));
        let both = [
            compare(Operator::AtLeast, value.clone(), least),
            compare(Operator::AtMost, value, most),
        ];
        Ok((Expression::Two(Operator::And, Box::new(both)), true))
    }

    fn comparison(&mut self) -> Option<Operator> {
        let operators = [
            ("<", Operator::Less),
            ("<=", Operator::AtMost),
            (">", Operator::More),
            (">=", Operator::AtLeast),
            ("==", Operator::Equal),
            ("!=", Operator::Differs),
        ];
        operators
            .into_iter()
            .find(|(sign, _)| self.takes(sign))
            .map(|(_, operator)| operator)
    }

    fn value(&mut self) -> Result<Typed, ExpectationError> {
        let operators = [("+", Operator::Add), ("-", Operator::Subtract)];
        self.joined(Self::term, &operators, false)
    }

    fn term(&mut self) -> Result<Typed, ExpectationError> {
        let operators = [("*", Operator::Times), ("/", Operator::Divide)];
        self.joined(Self::factor, &operators, false)
    }

    fn deeper(
        &mut self,
        inner: impl Fn(&mut Self) -> Result<Typed, ExpectationError>,
    ) -> Result<Typed, ExpectationError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(wrong(
                self.peek().1,
                "the condition is nested too deeply",
                "split it into several conditions",
            ));
        }
        let read = inner(self)?;
        self.depth -= 1;
        Ok(read)
    }

    fn factor(&mut self) -> Result<Typed, ExpectationError> {
        let (token, span) = self.next();
        match token {
            Token::Number(number) => {
                let number = if self.takes("%") { number / 100.0 } else { number };
                Ok((Expression::Number(number), false))
            }
            Token::Sign("-") => {
                let (inner, is_truth) = self.deeper(Self::factor)?;
                self.must(is_truth, false, span.end)?;
                Ok((Expression::Minus(Box::new(inner)), false))
            }
            Token::Sign("(") => {
                let inner = self.deeper(Self::condition)?;
                if !self.takes(")") {
                    return Err(wrong(self.peek().1, "`)` is missing", "close the parenthesis"));
                }
                Ok(inner)
            }
            Token::Word(word) => match over(word) {
                Some(over) => self.over(over, word, span),
                None => self.metric(word, span),
            },
            _ => Err(wrong(
                span,
                "a metric or a number is missing",
                "write one, such as `path` or 180; see `wallcrawler survey --help` for all metrics",
            )),
        }
    }

    fn over(&mut self, over: Aggregate, word: &str, span: Range<usize>) -> Result<Typed, ExpectationError> {
        if self.of_one {
            let message = format!("`{word}` is about many dungeons, but this expression is about one");
            return Err(wrong(span, message, "remove it"));
        }
        let begin = self.peek().1.start;
        let (inner, is_truth) = self.deeper(Self::factor)?;
        self.must(is_truth, false, begin)?;
        if !inner.is_of_one() {
            let help = format!("write `{word} path`");
            return Err(wrong(
                begin..self.peek().1.start,
                "this is already about all seeds",
                help,
            ));
        }
        let mut twice = false;
        inner.metrics(&mut |_, over| twice |= over);
        if twice {
            return Err(wrong(
                span,
                "aggregates such as `median` cannot be nested",
                "remove one of them",
            ));
        }
        Ok((Expression::Over(over, Box::new(inner)), false))
    }

    fn metric(&mut self, word: &str, span: Range<usize>) -> Result<Typed, ExpectationError> {
        // Accept underscores, as in `dead_ends`: tables use them in column names because SQL does not allow hyphens.
        let name = word.to_ascii_lowercase().replace('_', "-");
        let metric = if let Some(predicate) = area_predicate(&name) {
            Metric::Area(predicate, self.area(word)?)
        } else if name == "share" {
            self.share()?
        } else if name == "reaches" {
            Metric::Reaches(self.place()?)
        } else if name == "path" && self.takes("to") {
            Metric::PathTo(self.place()?)
        } else {
            let Some(info) = all_metrics().find(|info| info.name == name) else {
                return Err(wrong(span, "unknown metric", known(&name)));
            };
            Metric::Plain(info.metric)
        };
        Ok((Expression::Metric(metric), metric.is_truth()))
    }

    fn area(&mut self, verb: &str) -> Result<AreaIndex, ExpectationError> {
        let help = format!("write `{verb} room 1` or `{verb} vault 1`");
        let (token, span) = self.next();
        let make = match token {
            Token::Word(word) if word.eq_ignore_ascii_case("room") => AreaIndex::Room,
            Token::Word(word) if word.eq_ignore_ascii_case("vault") => AreaIndex::Vault,
            _ => return Err(wrong(span, "`room` or `vault` is missing", help)),
        };
        let (number, span) = self.whole(&help)?;
        let Some(index) = number.checked_sub(1) else {
            return Err(wrong(span, "numbers start at 1", help));
        };
        Ok(make(index as usize))
    }

    fn place(&mut self) -> Result<PlaceName, ExpectationError> {
        let (token, span) = self.next();
        let Token::Word(word) = token else {
            let help = "write `reaches boss` or `path to boss >= 80`";
            return Err(wrong(span, "the name of a place is missing", help));
        };
        PlaceName::new(word).ok_or_else(|| {
            let help = "a name consists of letters, digits and hyphens, begins with a letter and has at most 32 bytes";
            wrong(span, "this cannot be the name of a place", help)
        })
    }

    fn share(&mut self) -> Result<Metric, ExpectationError> {
        let help = "write `share(generation 3)` or `share(width 2..4)`";
        let bracket = |parser: &mut Self, sign: &str| {
            let found = parser.takes(sign);
            let missing = || wrong(parser.peek().1, format!("`{sign}` is missing"), help);
            found.then_some(()).ok_or_else(missing)
        };
        bracket(self, "(")?;
        let metric = if self.takes("generation") {
            Metric::Generation(self.whole(help)?.0)
        } else if self.takes("width") {
            let least = self.whole(help)?.0;
            let most = match self.takes("..") {
                false => least,
                true if self.peek().0 == Token::Sign(")") => u32::MAX,
                true => self.whole(help)?.0,
            };
            Metric::Widths(least, most)
        } else {
            return Err(wrong(self.peek().1, "`generation` or `width` is missing", help));
        };
        bracket(self, ")")?;
        Ok(metric)
    }

    fn whole(&mut self, help: &str) -> Result<(u32, Range<usize>), ExpectationError> {
        let (token, span) = self.next();
        match token {
            Token::Number(number) if number.fract() == 0.0 && number <= f64::from(u32::MAX) => {
                Ok((number as u32, span))
            }
            _ => Err(wrong(span, "a whole number is missing", help)),
        }
    }
}

/// Returns the byte range of the room, vault or place that a metric names, at the first occurrence of the metric in the
/// text of a valid expression. Returns the range of the whole text if the metric does not occur.
pub(super) fn named_in(text: &str, metric: Metric) -> Range<usize> {
    let find = || {
        let mut parser = Parser::new(text).ok()?;
        loop {
            let (token, span) = parser.next();
            match token {
                Token::End => return None,
                Token::Word(word) if matches!(parser.metric(word, span), Ok((Expression::Metric(m), _)) if m == metric) =>
                {
                    // A room or vault consists of two tokens, a place of one.
                    let count = if matches!(metric, Metric::Area(..)) { 2 } else { 1 };
                    let named = &parser.tokens[parser.at - count..parser.at];
                    return Some(named[0].1.start..named[count - 1].1.end);
                }
                _ => {}
            }
        }
    };
    find().unwrap_or(0..text.len())
}

/// Returns the predicate with this name, which must be in lower case.
fn area_predicate(name: &str) -> Option<AreaPredicate> {
    match name {
        "crosses" => Some(AreaPredicate::Crosses),
        "needs" => Some(AreaPredicate::Needs),
        "severs" => Some(AreaPredicate::Severs),
        _ => None,
    }
}

/// Returns the text of an expectation after renumbering the rooms and vaults in it. `new` receives the list that a
/// predicate refers to and the index in this list, from 0, and returns the new index. The rest of the text stays
/// unchanged. A text with characters that no expectation may contain is returned unchanged.
pub(in crate::design) fn renumbered(text: &str, mut new: impl FnMut(List, usize) -> usize) -> String {
    let tokens = tokens(text).unwrap_or_default();
    let mut out = String::new();
    let mut end = 0;
    for three in tokens.windows(3) {
        let [
            (Token::Word(verb), _),
            (Token::Word(kind), _),
            (Token::Number(number), span),
        ] = three
        else {
            continue;
        };
        let list = match kind.to_ascii_lowercase().as_str() {
            "room" => List::Rooms,
            "vault" => List::Vaults,
            _ => continue,
        };
        let is_area = area_predicate(&verb.to_ascii_lowercase()).is_some();
        if !is_area || number.fract() != 0.0 || !(1.0..=f64::from(u32::MAX)).contains(number) {
            continue;
        }
        let old = *number as usize - 1;
        let index = new(list, old);
        if index != old {
            out.push_str(&text[end..span.start]);
            out.push_str(&(index + 1).to_string());
            end = span.end;
        }
    }
    out.push_str(&text[end..]);
    out
}

fn over(word: &str) -> Option<Aggregate> {
    let word = word.to_ascii_lowercase();
    Some(match word.as_str() {
        "mean" => Aggregate::Mean,
        "median" => Aggregate::Quantile(500),
        "least" => Aggregate::Quantile(0),
        "most" => Aggregate::Quantile(1000),
        other => {
            let percent: u16 = other.strip_prefix('p')?.parse().ok()?;
            (percent <= 100).then_some(Aggregate::Quantile(percent * 10))?
        }
    })
}

/// Returns advice for an unknown name: the most similar name or, if none is similar, all known names.
fn known(name: &str) -> String {
    let names = all_metrics()
        .map(|info| info.name)
        .chain(["share", "crosses", "needs", "severs", "reaches"]);
    did_you_mean(name, names.clone())
        .unwrap_or_else(|| format!("known names: {}", names.collect::<Vec<_>>().join(", ")))
}

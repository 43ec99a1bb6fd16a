//! The text of the grammar as tokens.

/// A token and whether it stands directly behind the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) adjacent: bool,
    pub(super) line: usize,
}

/// The kinds of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word(String),
    Text(String),
    /// `// …`, without the slashes.
    Comment(String),
    /// One character, or `=>`, `==`, `!=`, `::`.
    Mark(String),
}

impl Token {
    pub(super) fn is(&self, mark: &str) -> bool {
        matches!(&self.kind, Kind::Mark(found) if found == mark)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(&self.kind, Kind::Word(found) if found == word)
    }
}

/// All tokens of the text.
pub(super) fn scan(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut line = 1;
    let mut adjacent = false;
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() {
            line += usize::from(first == '\n');
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
            adjacent = false;
            continue;
        }
        // How the parser is made from a rule is not part of the rule.
        if let Some(rule) = rest.strip_prefix("#[inline]") {
            rest = rule;
            adjacent = false;
            continue;
        }
        let (kind, length) = token(rest, first).ok_or_else(|| format!("line {line}: a string without an end"))?;
        tokens.push(Token { kind, adjacent, line });
        adjacent = true;
        rest = rest.get(length..).unwrap_or_default();
    }
    Ok(tokens)
}

/// The first token of the text and its length; nothing for a string without an end.
fn token(text: &str, first: char) -> Option<(Kind, usize)> {
    if let Some(comment) = text.strip_prefix("//") {
        let comment = comment.lines().next().unwrap_or_default();
        return Some((Kind::Comment(comment.trim().to_owned()), comment.len() + 2));
    }
    if first == '"' {
        let content = text.strip_prefix('"')?.split('"').next()?;
        let length = content.len() + 2;
        return (text.len() >= length).then(|| (Kind::Text(content.to_owned()), length));
    }
    if first.is_alphanumeric() || first == '_' {
        let word = text.split(|character: char| !character.is_alphanumeric() && character != '_').next()?;
        return Some((Kind::Word(word.to_owned()), word.len()));
    }
    let mark = ["=>", "==", "!=", "::"].into_iter().find(|mark| text.starts_with(mark));
    let mark = mark.map_or_else(|| first.to_string(), str::to_owned);
    let length = mark.len();
    Some((Kind::Mark(mark), length))
}

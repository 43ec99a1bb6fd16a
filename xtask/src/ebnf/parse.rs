//! The rules of a LALRPOP grammar, without their types and actions.

use super::Expression;
use super::scan::{Kind, Token, scan};

/// The rules in the order of the text.
#[derive(Debug)]
pub(super) struct Grammar {
    pub(super) entries: Vec<Entry>,
}

/// A rule, or a heading between rules.
#[derive(Debug)]
pub(super) enum Entry {
    /// `// ---- Types ----`
    Section(String),
    Rule(Rule),
}

/// One rule.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) name: String,
    /// The parameters of a macro.
    pub(super) parameters: Vec<String>,
    /// The lines of comment directly before it.
    pub(super) comments: Vec<String>,
    pub(super) alternatives: Vec<Alternative>,
}

/// One alternative, which a macro may have under a condition only.
#[derive(Debug)]
pub(super) struct Alternative {
    pub(super) condition: Option<Condition>,
    pub(super) expression: Expression,
}

/// `if B == "braces"`
#[derive(Debug)]
pub(super) struct Condition {
    pub(super) parameter: String,
    pub(super) equal: bool,
    pub(super) value: String,
}

/// The grammar that a text contains.
pub(super) fn grammar(text: &str) -> Result<Grammar, String> {
    let mut parser = Parser { tokens: scan(text)?, at: 0 };
    parser.skip_declarations();
    let mut entries = Vec::new();
    let mut comments = Vec::new();
    while let Some(token) = parser.peek().cloned() {
        match token.kind {
            Kind::Comment(comment) if comment.starts_with("----") => {
                parser.at += 1;
                comments.clear();
                entries.push(Entry::Section(comment.trim_matches(|c| c == '-' || c == ' ').to_owned()));
            }
            Kind::Comment(comment) => {
                parser.at += 1;
                comments.push(comment);
            }
            _ => entries.push(Entry::Rule(parser.rule(std::mem::take(&mut comments))?)),
        }
    }
    Ok(Grammar { entries })
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn sees(&self, mark: &str) -> bool {
        self.peek().is_some_and(|token| token.is(mark))
    }

    fn takes(&mut self, mark: &str) -> bool {
        let sees = self.sees(mark);
        self.at += usize::from(sees);
        sees
    }

    fn expect(&mut self, mark: &str) -> Result<(), String> {
        if self.takes(mark) { Ok(()) } else { Err(self.unexpected(&format!("`{mark}`"))) }
    }

    fn word(&mut self) -> Result<String, String> {
        let Some(Token { kind: Kind::Word(word), .. }) = self.peek() else { return Err(self.unexpected("a name")) };
        let word = word.clone();
        self.at += 1;
        Ok(word)
    }

    fn unexpected(&self, wanted: &str) -> String {
        match self.peek() {
            Some(token) => format!("line {}: {wanted} was expected, not {:?}", token.line, token.kind),
            None => format!("{wanted} was expected, not the end"),
        }
    }

    fn skip_comments(&mut self) {
        while matches!(self.peek(), Some(Token { kind: Kind::Comment(_), .. })) {
            self.at += 1;
        }
    }

    /// Everything up to the rules: `use`, `grammar;` and `extern { … }`.
    fn skip_declarations(&mut self) {
        let external = self.tokens.iter().position(|token| token.is_word("extern"));
        self.at = external.map_or(0, |at| at + 1);
        if external.is_some() {
            self.skip_code(&[]);
        }
    }

    /// Steps over balanced code, up to one of the marks outside all brackets; with no marks, over one group.
    fn skip_code(&mut self, until: &[&str]) {
        let mut depth = 0_u32;
        while let Some(token) = self.tokens.get(self.at) {
            let Kind::Mark(mark) = &token.kind else {
                self.at += 1;
                continue;
            };
            if depth == 0 && until.contains(&mark.as_str()) {
                return;
            }
            match mark.as_str() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 && until.is_empty() && mark == "}" {
                return;
            }
        }
    }

    fn rule(&mut self, comments: Vec<String>) -> Result<Rule, String> {
        if self.peek().is_some_and(|token| token.is_word("pub")) {
            self.at += 1;
        }
        let name = self.word()?;
        let mut parameters = Vec::new();
        if self.takes("<") {
            while !self.takes(">") {
                parameters.push(self.word()?);
                self.takes(",");
            }
        }
        self.expect(":")?;
        self.skip_code(&["="]);
        self.expect("=")?;
        let mut alternatives = Vec::new();
        if self.takes("{") {
            self.skip_comments();
            while !self.takes("}") {
                alternatives.push(self.alternative()?);
                self.takes(",");
                self.skip_comments();
            }
        } else {
            alternatives.push(self.alternative()?);
        }
        self.expect(";")?;
        Ok(Rule { name, parameters, comments, alternatives })
    }

    fn alternative(&mut self) -> Result<Alternative, String> {
        let expression = self.sequence(&[",", ";", "}", "=>"])?;
        let condition = if self.peek().is_some_and(|token| token.is_word("if")) { Some(self.condition()?) } else { None };
        if self.takes("=>") {
            self.skip_code(&[",", ";", "}"]);
        }
        Ok(Alternative { condition, expression })
    }

    fn condition(&mut self) -> Result<Condition, String> {
        self.at += 1;
        let parameter = self.word()?;
        let equal = self.takes("==");
        if !equal {
            self.expect("!=")?;
        }
        let Some(Token { kind: Kind::Text(value), .. }) = self.peek().cloned() else { return Err(self.unexpected("a text")) };
        self.at += 1;
        Ok(Condition { parameter, equal, value })
    }

    /// Symbols up to one of the marks, or `if`.
    fn sequence(&mut self, until: &[&str]) -> Result<Expression, String> {
        let mut parts = Vec::new();
        self.skip_comments();
        while let Some(token) = self.peek() {
            if token.is_word("if") || until.iter().any(|mark| token.is(mark)) {
                break;
            }
            parts.push(self.symbol()?);
            self.skip_comments();
        }
        Ok(Expression::Sequence(parts))
    }

    fn symbol(&mut self) -> Result<Expression, String> {
        let mut symbol = self.plain_symbol()?;
        while let Some(mark) = ["?", "*", "+"].into_iter().find(|mark| self.sees(mark)) {
            self.at += 1;
            symbol = Expression::Repeat(Box::new(symbol), mark.chars().next().unwrap_or('?'));
        }
        Ok(symbol)
    }

    fn plain_symbol(&mut self) -> Result<Expression, String> {
        if self.takes("@") {
            // A place, not a text.
            self.word()?;
            return Ok(Expression::EMPTY);
        }
        if self.takes("(") {
            let inner = self.sequence(&[")"])?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.takes("<") {
            return self.chosen();
        }
        if let Some(Token { kind: Kind::Text(text), .. }) = self.peek() {
            let terminal = Expression::Terminal(text.clone());
            self.at += 1;
            return Ok(terminal);
        }
        let name = self.word()?;
        let mut arguments = Vec::new();
        if self.peek().is_some_and(|token| token.adjacent && token.is("<")) {
            self.at += 1;
            while !self.takes(">") {
                arguments.push(self.symbol()?);
                self.takes(",");
            }
        }
        Ok(Expression::Rule(name, arguments))
    }

    /// `<symbol>`, `<name:symbol>`, `<mut name:symbol>`, behind the first angle.
    fn chosen(&mut self) -> Result<Expression, String> {
        if self.peek().is_some_and(|token| token.is_word("mut")) {
            self.at += 1;
        }
        if self.tokens.get(self.at + 1).is_some_and(|token| token.is(":")) {
            self.at += 2;
        }
        let symbol = self.symbol()?;
        self.expect(">")?;
        Ok(symbol)
    }
}

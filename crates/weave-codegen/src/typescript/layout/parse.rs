//! How tokens become statements. Only what is generated is understood: all else is none, and the text then stays as it is.

use super::syntax::{Body, Case, Entry, Expression, Form, Key, Parameter, Statement};
use super::texts::{key, string, template};
use super::tokens::{Kind, Token};

/// How deep expressions and types may be nested: deeper ones stay as they are.
const DEPTH: usize = 400;

/// What reads tokens.
pub(super) struct Reader<'t, 'a> {
    pub(super) tokens: &'t [Token<'a>],
    pub(super) at: usize,
    depth: usize,
}

impl<'t, 'a> Reader<'t, 'a> {
    pub(super) const fn new(tokens: &'t [Token<'a>]) -> Self {
        Self { tokens, at: 0, depth: 0 }
    }

    pub(super) fn peek(&self) -> &'a str {
        self.ahead(0)
    }

    /// The text of a token that comes later; an empty one behind the last.
    pub(super) fn ahead(&self, count: usize) -> &'a str {
        self.tokens.get(self.at + count).map_or("", |token| token.text)
    }

    pub(super) fn token(&self) -> Option<&'t Token<'a>> {
        self.tokens.get(self.at)
    }

    pub(super) fn next(&mut self) -> Option<&'t Token<'a>> {
        let token = self.token()?;
        self.at += 1;
        Some(token)
    }

    /// Goes on if that is the next token.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let found = self.peek() == text;
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, text: &str) -> Option<()> {
        self.take(text).then_some(())
    }

    pub(super) fn name(&mut self) -> Option<&'a str> {
        self.next().filter(|token| token.kind == Kind::Name).map(|token| token.text)
    }

    /// What is nested in something.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.depth += 1;
        let found = if self.depth <= DEPTH { read(self) } else { None };
        self.depth -= 1;
        found
    }

    /// Things with commas between them up to a bracket.
    pub(super) fn list<T>(&mut self, close: &str, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut all = Vec::new();
        while !self.take(close) {
            all.push(read(self)?);
            if !self.take(",") {
                self.expect(close)?;
                break;
            }
        }
        Some(all)
    }

    pub(super) fn statements(&mut self, close: &[&str]) -> Option<Vec<Statement<'a>>> {
        let mut all = Vec::new();
        while !close.contains(&self.peek()) {
            all.push(self.statement()?);
        }
        Some(all)
    }

    pub(super) fn statement(&mut self) -> Option<Statement<'a>> {
        let token = self.token()?;
        let (comments, behind_blank) = (token.comments.clone(), token.behind_blank);
        Some(Statement { comments, behind_blank, form: self.nested(Self::form)? })
    }

    fn form(&mut self) -> Option<Form<'a>> {
        match (self.peek(), self.ahead(1)) {
            ("import", _) | ("export", "*" | "{") => self.module(),
            ("export", "default") => {
                self.at += 2;
                let value = self.expression()?;
                self.expect(";")?;
                Some(Form::Exported("export default ", Box::new(Form::Expression(value))))
            }
            ("export", _) => {
                self.at += 1;
                Some(Form::Exported("export ", Box::new(self.form()?)))
            }
            ("const", _) => {
                self.at += 1;
                let name = self.name()?;
                let ty = if self.take(":") { Some(self.ty()?) } else { None };
                self.expect("=")?;
                let value = self.expression()?;
                self.expect(";")?;
                Some(Form::Constant { name, ty, value })
            }
            ("type", _) => {
                self.at += 1;
                let name = self.name()?;
                self.expect("=")?;
                let ty = self.ty()?;
                self.expect(";")?;
                Some(Form::Alias { name, ty })
            }
            ("interface", _) => {
                self.at += 1;
                let name = self.name()?;
                self.expect("{")?;
                Some(Form::Interface { name, members: self.members()? })
            }
            ("async", "function") | ("function", _) => self.function(),
            (word @ ("return" | "throw"), _) => {
                self.at += 1;
                let value = if self.peek() == ";" { None } else { Some(self.expression()?) };
                self.expect(";")?;
                Some(Form::Leave(if word == "return" { "return" } else { "throw" }, value))
            }
            ("switch", _) => self.switch(),
            _ => {
                let value = self.expression()?;
                self.expect(";")?;
                Some(Form::Expression(value))
            }
        }
    }

    /// `import … from "…";` and `export … from "…";`, which are one line but for the names in braces.
    fn module(&mut self) -> Option<Form<'a>> {
        let (mut before, mut names, mut behind) = (String::new(), None, String::new());
        loop {
            let token = self.next()?;
            match token.text {
                ";" => break,
                "{" => names = Some(self.list("}", Self::specifier)?),
                text => {
                    let part = if names.is_some() { &mut behind } else { &mut before };
                    if !part.is_empty() {
                        part.push(' ');
                    }
                    if token.kind == Kind::Text { part.push_str(&string(text)) } else { part.push_str(text) }
                }
            }
        }
        Some(Form::Module { before, names, behind })
    }

    /// A name in braces, which may have a word before it and a new name behind it.
    fn specifier(&mut self) -> Option<String> {
        let mut words = vec![self.name()?];
        while !matches!(self.peek(), "," | "}") {
            words.push(self.name()?);
        }
        Some(words.join(" "))
    }

    fn function(&mut self) -> Option<Form<'a>> {
        let is_async = self.take("async");
        self.expect("function")?;
        let name = self.name()?;
        self.expect("(")?;
        let parameters = self.list(")", Self::parameter)?;
        let result = if self.take(":") { Some(self.ty()?) } else { None };
        let body = self.block()?;
        Some(Form::Function { is_async, name, parameters, result, body })
    }

    fn block(&mut self) -> Option<Vec<Statement<'a>>> {
        self.expect("{")?;
        let body = self.statements(&["}"])?;
        // A comment that nothing stands behind belongs to nothing.
        self.token().filter(|token| token.comments.is_empty())?;
        self.expect("}")?;
        Some(body)
    }

    pub(super) fn parameter(&mut self) -> Option<Parameter<'a>> {
        let name = self.name()?;
        let is_optional = self.take("?");
        let ty = if self.take(":") { Some(self.ty()?) } else { None };
        let default = if self.take("=") { Some(self.expression()?) } else { None };
        Some(Parameter { name, is_optional, ty, default })
    }

    fn switch(&mut self) -> Option<Form<'a>> {
        self.expect("switch")?;
        self.expect("(")?;
        let value = self.expression()?;
        self.expect(")")?;
        self.expect("{")?;
        let mut cases = Vec::new();
        while !self.take("}") {
            let value = match self.next()?.text {
                "case" => Some(self.expression()?),
                "default" => None,
                _ => return None,
            };
            self.expect(":")?;
            cases.push(Case { value, body: self.statements(&["case", "default", "}"])? });
        }
        Some(Form::Switch { value, cases })
    }

    pub(super) fn expression(&mut self) -> Option<Expression<'a>> {
        self.nested(|reader| {
            let test = reader.binary()?;
            if !reader.take("?") {
                return Some(test);
            }
            let yes = reader.expression()?;
            reader.expect(":")?;
            let no = reader.expression()?;
            Some(Expression::Choice(Box::new([test, yes, no])))
        })
    }

    fn binary(&mut self) -> Option<Expression<'a>> {
        let mut left = self.prefixed()?;
        loop {
            if self.take("as") {
                left = Expression::As(Box::new(left), self.ty()?);
            } else if matches!(self.peek(), "===" | "!==") {
                let sign = self.next()?.text;
                left = Expression::Binary(Box::new(left), sign, Box::new(self.prefixed()?));
            } else {
                return Some(left);
            }
        }
    }

    fn prefixed(&mut self) -> Option<Expression<'a>> {
        let word = match self.peek() {
            "await" => "await ",
            "-" => "-",
            "..." => "...",
            _ => return self.chain(),
        };
        self.at += 1;
        let inner = self.nested(Self::prefixed)?;
        Some(Expression::Prefixed(word, Box::new(inner)))
    }

    fn chain(&mut self) -> Option<Expression<'a>> {
        let mut whole = self.primary()?;
        loop {
            match self.peek() {
                "." => {
                    self.at += 1;
                    whole = Expression::Member(Box::new(whole), self.name()?);
                }
                "[" => {
                    self.at += 1;
                    let at = self.expression()?;
                    self.expect("]")?;
                    whole = Expression::Index(Box::new(whole), Box::new(at));
                }
                "(" | "<" => whole = self.call(false, whole)?,
                text if text.starts_with('`') => {
                    self.at += 1;
                    whole = Expression::Template(Some(Box::new(whole)), template(text)?);
                }
                _ => return Some(whole),
            }
        }
    }

    fn call(&mut self, is_new: bool, called: Expression<'a>) -> Option<Expression<'a>> {
        let types = if self.take("<") { self.list(">", Self::ty)? } else { Vec::new() };
        self.expect("(")?;
        let arguments = self.list(")", Self::expression)?;
        Some(Expression::Call { is_new, called: Box::new(called), types, arguments })
    }

    fn primary(&mut self) -> Option<Expression<'a>> {
        let token = self.token()?;
        let text = token.text;
        match token.kind {
            Kind::Name => {
                self.at += 1;
                if text != "new" {
                    return Some(Expression::Name(text));
                }
                let mut called = Expression::Name(self.name()?);
                while self.take(".") {
                    called = Expression::Member(Box::new(called), self.name()?);
                }
                self.call(true, called)
            }
            Kind::Number => {
                self.at += 1;
                Some(Expression::Number(text.replace("e+", "e")))
            }
            Kind::Text => {
                self.at += 1;
                Some(Expression::Text(string(text)))
            }
            Kind::Template => {
                self.at += 1;
                Some(Expression::Template(None, template(text)?))
            }
            Kind::Sign => match text {
                "(" if self.tokens.get(token.closes_at + 1).is_some_and(|token| token.text == "=>") => self.arrow(),
                "(" => {
                    self.at += 1;
                    let inner = self.expression()?;
                    self.expect(")")?;
                    Some(inner)
                }
                "[" => {
                    self.at += 1;
                    Some(Expression::List(self.list("]", Self::expression)?))
                }
                "{" => {
                    self.at += 1;
                    let is_open = self.token()?.begins_line || !self.token()?.comments.is_empty();
                    Some(Expression::Object { entries: self.list("}", Self::entry)?, is_open })
                }
                _ => None,
            },
        }
    }

    fn arrow(&mut self) -> Option<Expression<'a>> {
        self.expect("(")?;
        let parameters = self.list(")", Self::parameter)?;
        self.expect("=>")?;
        let body = if self.peek() == "{" { Body::Block(self.block()?) } else { Body::Value(Box::new(self.expression()?)) };
        Some(Expression::Function { parameters, body })
    }

    fn entry(&mut self) -> Option<Entry<'a>> {
        let token = self.token()?;
        let (comments, behind_blank) = (token.comments.clone(), token.behind_blank);
        if self.take("...") {
            return Some(Entry { comments, behind_blank, key: Key::Spread(self.expression()?), value: None });
        }
        let key = self.key()?;
        let value = if self.take(":") { Some(self.expression()?) } else { None };
        Some(Entry { comments, behind_blank, key, value })
    }

    pub(super) fn key(&mut self) -> Option<Key<'a>> {
        let token = self.next()?;
        match token.kind {
            Kind::Name | Kind::Number => Some(Key::Plain(token.text.to_owned())),
            Kind::Text => Some(Key::Plain(key(token.text))),
            _ if token.text == "[" => {
                let inner = self.expression()?;
                self.expect("]")?;
                Some(Key::Computed(inner))
            }
            _ => None,
        }
    }
}

//! How tokens become types.

use super::parse::Reader;
use super::syntax::{Member, Type};
use super::texts::string;
use super::tokens::Kind;

/// The words that are types themselves.
const WORDS: [&str; 9] = ["boolean", "never", "null", "number", "string", "undefined", "unknown", "void", "const"];

impl<'a> Reader<'_, 'a> {
    pub(super) fn ty(&mut self) -> Option<Type<'a>> {
        self.nested(|reader| {
            reader.take("|");
            let mut members = vec![reader.prefixed_type()?];
            while reader.take("|") {
                members.push(reader.prefixed_type()?);
            }
            // What stands in a union as a union is part of it.
            if members.len() == 1 { members.pop() } else { Some(Type::Either(members)) }
        })
    }

    fn prefixed_type(&mut self) -> Option<Type<'a>> {
        let word = match self.peek() {
            "readonly" => "readonly ",
            "keyof" => "keyof ",
            "typeof" => "typeof ",
            _ => return self.postfixed_type(),
        };
        self.at += 1;
        let inner = self.nested(Self::prefixed_type)?;
        Some(Type::Prefixed(word, Box::new(inner)))
    }

    fn postfixed_type(&mut self) -> Option<Type<'a>> {
        let mut ty = self.primary_type()?;
        while self.take("[") {
            if self.take("]") {
                ty = Type::List(Box::new(ty));
            } else {
                let at = self.ty()?;
                self.expect("]")?;
                ty = Type::Index(Box::new(ty), Box::new(at));
            }
        }
        Some(ty)
    }

    fn primary_type(&mut self) -> Option<Type<'a>> {
        let token = self.next()?;
        match (token.kind, token.text) {
            (Kind::Text, text) => Some(Type::Literal(string(text))),
            (Kind::Number, text) => Some(Type::Literal(text.replace("e+", "e"))),
            (Kind::Name, text @ ("true" | "false")) => Some(Type::Literal(text.to_owned())),
            (Kind::Name, text) => {
                if let Some(word) = WORDS.iter().find(|word| **word == text) {
                    return Some(Type::Word(word));
                }
                let mut name = text.to_owned();
                while self.take(".") {
                    name.push('.');
                    name.push_str(self.name()?);
                }
                let arguments = if self.take("<") { self.list(">", Self::ty)? } else { Vec::new() };
                Some(Type::Name(name, arguments))
            }
            (Kind::Sign, "-") => Some(Type::Literal(format!("-{}", self.next()?.text.replace("e+", "e")))),
            (Kind::Sign, "(") => {
                let inner = self.ty()?;
                self.expect(")")?;
                Some(inner)
            }
            (Kind::Sign, "{") => {
                let is_open = self.token()?.begins_line || !self.token()?.comments.is_empty();
                Some(Type::Object { members: self.members()?, is_open })
            }
            _ => None,
        }
    }

    /// Members up to the brace.
    pub(super) fn members(&mut self) -> Option<Vec<Member<'a>>> {
        let mut all = Vec::new();
        while !self.take("}") {
            let token = self.token()?;
            let (comments, behind_blank) = (token.comments.clone(), token.behind_blank);
            let is_readonly = self.peek() == "readonly" && !matches!(self.ahead(1), ":" | "?" | "(" | ";") && self.take("readonly");
            let key = self.key()?;
            let is_optional = self.take("?");
            let parameters = if self.take("(") { Some(self.list(")", Self::parameter)?) } else { None };
            let ty = if self.take(":") { Some(self.ty()?) } else { None };
            all.push(Member { comments, behind_blank, is_readonly, key, is_optional, parameters, ty });
            if !self.take(";") {
                self.expect("}")?;
                break;
            }
        }
        Some(all)
    }
}

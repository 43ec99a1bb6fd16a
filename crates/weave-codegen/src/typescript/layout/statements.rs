//! How statements are laid out.

use super::doc::Doc;
use super::expressions::{Left, Writer, commented};
use super::syntax::{Case, Expression, Form, Statement, Type};
use super::types::is_hugged;

impl Writer {
    /// A statement with its comments; the first one stands behind no blank line.
    pub(super) fn statement<'a>(&self, statement: &'a Statement<'_>, is_first: bool) -> Doc<'a> {
        Doc::concat(vec![commented(&statement.comments, statement.behind_blank, is_first), self.form(&statement.form)])
    }

    fn form<'a>(&self, form: &'a Form<'_>) -> Doc<'a> {
        match form {
            Form::Module { before, names, behind } => module(before, names.as_deref(), behind),
            Form::Exported(word, inner) => Doc::concat(vec![Doc::text(*word), self.form(inner)]),
            Form::Constant { name, ty, value } => {
                let mut left = vec![Doc::text(*name)];
                if let Some(ty) = ty {
                    left.extend([Doc::text(": "), self.ty(ty)]);
                }
                let is_intricate = ty.as_ref().is_some_and(is_intricate);
                let whole = self.assignment(Doc::concat(left), " =", Left::Name { is_intricate }, value);
                Doc::concat(vec![Doc::text("const "), whole, Doc::text(";")]).group()
            }
            Form::Alias { name, ty } => {
                let left = Doc::concat(vec![Doc::text("type "), Doc::text(*name)]);
                let whole = match ty {
                    // A union begins a line of its own itself.
                    Type::Either(members) if !is_hugged(members) => Doc::concat(vec![left, Doc::text(" = "), self.ty(ty).group()]).group(),
                    _ => self.fluid(left, Doc::text(" ="), self.ty(ty)),
                };
                Doc::concat(vec![whole, Doc::text(";")])
            }
            Form::Interface { name, members } => {
                Doc::concat(vec![Doc::text("interface "), Doc::text(*name), Doc::text(" "), self.members(members, true)])
            }
            Form::Function { is_async, name, parameters, result, body } => {
                let parameters = self.parameters_before(parameters, result.as_ref());
                let result = result.as_ref().map_or_else(Doc::nothing, |ty| Doc::concat(vec![Doc::text(": "), self.ty(ty)]));
                let head = Doc::concat(vec![parameters, result]).group();
                let word = Doc::text(if *is_async { "async function " } else { "function " });
                Doc::concat(vec![word, Doc::text(*name), head, Doc::text(" "), self.block(body)])
            }
            Form::Leave(word, None) => Doc::text(format!("{word};")),
            Form::Leave(word, Some(value)) => Doc::concat(vec![Doc::text(*word), Doc::text(" "), self.expression(value), Doc::text(";")]),
            Form::Switch { value, cases } => self.switch(value, cases),
            Form::Expression(value) => Doc::concat(vec![self.expression(value), Doc::text(";")]),
        }
    }

    /// Statements in braces.
    pub(super) fn block<'a>(&self, statements: &'a [Statement<'_>]) -> Doc<'a> {
        if statements.is_empty() {
            return Doc::text("{}");
        }
        let inner = Doc::concat(vec![Doc::hard(), self.body(statements)]).indent();
        Doc::concat(vec![Doc::text("{"), inner, Doc::hard(), Doc::text("}")])
    }

    fn body<'a>(&self, statements: &'a [Statement<'_>]) -> Doc<'a> {
        let all = statements.iter().enumerate().map(|(at, statement)| self.statement(statement, at == 0));
        Doc::join(&Doc::hard(), all)
    }

    fn switch<'a>(&self, value: &'a Expression<'_>, cases: &'a [Case<'_>]) -> Doc<'a> {
        let inner = Doc::concat(vec![Doc::soft(), self.expression(value)]).indent();
        let head = Doc::concat(vec![Doc::text("switch ("), inner, Doc::soft(), Doc::text(")")]).group();
        let one = |case: &'a Case<'_>| {
            let head = match &case.value {
                Some(value) => Doc::concat(vec![Doc::text("case "), self.expression(value), Doc::text(":")]),
                None => Doc::text("default:"),
            };
            let body = if case.body.is_empty() { Doc::nothing() } else { Doc::concat(vec![Doc::hard(), self.body(&case.body)]).indent() };
            Doc::concat(vec![head, body])
        };
        let cases = Doc::concat(vec![Doc::hard(), Doc::join(&Doc::hard(), cases.iter().map(one))]).indent();
        Doc::concat(vec![head, Doc::text(" {"), cases, Doc::hard(), Doc::text("}")])
    }
}

/// `import … from …`, of which a single name stands in the same line.
fn module<'a>(before: &'a str, names: Option<&'a [String]>, behind: &'a str) -> Doc<'a> {
    let names = match names {
        None => Doc::nothing(),
        Some([]) => Doc::text(" {}"),
        Some([one]) => Doc::concat(vec![Doc::text(" { "), Doc::text(one.as_str()), Doc::text(" }")]),
        Some(all) => {
            let separator = Doc::concat(vec![Doc::text(","), Doc::line()]);
            let all = Doc::join(&separator, all.iter().map(|name| Doc::text(name.as_str())));
            let inner = Doc::concat(vec![Doc::line(), all]).indent();
            let comma = Doc::if_broken(Doc::text(","), Doc::nothing());
            Doc::concat(vec![Doc::text(" {"), inner, comma, Doc::line(), Doc::text("}")]).group()
        }
    };
    let behind = if behind.is_empty() { Doc::nothing() } else { Doc::concat(vec![Doc::text(" "), Doc::text(behind)]) };
    Doc::concat(vec![Doc::text(before), names, behind, Doc::text(";")])
}

/// Whether a type has several arguments, one of which has some itself.
fn is_intricate(ty: &Type<'_>) -> bool {
    let has_some = |ty: &Type<'_>| matches!(ty, Type::Name(_, arguments) if !arguments.is_empty());
    matches!(ty, Type::Name(_, arguments) if arguments.len() > 1 && arguments.iter().any(has_some))
}

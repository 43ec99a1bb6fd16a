//! How types are laid out.

use super::doc::Doc;
use super::expressions::{Writer, braces};
use super::syntax::{Member, Parameter, Type};

/// Where a union stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Where its lines are indented.
    Indented,
    /// Between the brackets of arguments, which indent already.
    Argument,
    /// In brackets of its own.
    Bracketed,
}

impl Writer {
    pub(super) fn ty<'a>(&self, ty: &'a Type<'_>) -> Doc<'a> {
        self.placed(ty, Place::Indented)
    }

    fn placed<'a>(&self, ty: &'a Type<'_>, place: Place) -> Doc<'a> {
        match ty {
            Type::Name(name, arguments) => Doc::concat(vec![Doc::text(name.as_str()), self.types(arguments)]),
            Type::Word(word) => Doc::text(*word),
            Type::Literal(text) => Doc::text(text.as_str()),
            Type::List(item) => Doc::concat(vec![self.bracketed(item, true), Doc::text("[]")]),
            Type::Prefixed(word, inner) => Doc::concat(vec![Doc::text(*word), self.bracketed(inner, false)]),
            Type::Either(members) => self.union(members, place),
            Type::Object { members, is_open } => self.members(members, *is_open),
            Type::Index(of, at) => Doc::concat(vec![self.bracketed(of, true), Doc::text("["), self.ty(at), Doc::text("]")]),
        }
    }

    /// A type in brackets where it needs them before or behind something.
    fn bracketed<'a>(&self, ty: &'a Type<'_>, is_before: bool) -> Doc<'a> {
        let needs = matches!(ty, Type::Either(_)) || (is_before && matches!(ty, Type::Prefixed(..)));
        if needs { Doc::concat(vec![Doc::text("("), self.placed(ty, Place::Bracketed), Doc::text(")")]) } else { self.ty(ty) }
    }

    fn union<'a>(&self, members: &'a [Type<'_>], place: Place) -> Doc<'a> {
        if is_hugged(members) {
            return Doc::join(&Doc::text(" | "), members.iter().map(|member| self.ty(member)));
        }
        let separator = Doc::concat(vec![Doc::line(), Doc::text("| ")]);
        let first = Doc::if_broken(Doc::text("| "), Doc::nothing());
        let all = Doc::join(&separator, members.iter().map(|member| self.ty(member).indent()));
        let all = Doc::concat(vec![first, all]).group();
        if place == Place::Argument {
            return all;
        }
        let end = if place == Place::Bracketed { Doc::soft() } else { Doc::nothing() };
        Doc::concat(vec![Doc::concat(vec![Doc::soft(), all]).indent(), end]).group()
    }

    /// The arguments of a type or a call; nothing if there are none.
    pub(super) fn types<'a>(&self, arguments: &'a [Type<'_>]) -> Doc<'a> {
        match arguments {
            [] => Doc::nothing(),
            [one] if stays_between_brackets(one) => Doc::concat(vec![Doc::text("<"), self.placed(one, Place::Argument), Doc::text(">")]),
            all => {
                let separator = Doc::concat(vec![Doc::text(","), Doc::line()]);
                let all = Doc::join(&separator, all.iter().map(|argument| self.placed(argument, Place::Argument)));
                let inner = Doc::concat(vec![Doc::soft(), all]).indent();
                Doc::concat(vec![Doc::text("<"), inner, Doc::soft(), Doc::text(">")]).group()
            }
        }
    }

    pub(super) fn members<'a>(&self, members: &'a [Member<'_>], is_open: bool) -> Doc<'a> {
        if members.is_empty() {
            return Doc::text("{}");
        }
        let items = members.iter().map(|member| (member.comments.as_slice(), member.behind_blank, self.one_member(member)));
        braces(items, ";", is_open)
    }

    fn one_member<'a>(&self, member: &'a Member<'_>) -> Doc<'a> {
        let mut parts = vec![Doc::text(if member.is_readonly { "readonly " } else { "" }), self.key(&member.key)];
        parts.extend(member.is_optional.then(|| Doc::text("?")));
        let is_method = member.parameters.is_some();
        parts.extend(member.parameters.as_ref().map(|parameters| self.parameters_before(parameters, member.ty.as_ref())));
        if let Some(ty) = &member.ty {
            let ty = Doc::concat(vec![Doc::text(": "), self.ty(ty)]);
            parts.push(if is_method { ty.group() } else { ty });
        }
        Doc::concat(parts)
    }

    /// The parameters of what has a result.
    pub(super) fn parameters_before<'a>(&self, parameters: &'a [Parameter<'_>], result: Option<&'a Type<'_>>) -> Doc<'a> {
        let is_grouped =
            parameters.len() == 1 && result.is_some_and(|result| matches!(result, Type::Object { .. }) || self.ty(result).must_break());
        let doc = self.parameters(parameters);
        if is_grouped { doc.group() } else { doc }
    }

    pub(super) fn parameters<'a>(&self, parameters: &'a [Parameter<'_>]) -> Doc<'a> {
        match parameters {
            [] => Doc::text("()"),
            [only] if only.default.is_none() && matches!(only.ty, Some(Type::Object { .. })) => {
                Doc::concat(vec![Doc::text("("), self.parameter(only), Doc::text(")")])
            }
            all => {
                let separator = Doc::concat(vec![Doc::text(","), Doc::line()]);
                let all = Doc::join(&separator, all.iter().map(|parameter| self.parameter(parameter)));
                let inner = Doc::concat(vec![Doc::soft(), all]).indent();
                let comma = Doc::if_broken(Doc::text(","), Doc::nothing());
                Doc::concat(vec![Doc::text("("), inner, comma, Doc::soft(), Doc::text(")")])
            }
        }
    }

    fn parameter<'a>(&self, parameter: &'a Parameter<'_>) -> Doc<'a> {
        let mut parts = vec![Doc::text(parameter.name)];
        parts.extend(parameter.is_optional.then(|| Doc::text("?")));
        if let Some(ty) = &parameter.ty {
            parts.extend([Doc::text(": "), self.ty(ty)]);
        }
        if let Some(default) = &parameter.default {
            parts.extend([Doc::text(" = "), self.expression(default)]);
        }
        Doc::concat(parts)
    }
}

/// Whether a union is one thing or nothing, which is never broken.
pub(super) fn is_hugged(members: &[Type<'_>]) -> bool {
    let is_object = |ty: &Type<'_>| matches!(ty, Type::Object { .. } | Type::Name(..));
    members.iter().filter(|ty| is_object(ty)).count() == 1
        && members.iter().all(|ty| is_object(ty) || matches!(ty, Type::Word("null" | "void")))
}

/// Whether a single argument stays between its brackets.
fn stays_between_brackets(ty: &Type<'_>) -> bool {
    match ty {
        Type::Name(_, arguments) => arguments.is_empty(),
        Type::Word(_) | Type::Object { .. } => true,
        Type::Either(members) => is_hugged(members),
        _ => false,
    }
}

//! What generated modules consist of.

use super::tokens::Comment;

/// A statement, and what stands before it.
#[derive(Debug)]
pub(super) struct Statement<'a> {
    pub(super) comments: Vec<Comment<'a>>,
    pub(super) behind_blank: bool,
    pub(super) form: Form<'a>,
}

#[derive(Debug)]
pub(super) enum Form<'a> {
    /// `import … from`, `export * …`: what stands before the names, the names if there are some in braces, and what stands behind them.
    Module {
        before: String,
        names: Option<Vec<String>>,
        behind: String,
    },
    /// `export` before another one.
    Exported(&'static str, Box<Form<'a>>),
    Constant {
        name: &'a str,
        ty: Option<Type<'a>>,
        value: Expression<'a>,
    },
    Alias {
        name: &'a str,
        ty: Type<'a>,
    },
    Interface {
        name: &'a str,
        members: Vec<Member<'a>>,
    },
    Function {
        is_async: bool,
        name: &'a str,
        parameters: Vec<Parameter<'a>>,
        result: Option<Type<'a>>,
        body: Vec<Statement<'a>>,
    },
    /// `return` or `throw`.
    Leave(&'static str, Option<Expression<'a>>),
    Switch {
        value: Expression<'a>,
        cases: Vec<Case<'a>>,
    },
    Expression(Expression<'a>),
}

#[derive(Debug)]
pub(super) struct Case<'a> {
    /// Nothing for `default`.
    pub(super) value: Option<Expression<'a>>,
    pub(super) body: Vec<Statement<'a>>,
}

#[derive(Debug)]
pub(super) struct Parameter<'a> {
    pub(super) name: &'a str,
    pub(super) is_optional: bool,
    pub(super) ty: Option<Type<'a>>,
    pub(super) default: Option<Expression<'a>>,
}

#[derive(Debug)]
pub(super) enum Expression<'a> {
    /// A name or a word such as `null`.
    Name(&'a str),
    Number(String),
    Text(String),
    /// What stands before the backticks, and the whole with what is filled in.
    Template(Option<Box<Expression<'a>>>, String),
    Member(Box<Expression<'a>>, &'a str),
    /// `of[at]`
    Index(Box<Expression<'a>>, Box<Expression<'a>>),
    Call {
        is_new: bool,
        called: Box<Expression<'a>>,
        types: Vec<Type<'a>>,
        arguments: Vec<Expression<'a>>,
    },
    List(Vec<Expression<'a>>),
    Object {
        entries: Vec<Entry<'a>>,
        /// Whether a line begins behind its brace: it stays so.
        is_open: bool,
    },
    Function {
        parameters: Vec<Parameter<'a>>,
        body: Body<'a>,
    },
    Choice(Box<[Expression<'a>; 3]>),
    Binary(Box<Expression<'a>>, &'a str, Box<Expression<'a>>),
    /// `await`, `-` or `...` before something.
    Prefixed(&'static str, Box<Expression<'a>>),
    As(Box<Expression<'a>>, Type<'a>),
}

#[derive(Debug)]
pub(super) enum Body<'a> {
    Value(Box<Expression<'a>>),
    Block(Vec<Statement<'a>>),
}

#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) comments: Vec<Comment<'a>>,
    pub(super) behind_blank: bool,
    pub(super) key: Key<'a>,
    /// Nothing where the key is the name of the value, or the whole of it.
    pub(super) value: Option<Expression<'a>>,
}

#[derive(Debug)]
pub(super) enum Key<'a> {
    /// As it stands there.
    Plain(String),
    /// `[key]`
    Computed(Expression<'a>),
    /// `...value`
    Spread(Expression<'a>),
}

#[derive(Debug)]
pub(super) enum Type<'a> {
    /// A name with dots in it, and its arguments.
    Name(String, Vec<Type<'a>>),
    /// A word of the language, such as `string`.
    Word(&'a str),
    /// A text or a number.
    Literal(String),
    List(Box<Type<'a>>),
    /// `readonly`, `keyof` or `typeof` before a type.
    Prefixed(&'static str, Box<Type<'a>>),
    Either(Vec<Type<'a>>),
    Object {
        members: Vec<Member<'a>>,
        is_open: bool,
    },
    /// `of[at]`
    Index(Box<Type<'a>>, Box<Type<'a>>),
}

/// A property or a method of a type.
#[derive(Debug)]
pub(super) struct Member<'a> {
    pub(super) comments: Vec<Comment<'a>>,
    pub(super) behind_blank: bool,
    pub(super) is_readonly: bool,
    pub(super) key: Key<'a>,
    pub(super) is_optional: bool,
    /// The parameters, if it is a method.
    pub(super) parameters: Option<Vec<Parameter<'a>>>,
    pub(super) ty: Option<Type<'a>>,
}

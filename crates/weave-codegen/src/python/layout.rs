//! How code is broken into lines, so that `ruff format` has nothing to change: what fits into a line stands in one, and of anything else
//! each element gets a line of its own, with a comma behind it.

/// The width of a line.
const WIDTH: usize = 88;

/// Code that may have to be broken into lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// What cannot be broken.
    Text(String),
    /// What stands in brackets behind something: arguments, parameters, elements.
    Bracket { head: String, open: char, items: Vec<Code>, close: &'static str },
    /// `a | b`.
    Either(Vec<Code>),
    /// `lambda: a`, of something that cannot be broken.
    Lambda(String),
    /// Code with something before and behind it, such as the name of an argument.
    Around { before: String, inner: Box<Code>, behind: String },
}

impl Code {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn call(head: impl Into<String>, items: Vec<Self>) -> Self {
        Self::Bracket { head: head.into(), open: '(', items, close: ")" }
    }

    /// A name with something in square brackets behind it.
    pub(super) fn index(head: impl Into<String>, items: Vec<Self>) -> Self {
        Self::Bracket { head: head.into(), open: '[', items, close: "]" }
    }

    pub(super) fn list(items: Vec<Self>) -> Self {
        Self::index("", items)
    }

    pub(super) fn tuple(items: Vec<Self>) -> Self {
        // One element needs its comma.
        let close = if items.len() == 1 { ",)" } else { ")" };
        Self::Bracket { head: String::new(), open: '(', items, close }
    }

    /// An argument with its name.
    pub(super) fn named(name: &str, inner: Self) -> Self {
        inner.around(format!("{name}="), "")
    }

    pub(super) fn around(self, before: impl Into<String>, behind: impl Into<String>) -> Self {
        Self::Around { before: before.into(), inner: Box::new(self), behind: behind.into() }
    }

    /// In one line.
    pub(super) fn flat(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Lambda(body) => format!("lambda: {body}"),
            Self::Bracket { head, open, items, close } => {
                let items = items.iter().map(Self::flat).collect::<Vec<_>>().join(", ");
                format!("{head}{open}{items}{close}")
            }
            Self::Either(members) => members.iter().map(Self::flat).collect::<Vec<_>>().join(" | "),
            Self::Around { before, inner, behind } => format!("{before}{}{behind}", inner.flat()),
        }
    }

    /// In as many lines as it takes. The first one stands behind so many columns, the last one before so many, and what is in lines of its
    /// own is indented deeper than `indent`.
    pub(super) fn lines(&self, indent: usize, before: usize, behind: usize) -> String {
        let flat = self.flat();
        if before + width(&flat) + behind <= WIDTH && !flat.contains('\n') {
            return flat;
        }
        match self {
            Self::Text(text) => text.clone(),
            Self::Lambda(body) => format!("lambda: (\n{}{body}\n{})", " ".repeat(indent + 4), " ".repeat(indent)),
            Self::Around { before: head, inner, behind: tail } => {
                let inner = inner.lines(indent, before + width(head), behind + width(tail));
                format!("{head}{inner}{tail}")
            }
            Self::Bracket { items, .. } if items.is_empty() => flat,
            Self::Bracket { head, open, items, close } => {
                let margin = " ".repeat(indent + 4);
                // A single thing in square brackets would be another one with a comma behind it.
                let comma = if *open == '[' && items.len() == 1 && !head.is_empty() { "" } else { "," };
                let items = items.iter().map(|item| {
                    let item = item.lines(indent + 4, indent + 4, comma.len());
                    format!("{margin}{item}{comma}\n")
                });
                let items = items.collect::<String>();
                format!("{head}{open}\n{items}{}{}", " ".repeat(indent), close.trim_start_matches(','))
            }
            Self::Either(members) => {
                let separator = format!("\n{}| ", " ".repeat(indent));
                members.iter().map(|member| member.lines(indent, indent + 2, behind)).collect::<Vec<_>>().join(&separator)
            }
        }
    }

    /// What stands alone in its line, behind something.
    pub(super) fn statement(&self, indent: usize, before: &str, behind: &str) -> String {
        let (first, start) = (self.first(), indent + width(before));
        let fits_in_brackets = before.ends_with(' ') && indent + 4 + first <= WIDTH && start < WIDTH;
        let body = match self {
            Self::Text(_) | Self::Bracket { open: '(', .. } if start + first + width(behind) > WIDTH && fits_in_brackets => {
                self.in_brackets(indent)
            }
            Self::Either(_) if indent + width(before) + width(&self.flat()) + width(behind) > WIDTH => self.in_brackets(indent),
            _ => self.lines(indent, indent + width(before), width(behind)),
        };
        format!("{}{before}{body}{behind}\n", " ".repeat(indent))
    }

    fn in_brackets(&self, indent: usize) -> String {
        format!("(\n{}{}\n{})", " ".repeat(indent + 4), self.lines(indent + 4, indent + 4, 0), " ".repeat(indent))
    }

    /// Each element in a line of its own, whether it fits or not.
    fn broken(&self, indent: usize) -> String {
        self.lines(indent, WIDTH + 1, 0)
    }

    /// How many columns its first line takes at least.
    fn first(&self) -> usize {
        match self {
            Self::Bracket { head, items, .. } if !items.is_empty() => width(head) + 1,
            Self::Around { before, inner, .. } => width(before) + inner.first(),
            _ => width(&self.flat()),
        }
    }
}

/// `class name(base):`.
pub(super) fn class(name: &str, bases: &[&str]) -> String {
    let bases = bases.iter().map(|base| Code::text(*base)).collect();
    Code::call(format!("class {name}"), bases).statement(0, "", ":")
}

/// `from module import name`, without the margin that it stands behind.
pub(super) fn import_line(module: &str, name: &str, indent: usize) -> String {
    let flat = format!("from {module} import {name}");
    if indent + width(&flat) <= WIDTH {
        return flat;
    }
    let margin = " ".repeat(indent);
    format!("from {module} import (\n{margin}    {name},\n{margin})")
}

/// `name = value`, where the value cannot be broken.
pub(super) fn constant(indent: usize, name: &str, value: &str) -> String {
    let margin = " ".repeat(indent);
    let flat = format!("{margin}{name} = {value}\n");
    let fits_in_brackets = indent + width(name) + " = (".len() <= WIDTH && indent + 4 + width(value) <= WIDTH;
    if width(&flat) > WIDTH + 1 && fits_in_brackets { format!("{margin}{name} = (\n{margin}    {value}\n{margin})\n") } else { flat }
}

/// `name: annotation = value`.
pub(super) fn assignment(indent: usize, name: &str, annotation: &Code, value: &Code) -> String {
    let margin = " ".repeat(indent);
    let head = format!("{name}: {} = ", annotation.flat());
    let before = indent + width(&head);
    if before + value.first() <= WIDTH {
        return format!("{margin}{head}{}\n", value.lines(indent, before, 0));
    }
    let elements = if let Code::Bracket { items, .. } = annotation { items.len() } else { 0 };
    // A comma behind the last of several elements keeps them in lines of their own.
    if elements < 2 && before < WIDTH && (!matches!(value, Code::Text(_)) || indent + 4 + value.first() <= WIDTH) {
        return format!("{margin}{head}{}\n", value.in_brackets(indent));
    }
    if elements == 0 {
        return format!("{margin}{head}{}\n", value.lines(indent, before, 0));
    }
    let annotation = annotation.broken(indent);
    let last = annotation.rsplit('\n').next().map_or(0, width);
    format!("{margin}{name}: {annotation} = {}\n", value.lines(indent, last + " = ".len(), 0))
}

/// At least as many columns as a text takes: whatever is not ASCII may take two.
fn width(text: &str) -> usize {
    text.chars().map(|it| if it.is_ascii() { 1 } else { 2 }).sum()
}

#[cfg(test)]
mod tests {
    use super::{Code, assignment, import_line};

    fn text(text: &str) -> Code {
        Code::text(text)
    }

    #[test]
    fn a_long_import_has_a_line_for_its_name() {
        assert_eq!(import_line("a", "b as c", 4), "from a import b as c");
        let long = "m".repeat(70);
        assert_eq!(import_line(&long, "aa", 0), format!("from {long} import aa"));
        assert_eq!(import_line(&long, "aa", 4), format!("from {long} import (\n        aa,\n    )"));
    }

    #[test]
    fn what_fits_stands_in_a_line() {
        let code = Code::index("Annotated", vec![Code::index("list", vec![text("int")]), Code::call("sized", vec![text("1")])]);
        assert_eq!(code.statement(4, "x: ", ""), "    x: Annotated[list[int], sized(1)]\n");
        assert_eq!(Code::tuple(vec![text("1")]).flat(), "(1,)");
    }

    #[test]
    fn what_does_not_fit_is_broken_from_the_outside() {
        let long = "a".repeat(40);
        let inner = Code::index("list", vec![text(&long)]);
        let code = Code::index("Annotated", vec![inner.clone(), inner.clone()]);
        let expected = format!("    x: Annotated[\n        list[{long}],\n        list[{long}],\n    ] = 1\n");
        assert_eq!(code.statement(4, "x: ", " = 1"), expected);
        let one = Code::index("list", vec![Code::index("list", vec![text(&"b".repeat(76))])]);
        assert_eq!(one.statement(0, "x: ", ""), format!("x: list[\n    list[{}]\n]\n", "b".repeat(76)));
        let either = Code::Either(vec![inner.clone(), inner]);
        assert_eq!(either.statement(0, "x = ", ""), format!("x = (\n    list[{long}]\n    | list[{long}]\n)\n"));
    }

    #[test]
    fn an_assignment_is_broken_where_there_is_room() {
        let [one, two] = [40, 30].map(|length| Code::text("a".repeat(length)));
        let ty = |code: &Code| Code::index("T", vec![code.clone()]);
        let call = Code::call("call", vec![one.clone()]);
        assert_eq!(assignment(0, "x", &ty(&one), &Code::text("1")), format!("x: T[{}] = 1\n", one.flat()));
        assert_eq!(assignment(0, "x", &ty(&one), &call), format!("x: T[{}] = call(\n    {},\n)\n", one.flat(), one.flat()));
        let long = Code::text("b".repeat(60));
        assert_eq!(assignment(4, "x", &ty(&two), &long), format!("    x: T[{}] = (\n        {}\n    )\n", two.flat(), long.flat()));
        let longer = Code::text("c".repeat(80));
        let expected = format!("x: T[\n    {}\n] = call({})\n", longer.flat(), one.flat());
        assert_eq!(assignment(0, "x", &ty(&longer), &call), expected);
        let several = Code::index("T", vec![longer.clone(), two.clone()]);
        assert_eq!(assignment(0, "x", &several, &Code::text("1")), format!("x: T[\n    {},\n    {},\n] = 1\n", longer.flat(), two.flat()));
    }
}

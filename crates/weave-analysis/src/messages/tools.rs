//! What is said about tools as models are offered them, and about the names of what is generated.

use weave_diagnostics::{Diagnostic, Place};

use crate::codes::tools as codes;
use crate::model::declarations::ToolReference;
use crate::model::offered::{Clash, MOST_OFFERED, Offered, SEPARATOR};
use crate::model::{Declaration, DeclarationKind, Model};

/// How providers want tools to be called, at most so long.
pub(crate) const LONGEST_NAME: usize = 64;

/// Two entries of a list that a model could not tell apart.
pub(crate) fn offered_twice(model: &Model, owner: &Declaration, list: &[ToolReference], clash: &Clash) -> Diagnostic {
    let Clash { first, second } = clash;
    let has = if matches!(owner.kind, DeclarationKind::Toolkit(_)) { "has" } else { "is offered" };
    let who = format!("{} `{}` {has}", noun(owner), owner.name);
    let same_tool = first.target == second.target && first.name == second.name;
    let message = match (first.name == second.name, same_tool) {
        (_, true) => format!("{who} `{}` twice, with different middleware", second.name),
        (true, false) => format!("{who} two tools named `{}`", second.name),
        (false, false) => format!("{who} `{}` and `{}`, which differ only in case", first.name, second.name),
    };
    let entry = |offered: &Offered| list.get(offered.entry).map_or(offered.place, |entry| entry.place);
    let mut diagnostic = Diagnostic::new(&codes::TOOL_NAME_CLASH, entry(second), message);
    diagnostic = if entry(second) == second.place {
        diagnostic.label("the first one")
    } else {
        diagnostic.label("brings the first one").also(second.place, "the second one")
    };
    diagnostic = if entry(first) == first.place {
        diagnostic.also(first.place, "the first one")
    } else {
        diagnostic.also(entry(first), "brings the second one").also(first.place, "the second one")
    };
    if let (Some(hidden), false) = (provider(model, first).or_else(|| provider(model, second)), same_tool) {
        diagnostic = diagnostic.note(format!("`{hidden}` executes one of them, and the other would hide it"));
    }
    diagnostic.help(if same_tool {
        "list it only once, or give one of the toolkits a `namespace`"
    } else {
        "rename one of them with `as`, or give its toolkit a `namespace`"
    })
}

/// What a declaration is called, without article.
fn noun(declaration: &Declaration) -> &'static str {
    let noun = declaration.kind.noun();
    noun.split_once(' ').map_or(noun, |(_, noun)| noun)
}

/// Who executes it, if that is a provider.
fn provider<'m>(model: &'m Model, offered: &Offered) -> Option<&'m str> {
    match &model.get(offered.target)?.kind {
        DeclarationKind::Tool(tool) => tool.via.as_ref().map(|via| &*via.provider),
        _ => None,
    }
}

/// A model would be offered more tools than a definition may list.
pub(crate) fn too_many_tools(agent: &Declaration) -> Diagnostic {
    Diagnostic::new(&codes::TOO_MANY_TOOLS, agent.place, format!("agent `{}` has more than {MOST_OFFERED} tools", agent.name))
        .label("its toolkits contain more than that in total")
        .help("offer fewer tools; toolkits that include one toolkit several times multiply its tools")
}

/// A name has in it what separates a namespace from a name. `declared` is where the name comes from, if that is elsewhere.
pub(crate) fn separator_in_name(name: &str, place: Place, declared: Option<&Declaration>) -> Diagnostic {
    let diagnostic = Diagnostic::new(&codes::TOOL_NAME, place, format!("the name `{name}` contains `{SEPARATOR}`"))
        .label(format!("`{SEPARATOR}` separates a namespace from a name"));
    match declared {
        Some(declared) => diagnostic
            .also(declared.place, format!("{} with this name", declared.kind.noun()))
            .help("rename it here with `as`, or rename the tool"),
        None => diagnostic.help(format!("write `{}`", single(name))),
    }
}

/// The name with one `_` where there are several.
fn single(name: &str) -> String {
    let mut found = String::with_capacity(name.len());
    for character in name.chars() {
        if character != '_' || !found.ends_with('_') {
            found.push(character);
        }
    }
    found
}

pub(crate) fn namespace(namespace: &str, place: Place) -> Diagnostic {
    let diagnostic = Diagnostic::new(&codes::TOOL_NAME, place, format!("`{namespace}` cannot be a namespace"));
    if namespace.contains(SEPARATOR) {
        return diagnostic
            .label(format!("`{SEPARATOR}` separates a namespace from a name"))
            .help(format!("write `\"{}\"`; nested toolkits combine their namespaces", single(namespace)));
    }
    diagnostic
        .label("a prefix of the tool names")
        .help("use letters, digits, `_` and `-`, starting with a letter or `_`; providers reject any other tool name")
}

pub(crate) fn long_name(offered: &Offered, agent: &Declaration, entry: Place, declared: &Declaration) -> Diagnostic {
    let length = offered.name.len();
    let message = format!("agent `{}` has a tool whose name has {length} characters", agent.name);
    let mut diagnostic =
        Diagnostic::new(&codes::TOOL_NAME, entry, message).label(format!("`{}` is longer than {LONGEST_NAME}", offered.name));
    if offered.place != entry {
        diagnostic = diagnostic.also(offered.place, "the first one");
    }
    diagnostic
        .also(declared.place, format!("{} with this name", declared.kind.noun()))
        .help("shorten its name with `as`, or shorten the namespaces of its toolkits; providers reject longer names")
}

pub(crate) fn internal_tool(tool: &Declaration, agent: &Declaration, place: Place) -> Diagnostic {
    Diagnostic::new(
        &codes::INTERNAL_TOOL,
        place,
        format!("agent `{}` lists `{}`, which is never offered to a model", agent.name, tool.name),
    )
    .label("is never offered")
    .also(tool.place, "is `activation internal`")
    .help("remove it from the list, or remove `activation internal` from the tool")
}

pub(crate) fn duplicate_id(id: &str, place: Place, first: Place) -> Diagnostic {
    Diagnostic::new(&codes::DUPLICATE_TOOL_ID, place, format!("two tools have the id `{id}`"))
        .label("repeated here")
        .also(first, "first here")
        .help("give each tool its own id")
}

pub(crate) fn parameter_name(wire: &str, place: Place, tool: &Declaration, offered: Place) -> Diagnostic {
    Diagnostic::new(&codes::PARAMETER_NAME, place, format!("not every provider accepts a parameter named `{wire}`"))
        .label(if wire.len() > LONGEST_NAME { "too long" } else { "contains other characters" })
        .also(offered, format!("`{}` is offered to a model here", tool.name))
        .help(format!("use letters, digits and `_`, not starting with a digit, at most {LONGEST_NAME}"))
}

/// Two names that are one in some languages: the names there with the languages, such as "`UserID` in Go". `what` says what is called so.
pub(crate) fn target_names(names: (&str, &str), there: &str, places: (Place, Place), what: (&str, &str), help: &str) -> Diagnostic {
    let (first, second) = names;
    let message = if first == second {
        format!("two things would be named {there}")
    } else {
        format!("`{first}` and `{second}` would both be named {there}")
    };
    Diagnostic::new(&codes::TARGET_NAME_CLASH, places.1, message).label(what.1).also(places.0, what.0).help(help)
}

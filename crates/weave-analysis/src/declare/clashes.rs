//! Names that become one in a language that code is generated in.

use std::hash::Hasher as _;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use weave_diagnostics::{Diagnostic, FileId};
use weave_syntax::ast::ToolKind;
use weave_syntax::text::quoted_string;

use super::{Context, Declaring};
use crate::messages::tools as message;
use crate::model::declarations::{EnumValue, TargetNames, ToolReference, Variant};
use crate::model::naming::{Role, TargetLanguage};
use crate::model::types::FieldType;
use crate::model::{Declaration, DeclarationKind, Model};

/// Lists with more names are looked at with a set.
const SHORT: usize = 16;

/// A name of generated code.
#[derive(Clone, Copy)]
struct Named<'a> {
    name: &'a str,
    names: &'a TargetNames,
    role: Role,
    /// What is written behind the name, such as `Input`.
    suffix: &'static str,
}

/// The fields of a record, or parameters.
pub(crate) fn fields(context: &mut Context<'_>, fields: &[FieldType]) {
    let found = clashes(fields, |it| Named { name: &it.name, names: &it.target_names, role: Role::Member, suffix: "" });
    for clash in found {
        let (Some(first), Some(second)) = (fields.get(clash.first), fields.get(clash.second)) else { continue };
        let wire = second.wire_name();
        let help = format!(
            "rename one of them (`@wire({})` keeps its JSON name), or set its name there with `{}`",
            quoted_string(wire),
            clash.attribute
        );
        let places = (first.place, second.place);
        context.report(message::target_names(
            (&first.name, &second.name),
            &clash.there,
            places,
            ("the first one", "the second one"),
            &help,
        ));
    }
}

/// The values of an enum.
pub(super) fn values(context: &mut Context<'_>, values: &[EnumValue]) {
    let found = clashes(values, |it| Named { name: &it.name, names: &it.target_names, role: Role::Value, suffix: "" });
    for clash in found {
        let (Some(first), Some(second)) = (values.get(clash.first), values.get(clash.second)) else { continue };
        let help = format!("rename one of them: `other_name = \"{}\"` keeps its JSON value", second.wire);
        let places = (first.place, second.place);
        context.report(message::target_names(
            (&first.name, &second.name),
            &clash.there,
            places,
            ("the first one", "the second one"),
            &help,
        ));
    }
}

/// The variants of a union.
pub(super) fn variants(context: &mut Context<'_>, variants: &[Variant]) {
    let found = clashes(variants, |it| Named { name: &it.name, names: &it.target_names, role: Role::Type, suffix: "" });
    for clash in found {
        let (Some(first), Some(second)) = (variants.get(clash.first), variants.get(clash.second)) else { continue };
        let help = clash.rename();
        let places = (first.place, second.place);
        context.report(message::target_names(
            (&first.name, &second.name),
            &clash.there,
            places,
            ("the first one", "the second one"),
            &help,
        ));
    }
}

/// The declarations of each file, and the tools of each toolkit.
pub(crate) fn declarations(items: &[Declaring<'_>], model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    let declared = items.iter().filter(|it| !it.repaired).filter_map(|it| model.get(it.id));
    let declared = declared.filter(|it| it.file != FileId(0)).collect::<Vec<_>>();
    for group in declared.chunk_by(|one, other| one.file == other.file) {
        of_file(group, diagnostics);
        for declaration in group {
            if let DeclarationKind::Toolkit(toolkit) = &declaration.kind {
                of_toolkit(model, &toolkit.tools, diagnostics);
            }
        }
    }
}

/// The suffixes of what is generated for a declaration; none if nothing is.
fn generated(declaration: &Declaration) -> &'static [&'static str] {
    match &declaration.kind {
        DeclarationKind::Type(_) | DeclarationKind::Enum(_) | DeclarationKind::Union(_) | DeclarationKind::Error(_) => &[""],
        DeclarationKind::Tool(tool) if tool.kind == ToolKind::Provider => &[],
        DeclarationKind::Tool(tool) if tool.output.is_none() => &["Input"],
        DeclarationKind::Tool(_) | DeclarationKind::Agent(_) | DeclarationKind::Workflow(_) => &["Input", "Output"],
        DeclarationKind::Toolkit(_) => &["Service"],
        DeclarationKind::Event(_) | DeclarationKind::Prompt(_) => &[],
    }
}

/// Whether names of a file's declarations clash, whether or not the parser had to guess them.
pub(super) fn are_in(model: &Model, file: FileId) -> bool {
    let first = model.declarations.partition_point(|declaration| declaration.file < file);
    let own = model.declarations.get(first..).unwrap_or_default().iter().take_while(|declaration| declaration.file == file);
    let mut found = Vec::new();
    of_file(&own.map(|it| &**it).collect::<Vec<_>>(), &mut found);
    !found.is_empty()
}

/// Whether a declaration and what became of it may clash with others, each in another way.
pub(super) fn are_others(old: &Declaration, new: &Declaration) -> bool {
    let is_toolkit = |it: &Declaration| matches!(it.kind, DeclarationKind::Toolkit(_));
    let is_implemented = |it: &Declaration| matches!(&it.kind, DeclarationKind::Tool(tool) if tool.kind != ToolKind::Provider);
    let same = (&old.target_names, generated(old), is_implemented(old)) == (&new.target_names, generated(new), is_implemented(new));
    !same || is_toolkit(new)
}

fn of_file(declarations: &[&Declaration], diagnostics: &mut Vec<Diagnostic>) {
    let mut all: Vec<(&Declaration, &'static str)> = Vec::with_capacity(declarations.len());
    let mut events: Vec<(&Declaration, &'static str)> = Vec::new();
    for declaration in declarations {
        if matches!(declaration.kind, DeclarationKind::Event(_)) {
            events.push((declaration, ""));
        }
        all.extend(generated(declaration).iter().map(|suffix| (*declaration, *suffix)));
    }
    for list in [all, events] {
        let found = clashes(&list, |(it, suffix)| Named { name: &it.name, names: &it.target_names, role: Role::Type, suffix });
        // Two tools that clash in their inputs clash in their outputs too.
        let mut seen = FxHashSet::default();
        for clash in found {
            let (Some((first, one)), Some((second, other))) = (list.get(clash.first), list.get(clash.second)) else { continue };
            // The same name twice has been reported, and is told apart by nobody.
            if first.name == second.name || !seen.insert((first.place, second.place)) {
                continue;
            }
            let (one, other) = (made(first, one), made(second, other));
            let places = (first.place, second.place);
            let names = (&*first.name, &*second.name);
            diagnostics.push(message::target_names(names, &clash.there, places, (&one, &other), &clash.rename()));
        }
    }
}

/// What is generated for a declaration.
fn made(declaration: &Declaration, suffix: &str) -> String {
    let noun = declaration.kind.noun();
    match suffix {
        "Input" => format!("the parameters of {noun}"),
        "Output" => format!("the output of {noun}"),
        "Service" => "what implements a toolkit".to_owned(),
        _ => noun.to_owned(),
    }
}

/// The tools of a toolkit are the methods of one service. Those of one file have been compared already.
fn of_toolkit(model: &Model, tools: &[ToolReference], diagnostics: &mut Vec<Diagnostic>) {
    let implemented = tools.iter().filter_map(|reference| {
        let declaration = model.get(reference.target)?;
        let is_tool = matches!(&declaration.kind, DeclarationKind::Tool(tool) if tool.kind != ToolKind::Provider);
        is_tool.then_some((reference, declaration))
    });
    // The same tool under two names is one method.
    let mut seen = FxHashSet::default();
    let implemented = implemented.filter(|(reference, _)| seen.insert(reference.target)).collect::<Vec<_>>();
    let found = clashes(&implemented, |(_, it)| Named { name: &it.name, names: &it.target_names, role: Role::Member, suffix: "" });
    for clash in found {
        let (Some((first, one)), Some((second, other))) = (implemented.get(clash.first), implemented.get(clash.second)) else { continue };
        if one.file != other.file {
            let places = (first.place, second.place);
            let diagnostic =
                message::target_names((&one.name, &other.name), &clash.there, places, ("the first one", "the second one"), &clash.rename());
            diagnostics.push(diagnostic.also(one.place, "declared here").also(other.place, "declared here"));
        }
    }
}

/// Two things of a list that are called alike.
struct Clash {
    first: usize,
    second: usize,
    /// How and where: "`UserID` in Go and `userId` in TypeScript".
    there: String,
    /// The attribute that would give the second another name in the first such language.
    attribute: &'static str,
}

impl Clash {
    fn rename(&self) -> String {
        format!("rename one of them, or set its name there with `{}`", self.attribute)
    }
}

/// Names whose letters and digits differ, whatever their case, never become one; so most lists need no conversion at all. Two names with one
/// hash may differ after all, which costs a closer look.
fn folded(name: &str, suffix: &str) -> u64 {
    let mut hasher = FxHasher::default();
    let characters = name.chars().chain(suffix.chars()).filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase);
    characters.for_each(|character| hasher.write_u32(character.into()));
    hasher.finish()
}

fn may_clash<'a, T>(items: &'a [T], named: impl Fn(&'a T) -> Named<'a>) -> bool {
    let hash = |item| {
        let Named { name, names, suffix, .. } = named(item);
        names.is_empty().then(|| folded(name, suffix))
    };
    if items.len() > SHORT {
        let mut seen = FxHashSet::default();
        return items.iter().any(|item| hash(item).is_none_or(|hash| !seen.insert(hash)));
    }
    let mut seen = [0; SHORT];
    items.iter().enumerate().any(|(count, item)| {
        let Some(hash) = hash(item) else { return true };
        let met = seen.get(..count).is_some_and(|seen| seen.contains(&hash));
        if let Some(place) = seen.get_mut(count) {
            *place = hash;
        }
        met
    })
}

fn clashes<'a, T>(items: &'a [T], named: impl Fn(&'a T) -> Named<'a>) -> Vec<Clash> {
    if items.len() < 2 || !may_clash(items, &named) {
        return Vec::new();
    }
    let mut found: Vec<(usize, usize, Vec<Called>)> = Vec::new();
    let mut places: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for language in TargetLanguage::ALL {
        let mut first_of: FxHashMap<String, usize> = FxHashMap::default();
        for (second, item) in items.iter().enumerate() {
            let Named { name, names, role, suffix, .. } = named(item);
            let called = language.call(role, name, names);
            if called.is_empty() {
                continue;
            }
            let called = format!("{called}{suffix}");
            match first_of.get(&called) {
                None => {
                    first_of.insert(called, second);
                }
                Some(first) => {
                    let at = *places.entry((*first, second)).or_insert_with(|| {
                        found.push((*first, second, Vec::new()));
                        found.len() - 1
                    });
                    if let Some((_, _, names)) = found.get_mut(at) {
                        names.push((language, called));
                    }
                }
            }
        }
    }
    found.sort_by_key(|(first, second, _)| (*second, *first));
    found.into_iter().map(|(first, second, names)| Clash { first, second, there: there(&names), attribute: attribute(&names) }).collect()
}

/// A name in a language.
type Called = (TargetLanguage, String);

fn attribute(names: &[Called]) -> &'static str {
    match names.first() {
        Some((TargetLanguage::TypeScript, _)) => "@ts(name: \"…\")",
        Some((TargetLanguage::Python, _)) => "@python(name: \"…\")",
        _ => "@go(name: \"…\")",
    }
}

/// "`UserID` in Go, and `userId` in TypeScript": languages with one name together.
fn there(names: &[Called]) -> String {
    let groups = names.chunk_by(|one, other| one.1 == other.1).map(|group| {
        let languages = group.iter().map(|(language, _)| language.name()).collect::<Vec<_>>();
        let name = group.first().map(|(_, name)| name.as_str()).unwrap_or_default();
        format!("`{name}` in {}", and(&languages))
    });
    let groups = groups.collect::<Vec<_>>();
    and(&groups.iter().map(String::as_str).collect::<Vec<_>>())
}

fn and(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        Some((only, _)) => (*only).to_owned(),
        None => String::new(),
    }
}

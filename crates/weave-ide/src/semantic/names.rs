//! Names, as what they mean.

use rustc_hash::FxHashMap;
use weave_analysis::model::types::{RecordType, Type};
use weave_analysis::model::{Declaration, DeclarationId, DeclarationKind};
use weave_diagnostics::{Place, Span};
use weave_syntax::ast::{ItemKind, LineKind, Test};

use super::{SemanticKind as Kind, SemanticModifiers, SemanticToken};
use crate::analysis::ItemView;
use crate::{Analysis, Mention, Role, Symbol};

/// A field, a parameter, a value or a variant.
#[derive(Clone, Copy, Debug)]
struct Member {
    kind: Kind,
    deprecated: bool,
}

/// Names of items of a program.
pub(super) struct Names<'a> {
    analysis: &'a Analysis,
    /// The members of those declarations that were met, by the places of their names in the model.
    members: FxHashMap<DeclarationId, FxHashMap<Place, Member>>,
}

impl<'a> Names<'a> {
    pub(super) fn new(analysis: &'a Analysis) -> Self {
        Self { analysis, members: FxHashMap::default() }
    }

    /// The names in an item, in the order of the text.
    pub(super) fn of(&mut self, item: &ItemView<'_>) -> Vec<SemanticToken> {
        let mut found: Vec<SemanticToken> = Vec::new();
        // A string keeps the colour of strings, whatever it stands for.
        for mention in self.analysis.mentions_in(item).into_iter().filter(|mention| mention.role != Role::Says) {
            // A word that means several things has the colour of the first.
            if found.last().is_none_or(|last| last.span != mention.place.span) {
                found.extend(self.token(&mention));
            }
        }
        if let ItemKind::Test(test) = &item.slot.parsed.item.kind {
            test_words(item, test, &mut found);
        }
        found.sort_by_key(|token| (token.span.start, token.span.end));
        found
    }

    fn token(&mut self, mention: &Mention) -> Option<SemanticToken> {
        let declaration = mention.role == Role::Declares;
        let token = |kind, deprecated, built_in| {
            let modifiers = SemanticModifiers { declaration, deprecated, built_in, documentation: false };
            Some(SemanticToken { span: mention.place.span, kind, modifiers })
        };
        match &mention.symbol {
            Symbol::Declaration(id) => {
                let declared = self.analysis.model().get(*id)?;
                token(of_declaration(declared), declared.deprecated.is_some(), declared.file.0 == 0)
            }
            Symbol::Node(..) | Symbol::Variable(_) => token(Kind::Variable, false, false),
            Symbol::Member(place) => {
                let member = self.member(*place);
                token(member.kind, member.deprecated, place.file.0 == 0)
            }
            Symbol::BuiltIn("start") => token(Kind::Keyword, false, false),
            Symbol::BuiltIn("failure") if !self.is_behind_dot(mention.place) => token(Kind::Keyword, false, false),
            Symbol::BuiltIn("kind" | "code" | "message" | "data") => token(Kind::Property, false, true),
            Symbol::BuiltIn(_) => token(Kind::Variable, false, true),
            Symbol::Type(_) => token(Kind::Type, false, true),
            Symbol::Rule(_) => token(Kind::Decorator, false, true),
            // The path of an import is a text.
            Symbol::File(_) => None,
        }
    }

    /// `.failure` is a value, `on failure` a word of the language.
    fn is_behind_dot(&self, place: Place) -> bool {
        self.analysis.text(place.file).get(..place.span.start as usize).is_some_and(|before| before.ends_with('.'))
    }

    fn member(&mut self, place: Place) -> Member {
        let unknown = Member { kind: Kind::Property, deprecated: false };
        let analysis = self.analysis;
        let Some(item) = analysis.item_at(place.file, place.span.start) else { return unknown };
        let Some((id, declaration)) = analysis.declared_by(&item) else { return unknown };
        let members = self.members.entry(id).or_insert_with(|| members(declaration));
        members.get(&analysis.in_model(&item, place)).copied().unwrap_or(unknown)
    }
}

/// The names of tests, and the words that are keywords in tests alone.
fn test_words(item: &ItemView<'_>, test: &Test, found: &mut Vec<SemanticToken>) {
    let mut push = |span: Span, kind, declaration| {
        if !span.is_empty() {
            let modifiers = SemanticModifiers { declaration, ..SemanticModifiers::default() };
            found.push(SemanticToken { span: item.place(span).span, kind, modifiers });
        }
    };
    push(test.name.span, Kind::Function, true);
    for line in test.lines() {
        push(Span::new(line.span.start, line.span.start + line.kind.verb().len() as u32), Kind::Keyword, false);
        if let LineKind::Fail { once: Some(once), .. } = &line.kind {
            push(*once, Kind::Keyword, false);
        }
    }
    // Inner tests nest no deeper than brackets may.
    test.branches().for_each(|branch| test_words(item, &branch.test, found));
}

const fn of_declaration(declaration: &Declaration) -> Kind {
    match &declaration.kind {
        DeclarationKind::Type(_) | DeclarationKind::Union(_) | DeclarationKind::Error(_) => Kind::Type,
        DeclarationKind::Enum(_) => Kind::Enum,
        DeclarationKind::Event(_) => Kind::Event,
        DeclarationKind::Tool(_) | DeclarationKind::Workflow(_) => Kind::Function,
        DeclarationKind::Toolkit(_) => Kind::Namespace,
        DeclarationKind::Prompt(_) => Kind::Macro,
        DeclarationKind::Agent(_) => Kind::Class,
    }
}

/// The members of a declaration, by the places of their names.
fn members(declaration: &Declaration) -> FxHashMap<Place, Member> {
    let mut found = FxHashMap::default();
    let mut types: Vec<&Type> = Vec::new();
    match &declaration.kind {
        DeclarationKind::Enum(it) => {
            found.extend(it.values.iter().map(|value| (value.place, of_enum(value.deprecated.is_some()))));
        }
        DeclarationKind::Union(it) => {
            found.extend(it.variants.iter().map(|variant| (variant.place, of_enum(variant.deprecated.is_some()))));
            types.extend(it.variants.iter().map(|variant| &variant.ty));
        }
        DeclarationKind::Type(ty) => types.push(ty),
        DeclarationKind::Error(record) => fields(record, Kind::Property, &mut found, &mut types),
        DeclarationKind::Event(event) => types.push(&event.payload),
        DeclarationKind::Tool(tool) => {
            fields(&tool.input, Kind::Parameter, &mut found, &mut types);
            types.extend([&tool.output, &tool.progress, &tool.artifacts].into_iter().flatten());
        }
        DeclarationKind::Prompt(prompt) => {
            fields(&prompt.input, Kind::Parameter, &mut found, &mut types);
            if let Some(record) = &prompt.hydrates {
                fields(record, Kind::Parameter, &mut found, &mut types);
            }
        }
        DeclarationKind::Agent(agent) => {
            fields(&agent.input, Kind::Parameter, &mut found, &mut types);
            types.extend(&agent.output);
        }
        DeclarationKind::Workflow(it) => {
            fields(&it.input, Kind::Parameter, &mut found, &mut types);
            types.extend(&it.output);
        }
        DeclarationKind::Toolkit(_) => {}
    }
    while let Some(ty) = types.pop() {
        match ty {
            Type::Record(record) => fields(record, Kind::Property, &mut found, &mut types),
            Type::List(list) => types.push(&list.item),
            Type::Map(map) => types.push(&map.value),
            Type::Union(alternatives) => types.extend(alternatives.iter()),
            _ => {}
        }
    }
    found
}

const fn of_enum(deprecated: bool) -> Member {
    Member { kind: Kind::EnumMember, deprecated }
}

fn fields<'a>(record: &'a RecordType, kind: Kind, found: &mut FxHashMap<Place, Member>, types: &mut Vec<&'a Type>) {
    for field in &record.fields {
        found.entry(field.place).or_insert(Member { kind, deprecated: field.deprecated.is_some() });
        types.push(&field.ty);
    }
}

//! A constraint that the provider of an agent's model does not hold it to.

use rustc_hash::{FxHashMap, FxHashSet};
use weave_analysis::model::declarations::Agent;
use weave_analysis::model::types::{FieldType, Limits, RecordType, Scalar, Type};
use weave_analysis::model::{DeclarationId, DeclarationKind, Model};
use weave_diagnostics::{Code, Place, Severity};
use weave_providers::Provider;

use crate::findings::Findings;
use crate::project::{DeclarationView, Project};
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unenforced-constraint",
    severity: Severity::Note,
    summary: "The provider of an agent's model does not enforce a constraint of its output or of its tools.",
    explanation: "A provider that enforces a schema prevents the model from writing anything else, but each provider supports only a part of JSON Schema. The model reads the remaining constraints as text and may violate them: such an answer fails with `invalid_output`, and such arguments fail with `invalid_input`. Use a type that the provider enforces, such as an `enum` instead of a `pattern`, or let the agent `retry`. The provider is recognized by the name of the model, such as `claude-…`, `gpt-…` or `gemini-…`, or by a tool that a provider executes. The page about providers lists what each one supports, and `projections` in a definition lists everything that is lost.",
    bad: "\
/// Reads an order off a letter.
agent reader(letter: string) -> { order: string(pattern: \"^[A-Z]-[0-9]+$\") } {
  model \"claude-sonnet-5\"
  system \"Read the number of the order: {{.letter}}\"
}
",
    good: "\
/// Reads an order off a letter.
agent reader(letter: string) -> { series: \"A\" | \"B\", number: int } {
  model \"claude-sonnet-5\"
  system \"Read the series and the number of the order: {{.letter}}\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::No, check: Check::Project(check), options: &[] };

fn check(project: &Project<'_>, findings: &mut Findings<'_>) {
    // A type that several agents of one provider use is looked at once.
    let mut losses: FxHashMap<Provider, Losses<'_>> = FxHashMap::default();
    for view in project.declarations() {
        let DeclarationKind::Agent(agent) = &view.declaration.kind else { continue };
        let Some(provider) = provider(project.model, agent) else { continue };
        let losses = losses.entry(provider).or_insert_with(|| Losses::new(project.model, provider));
        losses.of_agent(&view, agent);
        for loss in losses.found.drain(..).filter(|loss| project.is_linted(loss.place.file)) {
            let model = view.setting("model").map_or(view.declaration.place, |setting| view.place(setting.span));
            let constraints: Vec<String> = loss.constraints.iter().map(|constraint| format!("`{constraint}`")).collect();
            let message = format!("{} does not enforce {} of {}", provider.name(), constraints.join(", "), loss.owner);
            findings.report(
                findings
                    .at(loss.place, message)
                    .label("the model reads this only as text, and may violate it")
                    .also(model, format!("{} is used here", provider.name()))
                    .help("handle values that violate it, or use something that is enforced: an enum or another type"),
            );
        }
    }
}

/// Whose model an agent asks, as far as its name or the tools that a provider executes say.
fn provider(model: &Model, agent: &Agent) -> Option<Provider> {
    let by_name = agent.model.as_deref().and_then(|name| {
        let name = name.to_ascii_lowercase();
        name.split(['/', ':']).find_map(|part| match part {
            _ if part.starts_with("claude") || part == "anthropic" => Some(Provider::Anthropic),
            _ if part.starts_with("gemini") => Some(Provider::Gemini),
            _ if part.starts_with("gpt-oss") => None,
            _ if part.starts_with("gpt-") || part == "openai" => Some(Provider::OpenAi),
            _ => None,
        })
    });
    let by_tools = || {
        agent.tools.iter().find_map(|tool| match &model.get(tool.target)?.kind {
            DeclarationKind::Tool(tool) => {
                let via = tool.via.as_ref()?;
                Provider::ALL.into_iter().find(|provider| provider.id() == &*via.provider)
            }
            _ => None,
        })
    };
    by_name.or_else(by_tools)
}

/// Constraints that a provider does not enforce.
struct Loss {
    place: Place,
    /// What they constrain.
    owner: String,
    constraints: Vec<&'static str>,
}

/// What stands for a type that is not written out.
#[derive(Clone, Copy)]
enum Owner<'a> {
    Field(&'a FieldType),
    Declared { name: &'a str, place: Place },
    Answer { name: &'a str, place: Place },
}

impl Owner<'_> {
    const fn place(&self) -> Place {
        match self {
            Self::Field(field) => field.place,
            Self::Declared { place, .. } | Self::Answer { place, .. } => *place,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Field(field) => format!("`{}`", field.name),
            Self::Declared { name, .. } => format!("`{name}`"),
            Self::Answer { name, .. } => format!("the answer of `{name}`"),
        }
    }
}

/// A walk through everything that the models of a provider write.
struct Losses<'a> {
    model: &'a Model,
    provider: Provider,
    seen: FxHashSet<DeclarationId>,
    waiting: Vec<(Owner<'a>, &'a Type)>,
    /// Where in `found` the constraints of a place are.
    at: FxHashMap<Place, usize>,
    found: Vec<Loss>,
}

impl<'a> Losses<'a> {
    fn new(model: &'a Model, provider: Provider) -> Self {
        Self { model, provider, seen: FxHashSet::default(), waiting: Vec::new(), at: FxHashMap::default(), found: Vec::new() }
    }

    /// What is lost of the answer of an agent and of the arguments of its tools, and was not found before.
    fn of_agent(&mut self, view: &DeclarationView<'a>, agent: &'a Agent) {
        self.at.clear();
        if let Some(output) = &agent.output {
            self.waiting.push((Owner::Answer { name: &view.declaration.name, place: view.declaration.place }, output));
        }
        let mut offered: Vec<DeclarationId> = agent.tools.iter().map(|tool| tool.target).collect();
        while let Some(id) = offered.pop() {
            if !self.seen.insert(id) {
                continue;
            }
            match self.model.get(id).map(|declaration| &declaration.kind) {
                // Its provider knows what its own tool takes.
                Some(DeclarationKind::Tool(tool)) if tool.via.is_none() => self.record(&tool.input),
                Some(DeclarationKind::Toolkit(toolkit)) => offered.extend(toolkit.tools.iter().map(|tool| tool.target)),
                Some(DeclarationKind::Agent(agent)) => self.record(&agent.input),
                Some(DeclarationKind::Workflow(workflow)) => self.record(&workflow.input),
                _ => {}
            }
        }
        while let Some((owner, ty)) = self.waiting.pop() {
            self.look(owner, ty);
        }
    }

    fn record(&mut self, record: &'a RecordType) {
        self.waiting.extend(record.fields.iter().rev().map(|field| (Owner::Field(field), &field.ty)));
    }

    fn look(&mut self, owner: Owner<'a>, ty: &'a Type) {
        match ty {
            Type::Scalar(scalar, limits) => self.scalar(owner, *scalar, limits.as_deref()),
            Type::List(list) => {
                let known = self.provider.limits();
                let is_known = |least: u64| known.knows("minItems") && known.min_items.is_none_or(|all| all.contains(&least));
                self.lose(owner, "min", list.min.is_some_and(|least| !is_known(least)));
                self.lose(owner, "max", list.max.is_some() && !known.knows("maxItems"));
                self.lose(owner, "unique", list.unique && !known.knows("uniqueItems"));
                self.waiting.push((owner, &list.item));
            }
            Type::Map(map) => {
                let known = self.provider.limits();
                self.lose(owner, "min", map.min.is_some() && !known.knows("minProperties"));
                self.lose(owner, "max", map.max.is_some() && !known.knows("maxProperties"));
                self.waiting.push((owner, &map.value));
            }
            Type::Record(record) => self.record(record),
            Type::Union(alternatives) => self.waiting.extend(alternatives.iter().rev().map(|ty| (owner, ty))),
            Type::Named(id) => self.declared(*id),
            Type::Unknown | Type::Json | Type::Null | Type::Literal(_) => {}
        }
    }

    fn declared(&mut self, id: DeclarationId) {
        if !self.seen.insert(id) {
            return;
        }
        let Some(declaration) = self.model.get(id) else { return };
        let owner = Owner::Declared { name: &declaration.name, place: declaration.place };
        match &declaration.kind {
            DeclarationKind::Type(ty) => self.waiting.push((owner, ty)),
            DeclarationKind::Union(union) => self.waiting.extend(union.variants.iter().rev().map(|variant| (owner, &variant.ty))),
            _ => {}
        }
    }

    fn scalar(&mut self, owner: Owner<'a>, scalar: Scalar, limits: Option<&Limits>) {
        let known = self.provider.limits();
        let form = match scalar {
            Scalar::Uri => Some("uri"),
            Scalar::Email => Some("email"),
            Scalar::Uuid => Some("uuid"),
            Scalar::Duration => Some("duration"),
            _ => None,
        };
        if let Some(form) = form {
            self.lose(owner, form, !(known.knows("format") && known.knows_format(form)));
        }
        let Some(limits) = limits else { return };
        // Of what is a text in JSON only the length can be bounded there; the bounds of its value are always words.
        let (least, most) = match scalar {
            Scalar::Int | Scalar::Float => (known.knows("minimum"), known.knows("maximum")),
            _ if scalar.is_text_on_wire() => (false, false),
            _ => (known.knows("minLength"), known.knows("maxLength")),
        };
        self.lose(owner, "min", limits.min.is_some() && !least);
        self.lose(owner, "max", limits.max.is_some() && !most);
        self.lose(owner, "pattern", limits.pattern.is_some() && !known.knows("pattern"));
    }

    fn lose(&mut self, owner: Owner<'a>, constraint: &'static str, is_lost: bool) {
        if !is_lost {
            return;
        }
        let next = self.found.len();
        let at = *self.at.entry(owner.place()).or_insert(next);
        if at == next {
            self.found.push(Loss { place: owner.place(), owner: owner.text(), constraints: Vec::new() });
        }
        if let Some(loss) = self.found.get_mut(at)
            && !loss.constraints.contains(&constraint)
        {
            loss.constraints.push(constraint);
        }
    }
}

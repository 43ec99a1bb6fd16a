//! Findings about programs that are legal but most likely wrong.
//!
//! A [`Rule`] is declared in a file of its own under `rules/`, with its group, its page and its check; [`RULES`] lists them all. [`lint`] runs
//! the rules that [`Settings`] leaves on over a checked [`Project`] and takes away what an `@allow` or a `// weave: allow-file` answers
//! for. A program with errors is not linted: what a rule would say may only follow from the error.

mod baseline;
mod config;
mod edit;
mod facts;
mod fields;
mod findings;
mod fingerprint;
mod guards;
mod hazards;
mod levels;
mod mistaken;
mod named;
mod names;
mod parts;
mod project;
mod reads;
mod registry;
mod retries;
mod rule;
mod rules;
mod run;
mod secret_forms;
mod secrets;
mod suppression;
mod templates;
mod unused;

pub use baseline::{Baseline, CODES as BASELINE_CODES, Comparison, Entry as BaselineEntry};
pub use config::{
    Address, CODES as CONFIG_CODES, Config, EVERY_TOOL, SCHEMA_ID as CONFIG_SCHEMA_ID, ToolSetting, schema as config_schema,
    schema_text as config_schema_text,
};
pub use facts::Facts;
pub use findings::Findings;
pub use fingerprint::{Identity, fingerprints};
pub use levels::{Level, Settings};
pub use project::{DeclarationView, FileView, NodeView, Project, WorkflowView};
pub use reads::{Notice, notices};
pub use registry::{RULES, find};
pub use rule::{Check, Fixable, Group, Rule, RuleOption};
pub use run::{Options, lint};
pub use suppression::Day;
pub use unused::used_names;

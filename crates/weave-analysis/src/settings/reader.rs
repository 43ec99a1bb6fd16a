//! Which settings a declaration has, and which of them it may have.

use weave_diagnostics::{Span, closest};
use weave_syntax::ast::{Block, BlockEntry, Setting};

use crate::declare::Context;
use crate::messages::settings as message;

/// What has settings.
#[derive(Clone, Copy)]
pub(super) struct Host {
    /// What it is called, with its article: "a tool".
    pub(super) noun: &'static str,
    /// Its settings.
    pub(super) settings: &'static [&'static str],
}

/// Settings that may be given several times.
const REPEATED: [&str; 2] = ["example", "binding"];

/// The settings of one declaration or of one block.
pub(super) struct Settings<'b> {
    host: Host,
    /// Each with the name under which the host knows it, in the order of the text.
    pub(super) given: Vec<(&'static str, &'b Setting)>,
    /// The names of those that are there in some other way, which has been reported: with a colon, or misspelled.
    meant: Vec<&'static str>,
}

impl<'b> Settings<'b> {
    /// The settings of a block.
    pub(super) fn of_block(context: &mut Context<'_>, host: Host, block: Option<&'b Block>) -> Self {
        let entries = block.map(|block| &*block.entries).unwrap_or_default();
        let settings = entries.iter().filter_map(|entry| if let BlockEntry::Setting(setting) = entry { Some(setting) } else { None });
        let mut found = Self::of(context, host, settings);
        for entry in entries {
            if let BlockEntry::Data(data) = entry {
                let name = data.key.text(context.item.text);
                found.meant.extend(host.settings.iter().find(|own| **own == name));
            }
        }
        found
    }

    /// These settings.
    pub(super) fn of(context: &mut Context<'_>, host: Host, settings: impl Iterator<Item = &'b Setting>) -> Self {
        let mut given: Vec<(&'static str, &'b Setting)> = Vec::new();
        let mut meant = Vec::new();
        for setting in settings {
            let text = context.text(setting.name.span);
            if text.is_empty() {
                continue;
            }
            let place = context.item.place(setting.name.span);
            let Some(name) = host.settings.iter().find(|name| **name == text) else {
                let similar = own_setting(text).filter(|own| host.settings.contains(own));
                let similar = similar.or_else(|| closest(text, host.settings.iter().copied()));
                context.report(message::unknown_setting(text, host.noun, host.settings, place, similar));
                meant.extend(similar);
                continue;
            };
            let first = given.iter().find(|(other, _)| other == name).map(|(_, first)| first.name.span);
            match first {
                Some(first) if !REPEATED.contains(name) => {
                    context.report(message::duplicate_setting(name, place, context.item.place(first)));
                }
                _ => given.push((name, setting)),
            }
        }
        Self { host, given, meant }
    }

    /// The setting of this name.
    pub(super) fn get(&self, name: &str) -> Option<&'b Setting> {
        self.given.iter().find(|(other, _)| *other == name).map(|(_, setting)| *setting)
    }

    /// Whether the setting is there, however it was written.
    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some() || self.meant.contains(&name)
    }

    /// Reports that none of these settings is there.
    pub(super) fn require(&self, context: &mut Context<'_>, names: &[&'static str], declaration: &str, at: Span) {
        if !names.iter().any(|name| self.has(name)) {
            context.report(message::missing_setting(names, self.host.noun, declaration, context.item.place(at)));
        }
    }
}

/// What a setting is called here that other systems call so.
fn own_setting(foreign: &str) -> Option<&'static str> {
    Some(match foreign {
        "description" | "doc" | "docs" => return None,
        "name" | "label" | "display_name" => "title",
        "retries" => "retry",
        "error" | "errors" | "throws" | "raises" => "fails",
        "examples" => "example",
        "url" | "endpoint" | "address" => "at",
        "mcp" | "source" => "from",
        "config" | "metadata" => "meta",
        "max_trips" | "max_steps" | "turns" | "max_iterations" => "max_turns",
        "instructions" | "system_prompt" => "system",
        "emits" | "stream" => "progress",
        "tool" | "toolkits" | "skills" | "include" | "includes" | "members" => "tools",
        "visibility" | "defer_loading" => "activation",
        "output_limit" | "max_result" | "max_output_bytes" => "max_output",
        "identifier" | "key" => "id",
        "approve" | "needs_approval" => "approval",
        _ => return None,
    })
}

//! Where a tool is implemented: the stub that was generated for it.

use std::sync::Arc;

use serde_json::Value as Json;
use weave_analysis::model::declarations::TargetNames;
use weave_analysis::model::naming::{Role, TargetLanguage};
use weave_analysis::model::{Declaration, DeclarationKind};
use weave_compiler::path_within;
use weave_diagnostics::{FileId, SourceFile, Span};

use crate::{Project, Symbol, Workspace};

/// The languages, as `weave.toml` calls them, and what the list of the files that were generated is called.
const LANGUAGES: [(TargetLanguage, &str, &str); 3] = [
    (TargetLanguage::Go, "go", ".weave-go.json"),
    (TargetLanguage::TypeScript, "typescript", ".weave-typescript.json"),
    (TargetLanguage::Python, "python", ".weave-python.json"),
];

/// A method that was generated for a tool.
#[derive(Clone, Debug)]
pub struct Implementation {
    /// The path of the file.
    pub path: String,
    /// Its text.
    pub source: Arc<SourceFile>,
    /// The name of the method in it.
    pub span: Span,
}

/// The stubs of the tool at an offset, in all languages that `weave.toml` says the folder of; what is not generated yet has none.
#[must_use]
pub fn implementation(workspace: &Workspace, project: &Project, file: FileId, offset: u32) -> Vec<Implementation> {
    let mentions = project.analysis.mentions_at(file, offset);
    let tool = mentions.iter().find_map(|mention| match &mention.symbol {
        Symbol::Declaration(id) => project.analysis.model().get(*id),
        _ => None,
    });
    let Some(tool) = tool.filter(|tool| matches!(tool.kind, DeclarationKind::Tool(_))) else { return Vec::new() };
    let mut found = Vec::new();
    for config in &*project.configs {
        let folder = config.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (language, key, list) in LANGUAGES {
            let Some(output) = config.outputs.iter().find(|(language, _)| *language == key).map(|(_, output)| output) else { continue };
            let output = path_within(folder, output);
            let Some(listed) = workspace.read_outside(&format!("{output}/{list}")) else { continue };
            found.extend(stubs(workspace, project, tool, language, &output, &listed));
        }
    }
    found
}

/// The methods for a tool among the files that a list names.
fn stubs(
    workspace: &Workspace,
    project: &Project,
    tool: &Declaration,
    language: TargetLanguage,
    output: &str,
    listed: &str,
) -> Vec<Implementation> {
    let method = language.call(Role::Member, &tool.name, &tool.target_names);
    let stem = project.analysis.source(tool.file).map(|source| stem(source.name()).to_owned()).unwrap_or_default();
    let list: Json = serde_json::from_str(listed).unwrap_or_default();
    let files = list.get("files").and_then(Json::as_object);
    // What leads out of the folder is none of what was generated, whoever wrote it there.
    let is_tools = |path: &&String| {
        let mut parts = path.rsplit('/');
        parts.next().is_some_and(|name| stem_of(name) == "tools")
            && parts.next().is_some_and(|package| is_called(package, &stem))
            && !path.contains("..")
    };
    let paths = files.into_iter().flat_map(|files| files.keys()).filter(is_tools);
    let found = paths.filter_map(|path| {
        let path = format!("{output}/{path}");
        let text = workspace.read_outside(&path)?;
        let span = declared(&text, &method)?;
        Some(Implementation { source: Arc::new(SourceFile::new(path.clone(), text)), path, span })
    });
    found.collect()
}

/// The name of a file without its folder and its ending.
fn stem(path: &str) -> &str {
    stem_of(path.rsplit('/').next().unwrap_or_default())
}

fn stem_of(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Whether a package is the one of a file: languages have customs of their own about capitals and underlines.
fn is_called(package: &str, stem: &str) -> bool {
    let plain = |name: &str| TargetLanguage::Python.call(Role::Member, name, &TargetNames::default()).replace('_', "");
    plain(package) == plain(stem)
}

/// Where a method of this name is declared: first on its line, behind a word of the language at most, and with its parameters behind it.
fn declared(text: &str, method: &str) -> Option<Span> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let before = line.len() - trimmed.len();
        let words = ["async def ", "def ", "async ", ""];
        let found = words.iter().find_map(|word| Some((word.len(), trimmed.strip_prefix(word)?.strip_prefix(method)?)));
        if let Some((word, rest)) = found
            && before > 0
            && rest.starts_with(['(', '<', '?'])
        {
            let start = (at + before + word) as u32;
            return Some(Span::new(start, start + method.len() as u32));
        }
        at += line.len();
    }
    None
}

//! What tools become, whatever the language.

use serde_json::Value;
use weave_ir::package::{Package, PackageTool, ServiceEntry, ToolUse, TypeReference};
use weave_ir::{Activation, Category, ToolKind};

/// What becomes of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A service implements it.
    Implemented,
    /// A call is read and never executed.
    Signal,
    /// A call is read, and somebody answers later.
    Interaction,
    /// It runs elsewhere: all that there is to know is its description.
    Described,
}

/// What becomes of this tool.
pub(crate) fn role(tool: &PackageTool) -> Role {
    match tool.descriptor.kind {
        // What comes from a server of MCP is implemented there.
        ToolKind::Remote if tool.descriptor.from.is_some() => Role::Described,
        ToolKind::Local | ToolKind::Remote => Role::Implemented,
        ToolKind::Signal => Role::Signal,
        ToolKind::Interaction => Role::Interaction,
        ToolKind::Provider => Role::Described,
    }
}

/// What a definition says about a tool beside its schemas: those are put into it when somebody asks for them.
pub(crate) fn said(tool: &PackageTool) -> Value {
    let mut said = serde_json::to_value(&tool.descriptor).unwrap_or_default();
    if let Value::Object(entries) = &mut said {
        entries.retain(|key, _| !matches!(key.as_str(), "input" | "output" | "progress" | "artifacts"));
    }
    said
}

/// The schemas of a tool by their keys in its descriptor, and their types; an output that there is none of has none.
pub(crate) fn schemas(tool: &PackageTool) -> impl Iterator<Item = (&'static str, Option<&TypeReference>)> {
    let optional = [("progress", &tool.progress), ("artifacts", &tool.artifacts)];
    let optional = optional.into_iter().filter_map(|(key, ty)| Some((key, Some(ty.as_ref()?))));
    [("input", Some(&tool.input)), ("output", tool.output.as_ref())].into_iter().chain(optional)
}

/// How a service is named where something is wrong with its tools.
pub(crate) fn labelled(package: &Package, service: &str) -> String {
    format!("{}.{service}", package.name)
}

/// All tools of a package, as the entries of a toolkit.
pub(crate) fn all_tools(package: &Package) -> Vec<ServiceEntry> {
    let entry = |tool: &PackageTool| {
        // What only steps call, no model is offered.
        let is_internal = tool.descriptor.activation == Some(Activation::Internal);
        let offered = if is_internal { Vec::new() } else { vec![tool.name.clone()] };
        ServiceEntry { offered, tool: ToolUse { package: None, name: tool.name.clone() } }
    };
    package.tools.iter().map(entry).collect()
}

/// A tool of the package `home`, or of this one, with its types as this package refers to them.
pub(crate) fn seen_from(package: &Package, tool: &PackageTool, home: Option<&str>) -> PackageTool {
    let from = |reference: &TypeReference| TypeReference {
        package: reference.package.clone().or_else(|| home.map(str::to_owned)).filter(|named| *named != package.name),
        name: reference.name.clone(),
    };
    let mut seen = tool.clone();
    seen.input = from(&tool.input);
    for ty in [&mut seen.output, &mut seen.progress, &mut seen.artifacts] {
        *ty = ty.as_ref().map(from);
    }
    seen
}

/// The status of an answer over HTTP that carries an error of this category.
pub(crate) const fn status(category: Option<Category>) -> u16 {
    match category {
        Some(Category::Invalid) => 400,
        Some(Category::Unauthenticated) => 401,
        Some(Category::Denied) => 403,
        Some(Category::NotFound) => 404,
        Some(Category::Conflict) => 409,
        Some(Category::RateLimit) => 429,
        Some(Category::Unavailable) => 503,
        Some(Category::Timeout) => 504,
        Some(Category::Internal) => 500,
        // What went wrong is known and no mistake of the service.
        None => 422,
    }
}

//! What carries out the calls of tools: the table `[tools]` of `weave.toml`, and `at env(…)` of the program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use weave_compiler::lint::{Address, EVERY_TOOL, ToolSetting};
use weave_ir::{Definition, Tool, ToolKind, ToolkitEntry};
use weave_tools::{Command, Handler, Handlers, Service};

use super::chosen::Chosen;
use crate::config::Configs;
use crate::failure::{Failure, Failures};
use crate::terminal::Terminal;

/// The variables that a command receives without being listed: what programs need to start.
const SYSTEM: &[&str] = if cfg!(windows) {
    &["PATH", "HOME", "SYSTEMROOT", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE"]
} else {
    &["PATH", "HOME", "TMPDIR", "LANG"]
};

/// What carries out the calls of a workflow.
pub(crate) struct Wiring {
    pub(crate) handlers: Handlers,
    /// The tools whose calls with an unknown outcome fail at once.
    pub(crate) unknown_fails: BTreeSet<String>,
    /// The tools and prompts for which nothing is configured, each with the variable that has its address, if the program names one.
    pub(crate) missing: BTreeMap<String, Missing>,
}

/// Something for which nothing is configured.
pub(crate) struct Missing {
    /// It is a prompt that is filled in at run time, not a tool.
    pub(crate) prompt: bool,
    /// The program says that this environment variable has its address; it is not set.
    pub(crate) variable: Option<String>,
    /// The program says that it comes from this server of the Model Context Protocol.
    pub(crate) server: Option<String>,
    /// An entry of `[tools]` with a similar name.
    pub(crate) near: Option<String>,
}

/// Finds what carries out the calls of the tools. Nothing: `weave.toml` has errors, which were reported.
pub(crate) fn wire(chosen: &Chosen, terminal: Terminal) -> Result<Option<Wiring>, Failures> {
    let file = chosen.map.as_ref().and_then(|map| map.sources.first()).map_or_else(|| PathBuf::from("-"), PathBuf::from);
    let mut configs = Configs::new(None)?;
    configs.find(&file)?;
    if configs.diagnostics.iter().any(weave_diagnostics::Diagnostic::is_error) {
        terminal.report(&configs.diagnostics, &configs.sources);
        return Ok(None);
    }
    let none = BTreeMap::new();
    let settings = configs.tools(&file).unwrap_or(&none);
    let folder = configs.folder(&file).unwrap_or_else(|| crate::config::absolute(Path::new(".")));
    let mut wiring =
        Found { settings, folder: &folder, handlers: BTreeMap::new(), unknown_fails: BTreeSet::new(), missing: BTreeMap::new() };
    let mut failures = Failures::new();
    for (definition, _) in &chosen.all {
        for (name, tool) in definition.tools.iter().filter(|(_, tool)| matches!(tool.kind, ToolKind::Local | ToolKind::Remote)) {
            failures.extend(wiring.tool(name, tool, definition).err());
        }
        for (name, _) in definition.prompts.iter().filter(|(_, prompt)| prompt.hydrates.is_some()) {
            failures.extend(wiring.prompt(name).err());
        }
    }
    if !failures.is_empty() {
        return Err(failures);
    }
    let Found { handlers, unknown_fails, missing, .. } = wiring;
    let handlers = Handlers::new(handlers).map_err(Failure::new)?;
    Ok(Some(Wiring { handlers, unknown_fails, missing }))
}

struct Found<'a> {
    settings: &'a BTreeMap<String, ToolSetting>,
    folder: &'a Path,
    handlers: BTreeMap<String, Handler>,
    unknown_fails: BTreeSet<String>,
    missing: BTreeMap<String, Missing>,
}

impl Found<'_> {
    fn tool(&mut self, name: &str, tool: &Tool, definition: &Definition) -> Result<(), Failure> {
        let own = self.settings.get(name);
        let at = tool.at.as_ref().map(|at| at.env.as_str());
        let setting = match (own, at) {
            (None, None) => {
                toolkits_of(name, definition).into_iter().find_map(|kit| self.settings.get(kit)).or(self.settings.get(EVERY_TOOL))
            }
            _ => own,
        };
        if setting.is_some_and(|setting| setting.unknown_fails) {
            self.unknown_fails.insert(name.to_owned());
        }
        let handler = match setting {
            Some(setting) if setting.command.is_some() || setting.url.is_some() => Some(self.handler(name, setting)?),
            _ => match at.and_then(|at| variable(at).ok()) {
                Some(address) => Some(Handler::Service(service(name, &address, setting)?)),
                None => None,
            },
        };
        match handler {
            Some(handler) => drop(self.handlers.insert(name.to_owned(), handler)),
            None => {
                let server = tool.from.as_ref().map(|weave_ir::Origin::Mcp(origin)| origin.server.clone());
                self.miss(name, Missing { prompt: false, variable: at.map(str::to_owned), server, near: None });
            }
        }
        Ok(())
    }

    fn prompt(&mut self, name: &str) -> Result<(), Failure> {
        match self.settings.get(name).filter(|setting| setting.command.is_some() || setting.url.is_some()) {
            Some(setting) => drop(self.handlers.insert(name.to_owned(), self.handler(name, setting)?)),
            None => self.miss(name, Missing { prompt: true, variable: None, server: None, near: None }),
        }
        Ok(())
    }

    fn miss(&mut self, name: &str, missing: Missing) {
        let near = weave_diagnostics::closest(name, self.settings.keys().map(String::as_str)).map(str::to_owned);
        self.missing.insert(name.to_owned(), Missing { near, ..missing });
    }

    fn handler(&self, name: &str, setting: &ToolSetting) -> Result<Handler, Failure> {
        if let Some(words) = &setting.command {
            return Ok(Handler::Command(self.command(name, words, setting)?));
        }
        let address = match &setting.url {
            Some(Address::Text(address)) => address.clone(),
            Some(Address::Env(name_of)) => variable(name_of).map_err(|why| unset(name, name_of, &why, "its address"))?,
            None => String::new(),
        };
        Ok(Handler::Service(service(name, &address, Some(setting))?))
    }

    fn command(&self, name: &str, words: &[String], setting: &ToolSetting) -> Result<Command, Failure> {
        let (program, arguments) = words.split_first().map(|(program, rest)| (program.clone(), rest.to_vec())).unwrap_or_default();
        // A path counts from the folder of weave.toml; a name is looked up in PATH.
        let program = if program.contains('/') { self.folder.join(&program).to_string_lossy().into_owned() } else { program };
        if !is_there(&program) {
            let message = format!("the command `{program}` of the tool `{name}` cannot be found");
            return Err(
                Failure::new(message).help("a path with `/` counts from the folder of weave.toml, other names are looked up in PATH")
            );
        }
        let mut command = Command::new(program, arguments);
        for system in SYSTEM {
            command.environment.extend(std::env::var(system).ok().map(|value| ((*system).to_owned(), value)));
        }
        for listed in &setting.environment {
            let value = variable(listed).map_err(|why| unset(name, listed, &why, "passed to its command"))?;
            command.environment.insert(listed.clone(), value);
        }
        command.folder = Some(self.folder.to_owned());
        command.lines = setting.lines;
        command.patience = setting.timeout.map_or(command.patience, Duration::from_millis);
        Ok(command)
    }
}

fn service(name: &str, address: &str, setting: Option<&ToolSetting>) -> Result<Service, Failure> {
    let mut headers = Vec::new();
    for (header, from) in setting.iter().flat_map(|setting| &setting.headers) {
        let value = variable(from).map_err(|why| unset(name, from, &why, &format!("the value of its header `{header}`")))?;
        headers.push((header.clone(), value));
    }
    let mut service = Service::new(address, &headers).map_err(|why| Failure::new(format!("the tool `{name}` cannot be called: {why}")))?;
    service.patience = setting.and_then(|setting| setting.timeout).map_or(service.patience, Duration::from_millis);
    Ok(service)
}

/// The value of an environment variable that has one.
fn variable(name: &str) -> Result<String, String> {
    match std::env::var(name) {
        Ok(value) if value.is_empty() => Err("is empty".to_owned()),
        Ok(value) => Ok(value),
        Err(std::env::VarError::NotPresent) => Err("is not set".to_owned()),
        Err(std::env::VarError::NotUnicode(_)) => Err("is not UTF-8 text".to_owned()),
    }
}

fn unset(tool: &str, name: &str, why: &str, what: &str) -> Failure {
    Failure::new(format!("the environment variable `{name}` {why}; for the tool `{tool}` it is {what}"))
        .help(format!("set it: `export {name}=…`"))
}

/// The toolkits that a tool is in, the innermost ones first.
fn toolkits_of<'d>(tool: &str, definition: &'d Definition) -> Vec<&'d str> {
    let mut found: Vec<&str> = Vec::new();
    loop {
        let has = |entry: &ToolkitEntry| match entry {
            ToolkitEntry::Tool { tool: name, .. } => name == tool,
            ToolkitEntry::Toolkit { toolkit } => found.contains(&toolkit.as_str()),
            _ => false,
        };
        let next = definition.toolkits.iter().find(|(name, kit)| !found.contains(&name.as_str()) && kit.tools.iter().any(has));
        match next {
            Some((name, _)) => found.push(name),
            None => return found,
        }
    }
}

/// Whether a program can be found.
fn is_there(program: &str) -> bool {
    if cfg!(windows) || program.contains('/') {
        return cfg!(windows) || Path::new(program).is_file();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

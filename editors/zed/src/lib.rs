//! Tells Zed how the language server is started.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

/// What is said where there is no command.
const MISSING: &str = "the `weave` command was not found in PATH; install it with `cargo install --path crates/weave-cli` in the repository of weave, \
                       or name it in the settings: \"lsp\": { \"weave\": { \"binary\": { \"path\": \"…\" } } }";

struct Weave;

impl zed::Extension for Weave {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, server: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let binary = LspSettings::for_worktree(server.as_ref(), worktree).ok().and_then(|settings| settings.binary);
        let (path, arguments, env) = binary.map_or((None, None, None), |binary| (binary.path, binary.arguments, binary.env));
        let command = path.or_else(|| worktree.which("weave")).ok_or(MISSING)?;
        let args = arguments.unwrap_or_else(|| vec!["lsp".to_owned()]);
        let env = worktree.shell_env().into_iter().chain(env.into_iter().flatten()).collect();
        Ok(Command { command, args, env })
    }

    fn language_server_initialization_options(
        &mut self,
        server: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<zed::serde_json::Value>> {
        Ok(LspSettings::for_worktree(server.as_ref(), worktree).ok().and_then(|settings| settings.initialization_options))
    }
}

zed::register_extension!(Weave);

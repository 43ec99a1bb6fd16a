//! `weave man` and `weave completions`.

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::args::Arguments;
use crate::failure::{Exit, Failure, Failures, reason};
use crate::printed::Printed;
use crate::terminal::Terminal;

pub(crate) fn completions(shell: Shell, terminal: Terminal) -> Result<Exit, Failures> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "weave", &mut script);
    terminal.print(&Printed::exact(String::from_utf8_lossy(&script)))?;
    Ok(Exit::Clean)
}

pub(crate) fn man(terminal: Terminal) -> Result<Exit, Failures> {
    let page = page().map_err(|error| Failure::new(format!("cannot draw the manual page: {}", reason(&error))))?;
    terminal.print(&Printed::exact(String::from_utf8_lossy(&page)))?;
    Ok(Exit::Clean)
}

/// One page for everything: the commands are few, and nobody has to look for `weave-compile(1)`.
fn page() -> std::io::Result<Vec<u8>> {
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    let commands = command.get_subcommands().filter(|command| !command.is_hide_set()).cloned().collect::<Vec<_>>();
    let mut page = Vec::new();
    let help = command.get_after_help().cloned().unwrap_or_default();
    let man = Man::new(command).title("WEAVE").manual("weave manual");
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    for command in commands {
        page.extend(section(command)?);
    }
    page.extend(examples(&help.to_string()).into_bytes());
    Ok(page)
}

/// The section of one command.
fn section(command: Command) -> std::io::Result<Vec<u8>> {
    let name = command.get_name().to_owned();
    let help = command.get_after_long_help().or(command.get_after_help()).map(|help| plain(&help.to_string())).unwrap_or_default();
    // The global options are described once, for the whole program.
    let command = command.mut_args(|argument| {
        let known = argument.is_global_set() || argument.get_id() == "help";
        if known { argument.hide(true) } else { argument }
    });
    let man = Man::new(command);
    let mut text = Vec::new();
    man.render_description_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_options_section(&mut text)?;
    let text = String::from_utf8_lossy(&text).replace(".SH ", ".SS ").replacen(".SS DESCRIPTION\n", "", 1);
    Ok(format!(".SH \"WEAVE {}\"\n{text}{help}", name.to_uppercase()).into_bytes())
}

/// The examples and the exit codes of the short help, each under its heading.
fn examples(help: &str) -> String {
    let mut text = String::new();
    for line in help.lines() {
        match line.strip_suffix(':').filter(|line| !line.starts_with(' ')) {
            Some(heading) => text.push_str(&format!(".SH \"{}\"\n", heading.to_uppercase())),
            None => text.push_str(&plain(line)),
        }
    }
    text
}

/// Text whose lines stay as they are.
fn plain(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('-', "\\-");
    let lines = escaped.lines().map(|line| if line.starts_with(['.', '\'']) { format!("\\&{line}\n") } else { format!("{line}\n") });
    format!(".PP\n.nf\n{}.fi\n", lines.collect::<String>())
}

use serde_json::Value;
use weave_diagnostics::FileId;

use super::{CODES, Config};
use crate::levels::Level;
use crate::registry::find;

/// The levels of a rule in a file, by what the text says.
fn level(text: &str, rule: &str, path: &str) -> Level {
    let (config, found) = Config::read(text, FileId(0));
    assert!(found.is_empty(), "{found:#?}");
    config.of(path).level(find(rule).unwrap())
}

#[test]
fn a_rule_counts_before_its_group_and_an_override_before_both() {
    let text = "[lint.groups]\nstyle = \"error\"\nsecurity = \"off\"\n[lint.rules]\nunused-import = \"note\"\n\
                [[lint.overrides]]\npaths = [\"gen/**\", \"*.old.weave\"]\nrules = { unused-import = { level = \"off\" } }\n\
                [[lint.overrides]]\npaths = [\"gen/keep/*\"]\ngroups.style = \"warn\"\nrules.unused-import = \"warn\"\n";
    assert_eq!(level(text, "unused-import", "a.weave"), Level::Note);
    assert_eq!(level(text, "unused-import", "gen/a.weave"), Level::Off);
    assert_eq!(level(text, "unused-import", "x/y/a.old.weave"), Level::Off);
    assert_eq!(level(text, "unused-import", "gen/keep/a.weave"), Level::Warn);
    assert_eq!(level(text, "unused-import", "gen/keep/x/a.weave"), Level::Off);
    assert_eq!(level(text, "destructive-without-approval", "a.weave"), Level::Off);
    assert_eq!(level("", "destructive-without-approval", "a.weave"), Level::Warn);
}

#[test]
fn an_override_of_a_group_does_not_wake_a_rule_that_has_its_own_level() {
    let text = "[lint.rules]\nunused-import = \"off\"\n[[lint.overrides]]\npaths = [\"a/*\"]\ngroups.style = \"error\"\n";
    assert_eq!(level(text, "unused-import", "a/b.weave"), Level::Off);
}

#[test]
fn every_bad_example_gets_its_diagnostic_and_no_other_and_every_good_one_gets_none() {
    for code in CODES {
        let ids: Vec<_> = Config::read(code.bad, FileId(0)).1.iter().map(|found| found.code.id).collect();
        assert_eq!(ids, [code.id]);
        assert_eq!(Config::read(code.good, FileId(0)).1, []);
    }
}

#[test]
fn the_folder_of_generated_code_is_read() {
    let (config, found) = Config::read("[gen.typescript]\noutput = \"gen/ts\"\n", FileId(0));
    let output = config.generation("typescript").and_then(|generation| generation.output.as_deref());
    assert_eq!((output, found.len()), (Some("gen/ts"), 0));
    assert_eq!(Config::read("", FileId(0)).0.generation("typescript"), None);
}

#[test]
fn each_mistake_is_said_at_its_place() {
    let text = "lints = 1\n[lint]\nrules = 3\ngroups = { styl = \"off\", style = \"loud\" }\noverrides = [ { rules = {} }, { paths = [\"a{\"] }, 7 ]\n";
    let found = Config::read(text, FileId(0)).1;
    let said: Vec<_> = found.iter().map(|it| (it.primary.place.span.text(text), it.message.as_str())).collect();
    assert_eq!(
        said,
        [
            ("lints", "there is no key `lints`"),
            ("3", "expected a table, found `3`"),
            ("styl", "there is no group `styl`"),
            ("\"loud\"", "`loud` is not a level"),
            ("{ rules = {} }", "an override has no `paths`"),
            ("\"a{\"", "this pattern is not valid: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)"),
            ("7", "expected a table, found `7`"),
        ]
    );
}

/// What is wrong with a text by its schema, as an independent validator reads it.
fn refused(text: &str) -> Vec<String> {
    let document: toml::Table = text.parse().unwrap();
    let document: Value = serde_json::to_value(document).unwrap();
    let validator = jsonschema::draft7::options().build(&super::schema()).unwrap();
    validator.iter_errors(&document).map(|error| error.instance_path().to_string()).collect()
}

#[test]
fn the_schema_is_one() {
    assert!(jsonschema::draft7::meta::is_valid(&super::schema()));
}

#[test]
fn the_schema_accepts_what_is_right() {
    let cases = [
        "",
        "[lint]\nbaseline = \"lint/known.json\"\n",
        "[gen.typescript]\noutput = \"gen/ts\"\n",
        "[gen.go]\noutput = \"gen\"\nmodule = \"example.com/app-1/gen_x\"\ntemplates = \"t\"\nmcp = true\nbuilders = true\n",
        "gen = {}\n",
        "[gen]\nheader = \"\"\"\nCopyright \u{e9}\r\n\tof */ us\n\n\"\"\"\n[gen.go]\nheader = \"\"\n",
        "[lint.groups]\nstyle = \"error\"\nsecurity = \"off\"\n[lint.rules]\nunused-import = \"note\"\n\
         [[lint.overrides]]\npaths = [\"gen/**\", \"*.old.weave\"]\nrules = { unused-import = { level = \"off\" } }\n\
         [[lint.overrides]]\npaths = [\"gen/keep/*\"]\ngroups.style = \"warn\"\nrules.unused-import = \"warn\"\n",
    ];
    let cases = cases.into_iter().chain([
        "[tools]\n",
        "[tools.refund]\ncommand = [\"python3\", \"tools/refund.py\"]\nenv = [\"_KEY1\"]\nlines = true\ntimeout = \"1m30s\"\n",
        "[tools.\"*\"]\nurl = \"https://localhost:8080/a?b=c\"\nunknown = \"fail\"\n",
        "[tools.desk]\nurl = { env = \"DESK_URL\" }\nheaders = { Authorization = { env = \"TOKEN\" } }\n",
        "[tools.far]\ntimeout = \"5s\"\n",
    ]);
    for text in cases.chain(CODES.iter().map(|code| code.good)) {
        assert_eq!(refused(text), [""; 0], "{text}");
        assert_eq!(Config::read(text, FileId(0)).1, [], "{text}");
    }
    for option in crate::RULES.iter().flat_map(|rule| rule.options.iter().map(move |option| (rule.id(), option))) {
        let (rule, option) = option;
        let text = |value: u64| format!("[lint.rules]\n{rule} = {{ level = \"warn\", {} = {value} }}\n", option.name);
        assert_eq!(refused(&text(option.default)), [""; 0]);
        assert_eq!(Config::read(&text(option.default), FileId(0)).1, []);
        for value in [option.most + 1].into_iter().chain(option.least.checked_sub(1)) {
            assert_eq!(refused(&text(value)).len(), 1, "{}", text(value));
            assert_eq!(Config::read(&text(value), FileId(0)).1.len(), 1, "{}", text(value));
        }
    }
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let cases = [
        "lints = 1",
        "lint = 1",
        "gen = 1",
        "gen.typescripts = {}",
        "gen.typescript = \"gen\"",
        "gen.typescript.output = 3",
        "gen.typescript.output = \"\"",
        "gen.typescript.outputs = \"a\"",
        "gen.typescript.module = \"a\"",
        "gen.go.module = \"a b\"",
        "gen.go.module = \"/a\"",
        "gen.go.module = \"a/../b\"",
        "gen.go.module = 1",
        "gen.python.mcp = \"true\"",
        "gen.go.templates = true",
        "gen.go.builders = 1",
        "gen.header = 1",
        "gen.header = [\"a\"]",
        "gen.header = \"a\\u0007\"",
        "gen.header = \"a\\rb\"",
        "gen.python.header = \"a\\u2028b\"",
        "gen.typescript.header = \"\\u0085\"",
        "gen.headers = \"a\"",
        "lint.baseline = 3",
        "lint.baseline = \"\"",
        "lint.baselines = \"a\"",
        "lint.rules = 3",
        "lint.rules.unused-imports = \"off\"",
        "lint.rules.unused-import = \"of\"",
        "lint.rules.unused-import = 1",
        "lint.rules.unused-import = { levels = \"off\" }",
        "lint.rules.unused-import = { level = \"loud\" }",
        "lint.groups.styles = \"off\"",
        "lint.groups.style = true",
        "lint.overrides = { paths = [] }",
        "lint.overrides = [ 7 ]",
        "lint.overrides = [ { rules = {} } ]",
        "lint.overrides = [ { paths = \"a\" } ]",
        "lint.overrides = [ { paths = [1] } ]",
        "lint.overrides = [ { paths = [\"a\"], rule = {} } ]",
        "tools = 1",
        "tools.refund = \"http://a\"",
        "tools.refund.command = \"refund\"",
        "tools.refund.command = []",
        "tools.refund.command = [1]",
        "tools.refund.commands = [\"a\"]",
        "tools.refund = { command = [\"a\"], env = [\"A B\"] }",
        "tools.refund = { command = [\"a\"], lines = \"yes\" }",
        "tools.refund.url = \"localhost:8080\"",
        "tools.refund.url = \"ftp://localhost\"",
        "tools.refund.url = \"http://user:secret@localhost\"",
        "tools.refund.url = \"http://\"",
        "tools.refund.url = \"http://:80\"",
        "tools.refund.url = { variable = \"A\" }",
        "tools.refund.url = { env = \"1A\" }",
        "tools.refund.url = {}",
        "tools.refund = { url = \"http://a\", headers = { authorization = \"secret\" } }",
        "tools.refund = { url = \"http://a\", timeout = 30 }",
        "tools.refund = { url = \"http://a\", timeout = \"30\" }",
        "tools.refund = { url = \"http://a\", timeout = \"\" }",
        "tools.refund.unknown = \"send\"",
    ];
    let examples = CODES.iter().map(|code| code.bad).filter(|bad| bad.parse::<toml::Table>().is_ok());
    for text in cases.into_iter().chain(examples) {
        assert!(!refused(text).is_empty(), "{text}");
        assert!(!Config::read(text, FileId(0)).1.is_empty(), "{text}");
    }
}

#[test]
fn tools_are_read() {
    let text = "[tools.refund]\ncommand = [\"python3\", \"refund.py\"]\nenv = [\"KEY\"]\ntimeout = \"1m30s\"\nunknown = \"fail\"\n\
                [tools.\"*\"]\nurl = { env = \"URL\" }\nheaders = { Authorization = { env = \"TOKEN\" } }\n";
    let (config, found) = Config::read(text, FileId(0));
    assert_eq!(found, []);
    let refund = &config.tools()["refund"];
    assert_eq!(refund.command.as_deref(), Some(["python3".to_owned(), "refund.py".to_owned()].as_slice()));
    assert_eq!((refund.environment.as_slice(), refund.timeout, refund.unknown_fails), (["KEY".to_owned()].as_slice(), Some(90_000), true));
    let others = &config.tools()[crate::EVERY_TOOL];
    assert_eq!(others.url, Some(crate::Address::Env("URL".to_owned())));
    assert_eq!(others.headers.iter().collect::<Vec<_>>(), [(&"authorization".to_owned(), &"TOKEN".to_owned())]);
}

#[test]
fn what_contradicts_itself_in_a_tool_is_reported() {
    let cases = [
        ("command = [\"a\"]\nurl = \"http://a\"", "`refund` has both a `command` and a `url`"),
        ("command = [\"a\"]\nheaders = {}", "`headers` means nothing for a command"),
        ("url = \"http://a\"\nlines = true", "`lines` means nothing for an HTTP service"),
        ("url = \"http://a\"\nheaders = { Host = { env = \"A\" } }", "the header `host` is set by `weave run`"),
        ("url = \"http://a\"\nheaders = { \"a b\" = { env = \"A\" } }", "`a b` is not the name of a header"),
        ("url = \"http://a\"\ntimeout = \"8d\"", "expected a time of at most 7 days, such as \"30s\", found a string"),
    ];
    for (text, expected) in cases {
        let found = Config::read(&format!("[tools.refund]\n{text}\n"), FileId(0)).1;
        assert_eq!(found.iter().map(|it| it.message.as_str()).collect::<Vec<_>>(), [expected], "{text}");
    }
}

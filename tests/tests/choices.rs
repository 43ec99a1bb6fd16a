//! What is said about the guards of random choices holds in every case: each is tried with all values that they can tell apart.

use serde_json::{Map, Value, json};
use weave_analysis::choices::{Choice, Coverage, Gap, Role, Verdict};
use weave_ir::{Condition, Guard};
use weave_tests::program::Program;
use weave_tests::random::Random;

/// What guards ask: name, type, all values that a guard below can tell apart, and questions that are whole guards.
const VARIABLES: &[(&str, &str, &[&str], &[&str])] = &[
    ("b", "bool", &["true", "false"], &[".b", ".b == true", ".b != true"]),
    ("c", "bool", &["true", "false"], &[".c", "!.c", ".c == false"]),
    (
        "e",
        "Color",
        &[r#""red""#, r#""green""#, r#""bl""#],
        &[r#".e == "red""#, r#".e != "green""#, r#".e in ["red", "bl"]"#, r#".e == "bl""#, r#".e.startsWith("r")"#],
    ),
    ("l", r#""x" | "y""#, &[r#""x""#, r#""y""#], &[r#".l == "x""#, r#".l != "x""#, r#".l == "y""#]),
    (
        "n",
        "int(0..4)",
        &["0", "1", "2", "3", "4"],
        &[".n > 1", ".n <= 2", ".n == 3", ".n != 0", "2 < .n", ".n in [1, 4]", ".n >= 0", ".n + 1 > 2", "4 / .n > 1"],
    ),
    (
        "k",
        "int",
        &["-2", "-1", "0", "1", "2", "3", "4", "5", "6"],
        &[".k > 3", ".k < 3", ".k == 3", ".k >= 0", ".k != 4", ".k <= -1", "!(.k < 4)"],
    ),
    (
        "m",
        "int(0..3) | null",
        &["null", "0", "1", "2", "3"],
        &[".m == null", ".m != null && .m > 1", ".m == 2", ".m == null || .m <= 1", ".m != 0", ".m in [0, 3]"],
    ),
    ("o", "bool?", &["", "null", "true", "false"], &["has(.o)", ".o == true", ".o != false", ".o == null || .o", ".o != null && !.o"]),
    ("f", "float(0..2)", &["0.0", "0.5", "1.0", "1.5", "2.0"], &[".f > 1.0", ".f <= 1.0", ".f == 1.0", ".f < 2.0", ".f >= 0.0"]),
    (
        "s",
        "string",
        &[r#""""#, r#""a""#, r#""b""#, r#""c""#, r#""dd""#, r#""ddd""#],
        &[r#".s == """#, r#".s == "a""#, "size(.s) > 1", "size(.s) <= 1", r#".s in ["a", "b"]"#, "size(.s) == 0", r#".s.contains("d")"#],
    ),
    (
        "u",
        "Shape",
        &[r#"{"kind":"p","v":true}"#, r#"{"kind":"p","v":false}"#, r#"{"kind":"q","w":0}"#, r#"{"kind":"q","w":1}"#, r#"{"kind":"r"}"#],
        &[r#".u.kind == "p""#, r#".u.kind == "p" && .u.v"#, r#".u.kind != "q""#, r#".u.kind == "q" && .u.w > 0"#, r#".u.kind == "r""#],
    ),
    (
        "xs",
        "int(0..1)[](max: 2)",
        &["[]", "[0]", "[1]", "[0,0]", "[0,1]", "[1,0]", "[1,1]"],
        &["size(.xs) > 1", "size(.xs) == 0", "size(.xs) > 0 && .xs[0] == 1", "1 in .xs", ".xs.exists(x, x == 1)", "size(.xs) < 2"],
    ),
];

const TYPES: &str = "enum Color { red, green, blue = \"bl\" }\nunion Shape {\n  p: { v: bool }\n  q: { w: int(0..1) }\n  r: {}\n}\n";

/// A random choice.
struct Asked {
    variables: Vec<usize>,
    members: Vec<(Role, String)>,
}

impl Asked {
    fn new(random: &mut Random) -> Self {
        let mut variables = (0..VARIABLES.len()).collect::<Vec<_>>();
        random.shuffle(&mut variables);
        variables.truncate(1 + random.below(3));
        let mut members = Vec::new();
        for _ in 0..1 + random.below(5) {
            let role = if random.chance(12) { Role::Also } else { Role::When };
            members.push((role, guard(random, &variables, 3)));
        }
        if random.chance(25) && members.iter().any(|(role, _)| *role == Role::When) {
            members.push((Role::Else, String::new()));
        }
        Self { variables, members }
    }

    /// A guard may ask again for what an earlier part of it has excluded; what is read behind that may not be there.
    fn is_legal(&self) -> bool {
        let guards = self.members.iter().map(|(_, guard)| placed(guard)).filter(|guard| !guard.is_empty()).collect::<Vec<_>>();
        let text = TYPES.to_owned() + &by_themselves(0, guards.iter().map(String::as_str));
        // In the choice a guard also knows that those before it were false, and may read what is not there then.
        let together = TYPES.to_owned() + &as_choice(0, self);
        let reads_nothing = Program::one(&together).check().snapshot.diagnostics().iter().any(|it| it.code.id == "unknown-field");
        !Program::one(&text).check().snapshot.has_errors() && !reads_nothing
    }

    /// All cases, as what guards read.
    fn cases(&self) -> Vec<Map<String, Value>> {
        let mut cases = vec![Map::from_iter([("off".to_owned(), json!(false))])];
        for variable in &self.variables {
            let (name, _, values, _) = VARIABLES[*variable];
            let with = |case: &Map<String, Value>, value: &str| {
                let mut case = case.clone();
                if !value.is_empty() {
                    case.insert(name.to_owned(), serde_json::from_str(value).expect("the values are JSON"));
                }
                case
            };
            cases = cases.iter().flat_map(|case| values.iter().map(move |value| with(case, value))).collect();
        }
        cases.into_iter().map(|input| Map::from_iter([("input".to_owned(), Value::Object(input))])).collect()
    }
}

fn guard(random: &mut Random, variables: &[usize], depth: usize) -> String {
    if depth == 0 || random.chance(35) {
        let (_, _, _, questions) = VARIABLES[*random.pick(variables)];
        let question = random.pick(questions);
        // Two values may be compared, which nobody looks into.
        let has = |name: &str| variables.iter().any(|variable| VARIABLES[*variable].0 == name);
        return match () {
            () if has("b") && has("c") && random.chance(30) => ".b == .c".to_owned(),
            () if has("n") && has("k") && random.chance(30) => ".n < .k".to_owned(),
            () => format!("({question})"),
        };
    }
    match random.below(5) {
        0 | 1 => format!("({} && {})", guard(random, variables, depth - 1), guard(random, variables, depth - 1)),
        2 | 3 => format!("({} || {})", guard(random, variables, depth - 1), guard(random, variables, depth - 1)),
        _ => format!("!({})", guard(random, variables, depth - 1)),
    }
}

/// Reads the variables as parameters of the workflow.
fn placed(guard: &str) -> String {
    let mut text = String::new();
    let mut before = ' ';
    for (index, letter) in guard.char_indices() {
        let starts_path = letter == '.' && !(before.is_alphanumeric() || before == ']' || before == '"' || before == ')');
        let is_name = guard[index + 1..].starts_with(char::is_alphabetic);
        text.push_str(if letter == '.' && starts_path && is_name { ".input" } else { "" });
        text.push(letter);
        before = letter;
    }
    text
}

fn head(number: usize) -> String {
    let parameters = VARIABLES.iter().map(|(name, ty, ..)| match ty.strip_suffix('?') {
        Some(ty) => format!("{name}?: {ty} | null"),
        None => format!("{name}: {ty}"),
    });
    format!("workflow w{number}({}, off: bool) -> int {{\n", parameters.collect::<Vec<_>>().join(", "))
}

/// The workflow whose choice is looked at.
fn as_choice(number: usize, asked: &Asked) -> String {
    let mut text = head(number);
    for (index, (role, guard)) in asked.members.iter().enumerate() {
        let condition = match role {
            Role::Also => format!("also when {}", placed(guard)),
            Role::Else => "else".to_owned(),
            _ => format!("when {}", placed(guard)),
        };
        text += &format!("  step n{index} on start {condition} = {index}\n");
    }
    text + "  end late on timeout(1h) = 0\n}\n"
}

/// A workflow in which each guard stands for itself, whatever becomes of it.
fn by_themselves<'g>(number: usize, guards: impl Iterator<Item = &'g str>) -> String {
    let steps = guards.enumerate().map(|(index, guard)| format!("  step n{index} on start also when ({guard}) || .input.off = {index}\n"));
    head(number) + &steps.collect::<String>() + "  end late on timeout(1h) = 0\n}\n"
}

/// The guards of a choice and the witnesses of what is said about it, as they are lowered.
struct Claims {
    choice: Choice,
    guards: Vec<Option<Guard>>,
    witnesses: Vec<Guard>,
}

impl Claims {
    /// In which cases a member wants to fire.
    fn wants(&self, index: usize, case: &Map<String, Value>) -> bool {
        self.guards[index].as_ref().is_none_or(|guard| weave_expr::guard(guard, case))
    }

    fn fires_of(&self, roles: &[Role], end: usize, case: &Map<String, Value>) -> bool {
        (0..end).any(|index| roles.contains(&self.choice.members[index].role) && self.wants(index, case))
    }

    fn check(&self, asked: &Asked, text: &str) {
        let cases = asked.cases();
        let say = |what: &str| format!("{what}\n{text}{:#?}", self.choice);
        for (index, member) in self.choice.members.iter().enumerate() {
            let before = |case: &Map<String, Value>| member.role != Role::Also && self.fires_of(&[Role::When], index, case);
            match &member.verdict {
                Verdict::Never => assert!(!cases.iter().any(|case| self.wants(index, case)), "{}", say("never true")),
                Verdict::Always => assert!(cases.iter().all(|case| self.wants(index, case)), "{}", say("always true")),
                Verdict::Shadowed(_) => {
                    assert!(cases.iter().all(|case| !self.wants(index, case) || before(case)), "{}", say("shadowed"));
                }
                Verdict::Satisfiable => {
                    assert!(cases.iter().any(|case| self.wants(index, case) && !before(case)), "{}", say("satisfiable"));
                }
                Verdict::Unknown => {}
            }
        }
        let mut witnesses = self.witnesses.iter();
        let count = self.choice.members.len();
        let all = [Role::When, Role::Else];
        let with_beside = [Role::When, Role::Else, Role::Also];
        for (coverage, roles) in [(&self.choice.coverage, &all[..]), (&self.choice.handled, &with_beside[..])] {
            match coverage {
                Coverage::Total => assert!(cases.iter().all(|case| self.fires_of(roles, count, case)), "{}", say("total")),
                Coverage::Gap(_) => {
                    let witness = witnesses.next().expect("each gap has one");
                    let mut shown = cases.iter().filter(|case| weave_expr::guard(witness, *case)).peekable();
                    assert!(shown.peek().is_some(), "{}", say("the case of the gap cannot be"));
                    assert!(!shown.any(|case| self.fires_of(roles, count, case)), "{}", say("no gap"));
                }
                Coverage::Unknown(_) => {}
            }
        }
        for overlap in &self.choice.overlaps {
            let witness = witnesses.next().expect("each overlap has one");
            let mut shown = cases.iter().filter(|case| weave_expr::guard(witness, *case)).peekable();
            assert!(shown.peek().is_some(), "{}", say("the case of the overlap cannot be"));
            assert!(shown.all(|case| self.wants(overlap.first, case) && self.wants(overlap.second, case)), "{}", say("no overlap"));
            let alone = cases.iter().any(|case| self.wants(overlap.first, case) && !self.wants(overlap.second, case));
            assert!(alone || !overlap.crossing, "{}", say("the first of the overlap is never alone"));
        }
    }
}

/// The conditions of all witnesses, in the order in which they are checked.
fn witnesses(choice: &Choice) -> Vec<String> {
    let gap = |coverage: &Coverage| if let Coverage::Gap(Gap { witness, .. }) = coverage { Some(witness.condition()) } else { None };
    let gaps = [gap(&choice.coverage), gap(&choice.handled)].into_iter().flatten();
    let conditions = gaps.chain(choice.overlaps.iter().map(|overlap| overlap.witness.condition()));
    // The case that no value matters.
    conditions.map(|condition| if condition.is_empty() { "!.input.off".to_owned() } else { condition }).collect()
}

#[test]
fn what_is_said_of_choices_holds_in_all_cases() {
    let mut random = Random::new(7);
    let (mut known, mut gaps, mut overlaps) = (0, 0, 0);
    for _ in 0..20 {
        let asked = std::iter::repeat_with(|| Asked::new(&mut random)).filter(Asked::is_legal).take(100).collect::<Vec<_>>();
        let texts = asked.iter().enumerate().map(|(number, asked)| as_choice(number, asked)).collect::<Vec<_>>();
        let choices = Program::one(&(TYPES.to_owned() + &texts.concat())).check().snapshot.choices();
        let choices = choices.into_iter().map(|(_, mut choices)| choices.pop().expect("each workflow has one")).collect::<Vec<_>>();
        assert_eq!(choices.len(), asked.len());
        let alone = asked.iter().zip(&choices).enumerate().map(|(number, (asked, choice))| {
            let guards = asked.members.iter().map(|(_, guard)| if guard.is_empty() { ".input.off".to_owned() } else { placed(guard) });
            let all = guards.chain(witnesses(choice)).collect::<Vec<_>>();
            by_themselves(number, all.iter().map(String::as_str))
        });
        let program = Program::one(&(TYPES.to_owned() + &alone.collect::<String>())).check();
        assert!(!program.snapshot.has_errors(), "{}", program.drawing());
        let compiled = program.snapshot.compile().expect("the guards are lowered");
        for (number, (asked, choice)) in asked.iter().zip(choices).enumerate() {
            let nodes = compiled[number].definition.nodes.iter();
            let mut guards = nodes.filter_map(|node| if let Condition::Also(guard) = node.condition() { Some(guard) } else { None });
            let count = asked.members.len();
            let own = guards.by_ref().take(count).zip(&asked.members).map(|(guard, (role, _))| (*role != Role::Else).then_some(guard));
            let claims = Claims { guards: own.collect(), choice, witnesses: Vec::new() };
            let claims = Claims { witnesses: guards.collect(), ..claims };
            claims.check(asked, &texts[number]);
            known += usize::from(!matches!(claims.choice.handled, Coverage::Unknown(_)));
            gaps += usize::from(matches!(claims.choice.handled, Coverage::Gap(_)));
            overlaps += claims.choice.overlaps.len();
        }
    }
    // Who says nothing is never wrong.
    assert!(known > 1_200 && gaps > 400 && overlaps > 800, "{known} of 2000 are decided, {gaps} gaps, {overlaps} overlaps");
}

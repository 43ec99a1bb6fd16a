//! Realistic programs of any size, for benchmarks and for tests of growth.
//!
//! The same size and seed give the same text. About twenty lines a declaration; types, tools, agents and workflows stand in
//! the ratio of `examples/support.weave`, and each group of declarations refers to itself and to the group before it, as the
//! parts of a real project do. The programs are clean.

use std::fmt::Write as _;

/// A program of at least `lines` lines, and at most one group (about 400 lines) more.
#[must_use]
pub fn program(lines: usize, seed: u64) -> String {
    let mut writer = Writer { text: String::with_capacity(lines * 40), lines: 0, random: seed };
    writer.line("//! A generated program.");
    let mut group = 0;
    while writer.lines < lines {
        writer.group(group);
        group += 1;
    }
    writer.text
}

/// So many types, each of which has a field of the next one and the last one of the first, and a tool for each.
#[must_use]
pub fn ring(types: usize) -> String {
    let mut text = String::new();
    for ty in 0..types {
        let next = (ty + 1) % types;
        _ = writeln!(text, "type Link{ty:06} {{ name: string, next?: Link{next:06} }}");
        _ = writeln!(text, "tool read_{ty:06}(from: Link{ty:06}) -> Link{next:06}");
    }
    text
}

/// One workflow of so many steps, each of which listens to the four before it that stand at some distance from each other.
#[must_use]
pub fn network(steps: usize) -> String {
    let mut text = String::from("tool work(x: int) -> int\n\nworkflow network(x: int) -> int {\n  step n0 { call work { x: .input.x } }\n");
    for step in 1..steps {
        let mut sources: Vec<usize> = (0..4).map(|distance| step.saturating_sub(1 + 7 * distance)).collect();
        sources.dedup();
        let triggers: Vec<String> = sources.iter().map(|source| format!("n{source}")).collect();
        let _ = writeln!(text, "  step n{step} on {} {{ call work {{ x: .event }} }}", triggers.join(" | "));
    }
    let last = steps.saturating_sub(1);
    let _ = writeln!(text, "  end done on n{last} = .n{last}\n}}");
    text
}

const FIELDS: [(&str, &str); 12] = [
    ("reference", "string(min: 1, max: 200)"),
    ("amount", "decimal"),
    ("count", "int(0..1000)"),
    ("created", "timestamp"),
    ("tags", "string[](max: 20)"),
    ("contact", "email"),
    ("site", "uri | null"),
    ("ratio", "float(0..1)"),
    ("labels", "map<string>"),
    ("state", "\"new\" | \"open\" | \"closed\""),
    ("parts", "{ sku: string, pieces: int }[]"),
    ("note", "string = \"none\""),
];

struct Writer {
    text: String,
    lines: usize,
    random: u64,
}

impl Writer {
    /// SplitMix64: small, good enough, the same everywhere.
    fn random(&mut self, below: usize) -> usize {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % below as u64) as usize
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
        self.lines += 1 + text.matches('\n').count();
    }

    fn fields(&mut self, count: usize) {
        for index in 0..count {
            let (name, ty) = FIELDS[self.random(FIELDS.len())];
            if self.random(4) == 0 {
                self.line(&format!("  /// What the {name} of this record is good for."));
            }
            let optional = if ty.contains('=') || self.random(5) != 0 { "" } else { "?" };
            let comment = if self.random(8) == 0 { "    // from the old system" } else { "" };
            self.line(&format!("  {name}_{index}{optional}: {ty}{comment}"));
        }
    }

    fn group(&mut self, n: usize) {
        let before = n.saturating_sub(1);
        self.line(&format!("\n/// How important a customer of group {n} is.\nenum Tier{n} {{"));
        for value in ["free", "starter", "pro", "team", "business", "partner", "internal"] {
            self.line(&format!("  /// The {value} plan.\n  {value}"));
        }
        self.line("  enterprise = \"ent\"\n}\n");
        for kind in ["Order", "Customer", "Ticket"] {
            self.line(&format!("/// One {kind} of group {n}.\ntype {kind}{n} {{\n  id: string\n  tier: Tier{n} = \"free\"\n  total: decimal\n  body: string(min: 1, max: 8000)"));
            let extra = match kind {
                "Ticket" => format!("  customer: Customer{n}\n  earlier?: Customer{before}"),
                "Customer" => format!("  orders: Order{n}[](max: 100)"),
                _ => "  rush: bool".to_owned(),
            };
            self.line(&extra);
            self.fields(9);
            self.line("}\n");
        }
        self.line(&format!("type Triage{n} {{\n  /// What the customer wants.\n  intent: \"refund\" | \"question\" | \"bug\"\n  confidence: float(0..1)\n  order_id: string | null"));
        self.fields(6);
        self.line("}\n");
        self.line(&format!("error declined_{n} {{ reason: string }}\n"));
        self.line(&format!("/// A manager is asked to look at a refund.\nevent approval{n}.requested {{ order: Order{n}, amount: decimal }} -> approval{n}.granted | approval{n}.denied"));
        self.line(&format!("external event approval{n}.granted {{ by: string, note?: string }}\nexternal event approval{n}.denied {{ by: string, reason: string }}\n"));
        for (tool, settings) in [
            ("find_order", "hints [read_only, idempotent]\n  timeout 10s"),
            ("find_similar", "hints [read_only]\n  timeout 30s\n  retry 2 { backoff constant, base 1s }"),
        ] {
            self.line(&format!("/// Looks up one order of group {n} by its id.\n/// Returns the order as it was when it was placed.\ntool {tool}_{n}(\n  order_id: string,\n  limit: int(1..100) = 10,\n  since?: timestamp,\n) -> Order{n} {{\n  title \"Find an order\"\n  version \"v{n}\"\n  action \"Looking for {{{{.order_id}}}}\"\n  {settings}\n  fails [unavailable]\n  meta {{ team: \"orders\", group: {n} }}\n}}\n"));
        }
        self.line(&format!("/// Returns money to the original payment method. Safe to repeat.\ntool refund_{n}(order_id: string, amount: decimal) -> {{ refund_id: string }} {{\n  version \"v2\"\n  action \"Refunding {{{{.amount}}}}\"        // what people see while it runs\n  hints [destructive, idempotent]\n  fails [declined_{n}, unavailable]\n  retry 3 {{ backoff exponential, base 200ms, max 2s, on [unavailable, timeout] }}\n  example {{ order_id: \"A-17\", amount: \"12.50\" }} -> {{ refund_id: \"r_1\" }}\n}}\n"));
        self.line(&format!("signal tool escalate_{n}(reason: string)                       // decoded, never executed\n"));
        self.line(&format!(
            "toolkit desk_{n} {{\n  namespace \"desk{n}\"\n  tools [find_order_{n}, find_similar_{n} as similar, escalate_{n}]\n}}\n"
        ));
        self.line(&format!("prompt classify_{n}(ticket: Ticket{n}) \"\"\"\n  Classify this ticket from a {{{{.ticket.tier}}}} customer.\n\n  {{{{.ticket.body}}}}\n\n  Think about what the customer wants before you answer, and be honest about how\n  sure you are.\n  \"\"\"\n"));
        self.line(&format!("agent triager_{n}(ticket: Ticket{n}) -> Triage{n} {{\n  model nano\n  system \"You classify support tickets of group {n}.\"\n  prompt classify_{n}\n  timeout 1m\n}}\n"));
        self.line(&format!("agent writer_{n}(question: string) -> {{ text: string }} {{\n  model mini\n  system \"\"\"\n    You answer questions of customers, kindly and briefly. The question is:\n    {{{{.question}}}}\n    \"\"\"\n  tools [desk_{n}]\n  max_turns 6\n  options {{ temperature: 0.2 }}\n}}\n"));
        self.workflow(n);
    }

    fn workflow(&mut self, n: usize) {
        let mut text = String::new();
        let _ = writeln!(
            text,
            r#"type Resolution{n} {{ status: "refunded" | "denied" | "answered" | "escalated", detail: string }}

/// Answers a ticket of group {n}, with a manager's approval where it costs much.
workflow support_{n}(ticket: Ticket{n}) -> Resolution{n} {{
  version "{n}"
  timeout 3d

  // What does the customer want?
  step triage {{
    ask triager_{n} {{ ticket: .input.ticket }}
  }}

  step lookup on triage when .triage.intent == "refund" && .triage.order_id != null {{
    call find_order_{n} {{ order_id: .triage.order_id, limit: 5 }}
    timeout 20s
  }}
  step answer on triage when .triage.intent == "question" && .triage.confidence > 0.5 {{
    ask writer_{n} {{ question: .input.ticket.body }}
  }}
  end unclear on triage else = {{ status: "escalated", detail: "no automatic answer" }}

  step approve on lookup when .lookup.total > 100 {{
    emit approval{n}.requested {{ order: .lookup, amount: .lookup.total }}
  }}
  step pay on lookup else | approval{n}.granted from approve {{
    call refund_{n} {{ order_id: .lookup.id, amount: .lookup.total }}
  }}

  end refunded on pay = {{ status: "refunded", detail: "order {{{{.lookup.id}}}}" }}
  end denied   on approval{n}.denied from approve = {{ status: "denied", detail: .event.reason }}
  end late     on timeout(approve, 24h) = {{ status: "denied", detail: "nobody answered" }}
  end declined on failure(pay) when .failure.code == "declined_{n}" = {{ status: "denied", detail: .failure.data.reason }}
  end answered on answer = {{ status: "answered", detail: .answer.text }}
  end handed   on escalate_{n} from answer = {{ status: "escalated", detail: .event.reason }}
}}"#
        );
        self.line(&text);
    }
}

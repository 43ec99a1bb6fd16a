//! The few shapes of the drawings, as an SVG that follows whether the reader prefers light or dark.

use std::fmt::Write as _;

const STYLE: &str = "\
text { font-family: ui-sans-serif, system-ui, sans-serif; text-anchor: middle; fill: #0f172a }
.title { font-size: 16px; font-weight: 600 }
.name { font-size: 14px; font-weight: 600 }
.what, .label { font-size: 12px }
.note { font-size: 12px; fill: #475569 }
.label { fill: #334155 }
.left { text-anchor: start }
.mono { font-family: ui-monospace, monospace; font-size: 12px }
.page { fill: #ffffff }
.panel { fill: #f8fafc; stroke: #cbd5e1 }
.group { fill: none; stroke: #94a3b8; stroke-dasharray: 4 3 }
.edge { fill: none; stroke: #64748b; stroke-width: 1.3 }
.arrow path { fill: #64748b }
.plain { fill: #ffffff; stroke: #94a3b8 }
.external { fill: #fef3c7; stroke: #d97706 }
.pale { fill: #f1f5f9; stroke: #cbd5e1; stroke-dasharray: 4 3 }
.ask { fill: #ede9fe; stroke: #7c3aed }
.call { fill: #dbeafe; stroke: #2563eb }
.end { fill: #dcfce7; stroke: #16a34a }
@media (prefers-color-scheme: dark) {
  text { fill: #e2e8f0 }
  .note { fill: #94a3b8 }
  .label { fill: #cbd5e1 }
  .page { fill: #0f172a }
  .panel { fill: #131f38; stroke: #334155 }
  .edge { stroke: #94a3b8 }
  .arrow path { fill: #94a3b8 }
  .plain { fill: #1e293b; stroke: #94a3b8 }
  .external { fill: #451a03; stroke: #fbbf24 }
  .pale { fill: #1e293b; stroke: #475569 }
  .ask { fill: #2e1065; stroke: #a78bfa }
  .call { fill: #172554; stroke: #60a5fa }
  .end { fill: #052e16; stroke: #4ade80 }
}
";

/// The look of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    External,
    Pale,
    Ask,
    Call,
    End,
}

impl Tone {
    fn class(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::External => "external",
            Self::Pale => "pale",
            Self::Ask => "ask",
            Self::Call => "call",
            Self::End => "end",
        }
    }
}

/// A drawing under construction. Lengths are pixels, from the top left.
pub(super) struct Svg {
    text: String,
}

impl Svg {
    pub(super) fn new(width: f64, height: f64, title: &str) -> Self {
        let mut text = String::new();
        let _ = write!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n\
             <defs><marker id=\"arrow\" class=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" \
             markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 1L10 5L0 9z\"/></marker></defs>\n\
             <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
        );
        Self { text }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn rect(&mut self, class: &str, [x, y, width, height]: [f64; 4], round: f64) {
        self.line(&format!("<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\"/>"));
    }

    fn words(&mut self, class: &str, x: f64, y: f64, text: &str) {
        if !text.is_empty() {
            let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            self.line(&format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>"));
        }
    }

    pub(super) fn title(&mut self, x: f64, y: f64, text: &str) {
        self.words("title", x, y, text);
    }

    pub(super) fn note(&mut self, x: f64, y: f64, text: &str) {
        self.words("note", x, y, text);
    }

    pub(super) fn label(&mut self, x: f64, y: f64, text: &str) {
        self.words("label", x, y, text);
    }

    pub(super) fn panel(&mut self, x: f64, y: f64, width: f64, height: f64) {
        self.rect("panel", [x, y, width, height], 10.0);
    }

    pub(super) fn group(&mut self, x: f64, y: f64, width: f64, height: f64) {
        self.rect("group", [x, y, width, height], 8.0);
    }

    /// A node around its centre: its name above what it does, or only that.
    pub(super) fn node(&mut self, x: f64, y: f64, width: f64, name: &str, what: &str, tone: Tone) {
        self.rect(
            tone.class(),
            [x - width / 2.0, y - 26.0 + if name.is_empty() { 6.0 } else { 0.0 }, width, if name.is_empty() { 40.0 } else { 52.0 }],
            8.0,
        );
        self.words("name", x, y - 4.0, name);
        self.words("what", x, if name.is_empty() { y + 4.0 } else { y + 14.0 }, what);
    }

    /// A firing around its centre.
    pub(super) fn firing(&mut self, x: f64, y: f64, width: f64, name: &str, tone: Tone) {
        self.rect(tone.class(), [x - width / 2.0, y - 16.0, width, 32.0], 16.0);
        self.words("name", x, y + 5.0, name);
    }

    /// An event as a row: its topic above what it says.
    pub(super) fn event(&mut self, x: f64, y: f64, width: f64, topic: &str, about: &str, tone: Tone) {
        self.rect(tone.class(), [x, y, width, 40.0], 4.0);
        self.words("mono left", x + 10.0, y + 16.0, topic);
        self.words("note left", x + 10.0, y + 32.0, about);
    }

    pub(super) fn arrow(&mut self, x: f64, y: f64, to_x: f64, to_y: f64) {
        self.line(&format!("<path class=\"edge\" d=\"M{x} {y}L{to_x} {to_y}\" marker-end=\"url(#arrow)\"/>"));
    }

    pub(super) fn finish(mut self) -> String {
        self.line("</svg>");
        self.text
    }
}

//! The layout of what has just been written, as it follows from a key.

use weave_diagnostics::{Edit, FileId, Place, Span};
use weave_syntax::TokenKind as K;

use crate::Analysis;

/// The blanks of a level.
const LEVEL: usize = 2;

/// The edits that follow a line break or a closing brace that ends at an offset.
///
/// Behind a line break the new line gets its indent, and what was left the blanks within it. Behind a brace what it closes gets the one layout, if it has no
/// syntax errors, and its line its indent in any case. Nothing behind the cursor's line is touched, and nothing in texts and comments.
#[must_use]
pub fn format_on_type(analysis: &Analysis, file: FileId, offset: u32, key: char) -> Vec<Edit> {
    let Some(unit) = analysis.unit(file) else { return Vec::new() };
    let (text, tokens) = (&*unit.syntax.text, &unit.syntax.tokens);
    let line = line_start(text, offset);
    match key {
        '}' => {
            let Some(brace) = offset.checked_sub(1).map(|before| tokens.at(before)) else { return Vec::new() };
            if brace >= tokens.len() || tokens.kind(brace) != K::BraceClose || tokens.span(brace).end != offset {
                return Vec::new();
            }
            let open = opener(tokens, brace).map_or(line, |open| line_start(text, tokens.start(open)));
            let mut edits = layout(analysis, file, Span::new(open, offset));
            let is_first = Span::new(line, offset).text(text).trim_start() == "}";
            if is_first && analysis.item_at(file, offset).is_none_or(|item| item.slot.parsed.repaired) {
                edits.extend(indent(analysis, file, line));
            }
            edits
        }
        '\n' => {
            // The editor may have put blanks in front of the cursor already.
            if line == 0 || !Span::new(line, offset).text(text).trim_matches([' ', '\t']).is_empty() {
                return Vec::new();
            }
            let mut edits = left_line(analysis, file, line);
            edits.extend(indent(analysis, file, line));
            edits
        }
        _ => Vec::new(),
    }
}

/// What changes in the layout within a part of the text, each run of blanks for itself, so that cursors and marks stay where they are.
fn layout(analysis: &Analysis, file: FileId, part: Span) -> Vec<Edit> {
    let Some(unit) = analysis.unit(file) else { return Vec::new() };
    let Ok(found) = weave_format::format_range(&unit.syntax, Span::at(part.end)) else { return Vec::new() };
    let text = &*unit.syntax.text;
    let edits = found.iter().flat_map(|replacement| {
        let runs = runs(replacement.span.text(text), &replacement.text).unwrap_or_default();
        runs.into_iter().map(|(span, new)| within(text, part, span.shifted(replacement.span.start), new))
    });
    let edits = edits.flatten().map(|(span, text)| Edit { place: Place::new(file, span), text });
    // What would stand at the cursor is left to whoever types there.
    edits.filter(|edit| part.contains(edit.place.span) && edit.place.span.start < part.end).collect()
}

/// What of an edit is within a part that starts with a line: of one that reaches over its start the blanks of that line.
fn within(text: &str, part: Span, span: Span, new: String) -> Option<(Span, String)> {
    if span.start >= part.start || span.end < part.start {
        return Some((span, new));
    }
    let new = new.rsplit_once('\n')?.1.to_owned();
    let span = Span::new(part.start, span.end);
    (span.text(text) != new && !span.text(text).contains('\n')).then_some((span, new))
}

/// What changes within the line that ends before an offset; its break stays.
fn left_line(analysis: &Analysis, file: FileId, line: u32) -> Vec<Edit> {
    let text = analysis.text(file);
    let end = line.saturating_sub(1);
    let end = end - u32::from(text.get(..end as usize).is_some_and(|text| text.ends_with('\r')));
    let left = Span::new(line_start(text, end), end);
    let has_break = |edit: &Edit| edit.text.contains('\n') || edit.place.span.text(text).contains('\n');
    layout(analysis, file, left).into_iter().filter(|edit| !has_break(edit)).collect()
}

/// The edit that gives a line its indent: two blanks for each bracket that is open in front of it.
fn indent(analysis: &Analysis, file: FileId, line: u32) -> Option<Edit> {
    let unit = analysis.unit(file)?;
    let (text, tokens) = (&*unit.syntax.text, &unit.syntax.tokens);
    let rest = text.get(line as usize..)?;
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    // Within a text or a comment the line has what its author gave it.
    let around = tokens.at(line);
    if around < tokens.len()
        && tokens.start(around) < line
        && matches!(tokens.kind(around), K::String | K::TextBlock | K::OpenString | K::OpenTextBlock | K::BlockComment)
    {
        return None;
    }
    let item = analysis.items(file).take_while(|item| item.slot.start < line).last();
    let from = item.map_or(0, |item| item.slot.start);
    let mut depth = 0_usize;
    for kind in (tokens.at(from)..tokens.len()).take_while(|index| tokens.start(*index) < line).map(|index| tokens.kind(index)) {
        if kind.is_opener() {
            depth += 1;
        } else if kind.is_closer() {
            depth = depth.saturating_sub(1);
        }
    }
    if rest.trim_start_matches([' ', '\t']).starts_with(['}', ']', ')']) {
        depth = depth.saturating_sub(1);
    }
    let wanted = " ".repeat(depth * LEVEL);
    let span = Span::new(line, line + blanks as u32);
    (span.text(text) != wanted).then(|| Edit { place: Place::new(file, span), text: wanted })
}

fn line_start(text: &str, offset: u32) -> u32 {
    text.get(..offset as usize).and_then(|before| before.rfind('\n')).map_or(0, |at| at as u32 + 1)
}

/// The bracket that this one closes.
fn opener(tokens: &weave_syntax::Tokens, close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    (0..close).rev().find(|index| {
        let kind = tokens.kind(*index);
        if kind.is_closer() {
            depth += 1;
        } else if kind.is_opener() {
            if depth == 0 {
                return true;
            }
            depth -= 1;
        }
        false
    })
}

/// What the layout changes: runs of blanks and commas, and nothing else. Nothing, if the two differ in more than that.
fn runs(before: &str, after: &str) -> Option<Vec<(Span, String)>> {
    let is_blank = |letter: char| letter.is_ascii_whitespace() || letter == ',';
    let mut found = Vec::new();
    let (mut one, mut other) = (before, after);
    loop {
        let (blank, new) = (one.len() - one.trim_start_matches(is_blank).len(), other.len() - other.trim_start_matches(is_blank).len());
        let (old_run, new_run) = (one.get(..blank)?, other.get(..new)?);
        if old_run != new_run {
            let start = (before.len() - one.len()) as u32;
            found.push((Span::new(start, start + blank as u32), new_run.to_owned()));
        }
        (one, other) = (one.get(blank..)?, other.get(new..)?);
        let word = one.find(is_blank).unwrap_or(one.len());
        let new_word = other.find(is_blank).unwrap_or(other.len());
        // A run that only one of them has stands within what is one word in the other.
        let shared = word.min(new_word);
        if one.get(..shared)? != other.get(..shared)? {
            return None;
        }
        if shared == 0 {
            return (one.is_empty() && other.is_empty()).then_some(found);
        }
        (one, other) = (one.get(shared..)?, other.get(shared..)?);
    }
}

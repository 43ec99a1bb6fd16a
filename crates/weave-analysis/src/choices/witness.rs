//! A case in words: what its paths are, as one would write it in a guard.

use serde_json::Value as Json;

use super::domain::{Domain, NULL};
use super::facts::{Witness, WitnessValue};
use super::line::{Line, Piece, Point, Sort};
use super::region::Part;
use super::space::Space;

/// More texts that are meant by "none of these" are not listed.
const MOST_TEXTS: usize = 3;

/// One of the cases of a part.
pub(super) fn witness(space: &Space<'_>, part: &Part) -> Witness {
    let mut values = Vec::new();
    // Variables whose owner is shown to be null, or that are shown to be there, need no words for it.
    let mut said = vec![Said::Nothing; space.paths.len()];
    let chosen = part.limits().iter().filter_map(|(variable, cells)| {
        let index = *variable as usize;
        let one = cells.iter().nth(1).is_none();
        let is_free = space.domains.get(index) == Some(cells) || !one && space.sure.get(index) == Some(cells);
        Some((index, space.paths.get(index)?, cells.iter().next().filter(|_| !is_free)?))
    });
    let chosen = chosen.collect::<Vec<_>>();
    let cell_of = |path: u32| chosen.iter().find(|(index, ..)| *index == path as usize).map(|(.., cell)| *cell);
    for (index, node, cell) in chosen.iter().copied() {
        let Some(domain) = &node.domain else { continue };
        // What a form of a union, or a list of that length, does not have at all may not even be asked for.
        let has_none = |owner: u32| domain.under.iter().any(|(owners, own)| owners.has(owner) && own.iter().eq([NULL]));
        let owner_is_null = node.owner.is_some_and(|owner| said.get(owner as usize) == Some(&Said::Null))
            || node.owner.and_then(cell_of).is_some_and(has_none);
        let Some(condition) = condition(domain, &node.name, cell) else { continue };
        if let Some(said) = said.get_mut(index) {
            *said = if cell == NULL { Said::Null } else { Said::There };
        }
        if !(owner_is_null && cell == NULL) {
            values.push((index, WitnessValue { path: node.name.clone(), condition, value: example(domain, cell) }));
        }
    }
    // What is said of a part of a value says that the value is there.
    for (index, known) in said.clone().into_iter().enumerate().filter(|(_, known)| *known == Said::There) {
        let mut owner = space.paths.get(index).and_then(|node| node.owner);
        while let Some(above) = owner.filter(|_| known == Said::There) {
            if let Some(said) = said.get_mut(above as usize).filter(|said| **said == Said::There) {
                *said = Said::Below;
            }
            owner = space.paths.get(above as usize).and_then(|node| node.owner);
        }
    }
    let is_needed =
        |(index, value): &(usize, WitnessValue)| said.get(*index) != Some(&Said::Below) || !value.condition.ends_with("!= null");
    Witness { values: values.into_iter().filter(is_needed).map(|(_, value)| value).collect() }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Nothing,
    Null,
    There,
    /// Something below it is said to be there.
    Below,
}

/// What is so of a path whose value lies in a cell; nothing if that goes without saying.
fn condition(domain: &Domain, path: &str, cell: u32) -> Option<String> {
    if cell == NULL {
        return Some(format!("{path} == null"));
    }
    if let Some(first) = domain.bools.filter(|first| (*first..first + 2).contains(&cell)) {
        return Some(format!("{path} == {}", cell > first));
    }
    if let Some(line) = domain.lines.iter().find(|line| line.cells().contains(&cell)) {
        return on_line(line, path, cell, domain.whole);
    }
    if let Some(texts) = &domain.texts {
        if let Some(text) = texts.text(cell) {
            return Some(format!("{path} == {}", Json::from(&**text)));
        }
        if texts.others.cells().contains(&cell) {
            let size = on_line(&texts.others, &format!("size({path})"), cell, true);
            let (least, most) = texts.others.sizes(cell);
            let fits = |text: &&std::sync::Arc<str>| i64::try_from(text.chars().count()).is_ok_and(|size| (least..=most).contains(&size));
            let known = texts.known.iter().filter(fits).cloned().collect::<Vec<_>>();
            let parts = size.into_iter().chain(another(path, &known)).collect::<Vec<_>>();
            return (!parts.is_empty()).then(|| parts.join(" && "));
        }
    }
    for (line, _) in domain.list.iter().chain(&domain.map) {
        if line.cells().contains(&cell)
            && let Some(condition) = on_line(line, &format!("size({path})"), cell, true)
        {
            return Some(condition);
        }
    }
    domain.all.has(NULL).then(|| format!("{path} != null"))
}

/// None of some texts.
fn another(path: &str, known: &[std::sync::Arc<str>]) -> Option<String> {
    let texts = known.iter().take(MOST_TEXTS).map(|text| Json::from(&**text).to_string()).collect::<Vec<_>>();
    match &*texts {
        [] => None,
        [only] => Some(format!("{path} != {only}")),
        texts => {
            let more = if known.len() > MOST_TEXTS { ", …" } else { "" };
            Some(format!("!({path} in [{}{more}])", texts.join(", ")))
        }
    }
}

fn on_line(line: &Line, path: &str, cell: u32, whole: bool) -> Option<String> {
    match line.piece(cell)? {
        Piece::Point(point) => Some(format!("{path} == {}", written(line.sort, point))),
        // One number says more than two bounds.
        Piece::Between(Some(_), Some(_)) if whole && matches!(line.sort, Sort::Number | Sort::Int64 | Sort::Size) => {
            let example = line.example(cell, whole)?;
            Some(format!("{path} == {}", example.as_str().map_or_else(|| example.to_string(), str::to_owned)))
        }
        Piece::Between(below, above) => {
            let below = below.map(|below| format!("{path} > {}", written(line.sort, below)));
            let above = above.map(|above| format!("{path} < {}", written(line.sort, above)));
            let bounds = below.into_iter().chain(above).collect::<Vec<_>>();
            (!bounds.is_empty()).then(|| bounds.join(" && "))
        }
    }
}

/// A constant as it is written in a guard.
fn written(sort: Sort, point: &Point) -> String {
    match point {
        Point::Number(number) => number.to_string(),
        Point::Whole(number) => number.to_string(),
        Point::Text(text) if sort == Sort::Decimal => text.to_string(),
        Point::Text(text) => match weave_scalars::duration::words_of(text).filter(|_| sort == Sort::Duration) {
            Some(words) => words,
            None => Json::from(&**text).to_string(),
        },
    }
}

/// A value in a cell, as on the wire.
fn example(domain: &Domain, cell: u32) -> Option<Json> {
    if cell == NULL {
        return Some(Json::Null);
    }
    if let Some(first) = domain.bools.filter(|first| (*first..first + 2).contains(&cell)) {
        return Some(Json::Bool(cell > first));
    }
    if let Some(line) = domain.lines.iter().find(|line| line.cells().contains(&cell)) {
        return line.example(cell, domain.whole);
    }
    let texts = domain.texts.as_ref()?;
    if let Some(text) = texts.text(cell) {
        return Some(Json::from(&**text));
    }
    let size = texts.others.cells().contains(&cell).then(|| texts.others.sizes(cell).0)?;
    // A text of that length that is none of the known ones: of so many letters one is free.
    let letters = ('a'..='z').map(|letter| letter.to_string().repeat(usize::try_from(size.max(1)).unwrap_or(usize::MAX).min(1_000)));
    let mut free = letters.filter(|text| texts.known.iter().all(|known| **known != **text));
    free.next().map(Json::from)
}

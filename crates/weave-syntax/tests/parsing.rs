//! Samples of every construct: whole, cut off anywhere, and with each token taken out in turn.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use weave_diagnostics::FileId;
use weave_syntax::ast::ItemKind;
use weave_syntax::{File, ItemSlot, lex, parse};

const SAMPLES: [(&str, &str, usize); 4] = [
    ("support", include_str!("samples/support.weave"), 21),
    ("types", include_str!("samples/types.weave"), 20),
    ("tools", include_str!("samples/tools.weave"), 13),
    ("workflows", include_str!("samples/workflows.weave"), 3),
];

fn complaints(file: &File) -> Vec<String> {
    file.diagnostics(FileId(0)).into_iter().map(|it| format!("{:?} {}: {}", it.primary.place.span, it.code.id, it.message)).collect()
}

#[test]
fn samples_are_clean() {
    for (name, text, items) in SAMPLES {
        let file = parse(text.into());
        assert_eq!(complaints(&file), Vec::<String>::new(), "{name}");
        assert_eq!(file.items.len(), items, "{name}");
        assert!(file.items.iter().all(|slot| !slot.parsed.repaired && !matches!(slot.parsed.item.kind, ItemKind::Broken)), "{name}");
    }
}

#[test]
fn items_do_not_depend_on_what_stands_around_them() {
    for (name, text, _) in SAMPLES {
        let file = parse(text.into());
        let blown_up = parse(text.replace("\n\n", "\n\n// A comment between.\n\n\n").into());
        let alone: Vec<_> = file.items.iter().map(|slot| parse(file.item_text(slot).into())).collect();
        assert_eq!(file.items.len(), blown_up.items.len(), "{name}");
        for ((slot, alone), moved) in file.items.iter().zip(&alone).zip(&blown_up.items) {
            assert_eq!(slot.parsed, alone.items[0].parsed, "{name}");
            // What stands in the item may have been blown up as well.
            if file.item_text(slot) == blown_up.item_text(moved) {
                assert_eq!(slot.parsed, moved.parsed, "{name}");
            }
        }
    }
}

fn same(before: &File, slot: &ItemSlot, after: &File, other: &ItemSlot) -> bool {
    before.item_text(slot) == after.item_text(other) && slot.parsed == other.parsed
}

/// How many of the first items of a file are in another one as they were.
fn kept_in_front(before: &File, after: &File) -> usize {
    before.items.iter().zip(&after.items).take_while(|(one, other)| same(before, one, after, other)).count()
}

#[test]
fn every_prefix_is_read() {
    for (name, text, _) in SAMPLES {
        let whole = parse(text.into());
        // Every character of the start, and then every seventh, as neighbours seldom differ.
        let ends = (0..=text.len()).filter(|end| text.is_char_boundary(*end) && (*end < 400 || end % 7 == 0));
        for end in ends {
            let cut = parse(text[..end].into());
            // What follows an item on its line may belong to it.
            let is_complete = |slot: &&ItemSlot| text.get(slot.end as usize..end).is_some_and(|behind| behind.contains('\n'));
            let complete = whole.items.iter().filter(is_complete).count();
            assert!(kept_in_front(&whole, &cut) >= complete, "{name} up to {end}: {:?}", complaints(&cut));
        }
    }
}

#[test]
fn every_token_may_be_missing() {
    for (name, text, _) in SAMPLES {
        let whole = parse(text.into());
        for token in lex(text).iter().filter(|token| !token.kind.is_trivia()) {
            let span = token.span;
            let fewer = format!("{}{}", &text[..span.start as usize], &text[span.end as usize..]);
            let file = parse(fewer.as_str().into());
            let what = || format!("{name} without {:?} at {span:?}: {:?}", span.text(text), complaints(&file));
            let front = whole.items.iter().filter(|slot| slot.end <= span.start).count();
            assert!(kept_in_front(&whole, &file) >= front, "{}", what());
            let behind = whole.items.iter().filter(|slot| slot.start >= span.end);
            let found = behind.clone().filter(|slot| file.items.iter().rev().any(|other| same(&whole, slot, &file, other)));
            assert_eq!(found.count(), behind.count(), "{}", what());
        }
    }
}

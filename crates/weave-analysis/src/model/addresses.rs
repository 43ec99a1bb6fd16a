//! Places that outlast changes of the text around them.
//!
//! Somebody who types moves everything that stands behind the cursor, and all places in the model with it. So in an editor an item has an
//! address, with room behind it to grow, and the places of the model count from there: what has not changed keeps its places, wherever it
//! stands in the text by now. Addresses begin where no text reaches, so that nobody takes the one for the other, and they stand in the
//! order of the text. [`Unit::in_text`] says where something stands.

use weave_diagnostics::{Place, Span};
use weave_syntax::{File, ItemSlot};

use super::{ItemContext, Unit};

/// The first address.
const FIRST: u32 = 1 << 31;

/// How far an item can grow, beside by its own length.
const ROOM: u32 = 4096;

/// The addresses of the items of a file.
#[derive(Debug)]
pub struct Addresses {
    starts: Vec<u32>,
    /// Behind the room of the last one.
    end: u32,
}

impl Addresses {
    /// Addresses for the items of a file; nothing if there are not enough of them.
    #[must_use]
    pub fn new(file: &File) -> Option<Self> {
        let mut end = FIRST;
        let mut starts = Vec::with_capacity(file.items.len());
        for slot in &file.items {
            starts.push(end);
            let room = (slot.end - slot.start).checked_mul(2)?.checked_add(ROOM)?;
            end = end.checked_add(room)?;
        }
        Some(Self { starts, end })
    }

    /// Whether there is room for the items of another state of the file, each in the place of the one that it was.
    #[must_use]
    pub fn fit(&self, file: &File) -> bool {
        self.starts.len() == file.items.len()
            && file.items.iter().enumerate().all(|(index, slot)| {
                // The end of an item is a place in it.
                self.room(index).is_some_and(|room| slot.end - slot.start < room.len())
            })
    }

    /// The addresses that belong to an item.
    #[must_use]
    pub fn room(&self, item: usize) -> Option<Span> {
        let start = *self.starts.get(item)?;
        Some(Span::new(start, self.starts.get(item + 1).copied().unwrap_or(self.end)))
    }

    /// The item to which an address belongs; nothing if it is none.
    fn item_at(&self, address: u32) -> Option<usize> {
        self.starts.partition_point(|start| *start <= address).checked_sub(1)
    }
}

impl Unit {
    /// What turns the spans of an item into places of the model.
    #[must_use]
    pub fn context(&self, item: usize, slot: &ItemSlot) -> ItemContext<'_> {
        let room = self.addresses.as_ref().and_then(|addresses| addresses.room(item));
        ItemContext { file: self.file, start: room.map_or(slot.start, |room| room.start), text: self.syntax.item_text(slot) }
    }

    /// Where a place of the model stands in the text of the file. A place in the text stays what it is.
    #[must_use]
    pub fn in_text(&self, place: Place) -> Place {
        let moved = || {
            let addresses = self.addresses.as_ref()?;
            let item = addresses.item_at(place.span.start)?;
            let (from, to) = (addresses.room(item)?.start, self.syntax.items.get(item)?.start);
            Some(Place { span: Span::new(place.span.start - from + to, place.span.end - from + to), ..place })
        };
        moved().unwrap_or(place)
    }

    /// The item to which a place of the model belongs.
    pub(crate) fn item_at(&self, place: Place) -> Option<&ItemSlot> {
        let items = &self.syntax.items;
        let index = match &self.addresses {
            Some(addresses) => addresses.item_at(place.span.start)?,
            None => items.partition_point(|slot| slot.end < place.span.start),
        };
        items.get(index)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use weave_diagnostics::FileId;

    use super::*;

    fn unit(text: &str, addresses: Option<Arc<Addresses>>) -> Unit {
        Unit { addresses, ..Unit::new(FileId(1), Arc::new(weave_syntax::parse(text.into())), Vec::new()) }
    }

    #[test]
    fn a_place_is_found_where_its_item_stands_by_now() {
        let before = unit("type A = int\n\ntype B = int\n", None);
        let addresses = Arc::new(Addresses::new(&before.syntax).unwrap());
        let before = Unit { addresses: Some(Arc::clone(&addresses)), ..before };
        let after = unit("// more\n\ntype A = string\n\ntype B = int\n", Some(Arc::clone(&addresses)));
        assert!(addresses.fit(&after.syntax));
        for (unit, wanted) in [(&before, 19), (&after, 31)] {
            let slot = &unit.syntax.items[1];
            let place = unit.context(1, slot).place(Span::new(5, 6));
            let found = unit.in_text(place);
            assert_eq!((found.span, found.span.text(&unit.syntax.text)), (Span::new(wanted, wanted + 1), "B"));
            assert_eq!(unit.in_text(found), found, "a place in the text stays what it is");
            assert_eq!(unit.item_at(place).unwrap().start, slot.start);
            let end = unit.context(1, slot).place(Span::at(slot.end - slot.start));
            assert_eq!(unit.item_at(end).unwrap().start, slot.start);
        }
    }

    #[test]
    fn an_item_that_grows_too_far_or_is_new_gets_no_room() {
        let file = weave_syntax::parse("type A = int\n".into());
        let addresses = Addresses::new(&file).unwrap();
        let with = |docs: usize| weave_syntax::parse(format!("/// {}\ntype A = int\n", "x".repeat(docs)).into());
        assert!(addresses.fit(&with(4000)));
        assert!(!addresses.fit(&with(5000)));
        assert!(!addresses.fit(&weave_syntax::parse("type A = int\ntype B = int\n".into())));
    }
}

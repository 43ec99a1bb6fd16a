//! The variants of tagged unions, which are records without the tag.

use weave_diagnostics::{Diagnostic, Place};
use weave_syntax::ast::ItemKind;

use crate::messages::declarations as message;
use crate::model::types::Type;
use crate::model::{DeclarationKind, Model, Unit};

/// Reports variants that cannot carry a tag.
pub(super) fn check(units: &[Unit], model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    for declaration in &model.declarations {
        let DeclarationKind::Union(union) = &declaration.kind else { continue };
        let Some(unit) = units.get(declaration.file.0 as usize) else { continue };
        let Some(slot) = unit.syntax.items.get(declaration.item as usize) else { continue };
        let ItemKind::Union(written) = &slot.parsed.item.kind else { continue };
        let item = unit.context(declaration.item as usize, slot);
        // A variant whose name is taken by an earlier one is not in the model; places tell which is which.
        let mut variants = union.variants.iter().peekable();
        for variant in &written.variants {
            let Some(known) = variants.next_if(|known| known.place == item.place(variant.name.span)) else { continue };
            let place = item.place(variant.ty.span());
            diagnostics.extend(problem(model, &known.ty, &union.tag, place));
        }
    }
}

fn problem(model: &Model, ty: &Type, tag: &str, place: Place) -> Option<Diagnostic> {
    if *model.resolve(ty) == Type::Unknown {
        return None;
    }
    let Some(record) = model.record(ty) else {
        return Some(message::variant_is_no_record(&model.display(ty), place));
    };
    let taken = record.fields.iter().find(|field| field.wire_name() == tag)?;
    Some(message::variant_has_tag(tag, place, taken.place))
}

//! The programs in `examples/` compile to valid definitions.

use super::compiled;

const SHOP: &str = concat!("\n// file: shop.weave\n", include_str!("../../../../examples/shop.weave"));

#[test]
fn all_examples_compile() {
    for (text, workflows) in [
        (include_str!("../../../../examples/greet.weave"), 1),
        (include_str!("../../../../examples/support.weave"), 1),
        (include_str!("../../../../examples/expense.weave"), 1),
        (include_str!("../../../../examples/research.weave"), 1),
        (include_str!("../../../../examples/delivery.weave"), 1),
        (include_str!("../../../../examples/onboarding.weave"), 2),
        (include_str!("../../../../examples/shop.weave"), 0),
    ] {
        assert_eq!(compiled(&format!("{text}{SHOP}")).len(), workflows, "{text}");
    }
}

//! What can be wrong with the choices of a workflow.

use weave_diagnostics::Code;

use super::bodies::codes;

codes! {
    NEVER_TRUE {
        "never-true",
        "A guard is true in no case, so its node never fires.",
        "The types of the values and the parts of the guard leave no case in which it is true: a number outside of its constraint, two values of one field at once, a field of another variant. Correct the guard, or remove the node. If the node may also fire on another trigger, this is a warning.",
        bad: "tool rate(text: string) -> { stars: int(1..5) }\n\nworkflow sort(text: string) -> bool {\n  step rate { call rate { text: .input.text } }\n  end great on rate when .rate.stars > 5 = true\n  end other on rate else = false\n}\n",
        good: "tool rate(text: string) -> { stars: int(1..5) }\n\nworkflow sort(text: string) -> bool {\n  step rate { call rate { text: .input.text } }\n  end great on rate when .rate.stars == 5 = true\n  end other on rate else = false\n}\n",
    }
    SHADOWED_GUARD {
        "shadowed-guard",
        "Earlier nodes of a choice take every case of a later one, which so never fires.",
        "Of the nodes with one trigger and a condition, the first one whose guard is true fires. Move the narrower guard before the wider one, or remove the node. A node with a `limit` that can be used up shadows nothing, and neither does `also when`, which stands outside the choice. An `else` that is left nothing is a warning only: it takes what a later change may leave. So is a node that may fire on another trigger.",
        bad: "tool score(text: string) -> { points: int }\n\nworkflow sort(text: string) -> string {\n  step score { call score { text: .input.text } }\n  end fair on score when .score.points >= 40 = \"fair\"\n  end good on score when .score.points >= 80 = \"good\"\n  end poor on score else = \"poor\"\n}\n",
        good: "tool score(text: string) -> { points: int }\n\nworkflow sort(text: string) -> string {\n  step score { call score { text: .input.text } }\n  end good on score when .score.points >= 80 = \"good\"\n  end fair on score when .score.points >= 40 = \"fair\"\n  end poor on score else = \"poor\"\n}\n",
    }
    UNHANDLED_CASE {
        "unhandled-case",
        "There is a case in which no node of a choice fires.",
        "The message names such a case. Nothing else goes on then, so the run hangs, and the runtime ends it as `stalled`. Add a node with `else`, which fires when none of the guards is true, or widen a guard. A node that has used up its `limit` is passed over, so what it alone takes needs another node too. Where something else may still be under way, such as a parallel branch, a timeout of the run or an event from outside, this is a warning; write `also when` for what is meant to happen only sometimes.",
        bad: "tool classify(text: string) -> { intent: \"refund\" | \"question\" | \"bug\" }\n\nworkflow triage(text: string) -> string {\n  step classify { call classify { text: .input.text } }\n  end refund on classify when .classify.intent == \"refund\" = \"refund\"\n  end answer on classify when .classify.intent == \"question\" = \"answer\"\n}\n",
        good: "tool classify(text: string) -> { intent: \"refund\" | \"question\" | \"bug\" }\n\nworkflow triage(text: string) -> string {\n  step classify { call classify { text: .input.text } }\n  end refund on classify when .classify.intent == \"refund\" = \"refund\"\n  end answer on classify else = \"answer\"\n}\n",
    }
    MAY_BE_UNHANDLED {
        "may-be-unhandled",
        "Nothing says what happens when none of the guards of a choice is true.",
        "The guards ask something of which the compiler does not know whether one of them is always true: how two values compare, what a text contains, values that an earlier choice has looked at, arithmetic, which may end in an error and then counts as false. If none is true, the run hangs. Say what happens then with an `else`; often it can stand in place of the last guard.",
        bad: "tool find(id: string) -> { paid: decimal, price: decimal }\n\nworkflow check(id: string) -> bool {\n  step find { call find { id: .input.id } }\n  end paid on find when .find.paid >= .find.price = true\n  end open on find when .find.paid + 0 < .find.price = false\n}\n",
        good: "tool find(id: string) -> { paid: decimal, price: decimal }\n\nworkflow check(id: string) -> bool {\n  step find { call find { id: .input.id } }\n  end paid on find when .find.paid >= .find.price = true\n  end open on find else = false\n}\n",
    }
}

/// The codes of choices.
pub(crate) const CODES: &[&Code] = &[&NEVER_TRUE, &SHADOWED_GUARD, &UNHANDLED_CASE, &MAY_BE_UNHANDLED];

//! What can be wrong with the choices of a workflow.

use weave_diagnostics::{Code, Severity};

use super::bodies::codes;

codes! {
    NEVER_TRUE {
        "never-true",
        "A guard is never true, so its node never fires.",
        "The types of the values and the parts of the guard leave no case in which it is true: a number outside its constraint, two different values of one field, a field of another variant. Correct the guard, or remove the node. If the node can also fire on another trigger, this is a warning.",
        bad: "tool rate(text: string) -> { stars: int(1..5) }\n\nworkflow sort(text: string) -> bool {\n  step rate { call rate { text: .input.text } }\n  end great on rate when .rate.stars > 5 = true\n  end other on rate else = false\n}\n",
        good: "tool rate(text: string) -> { stars: int(1..5) }\n\nworkflow sort(text: string) -> bool {\n  step rate { call rate { text: .input.text } }\n  end great on rate when .rate.stars == 5 = true\n  end other on rate else = false\n}\n",
    }
    SHADOWED_GUARD {
        "shadowed-guard",
        "Earlier nodes of a choice cover every case of a later one, which never fires.",
        "Among the nodes with the same trigger and a condition, the first one whose guard is true fires. Move the narrower guard before the wider one, or remove the node. A node with a reachable `limit` does not shadow other nodes, and neither does `also when`, which is not part of the choice. For an `else` with no remaining case this is only a warning, because a later change may leave one, and also for a node that can fire on another trigger.",
        bad: "tool score(text: string) -> { points: int }\n\nworkflow sort(text: string) -> string {\n  step score { call score { text: .input.text } }\n  end fair on score when .score.points >= 40 = \"fair\"\n  end good on score when .score.points >= 80 = \"good\"\n  end poor on score else = \"poor\"\n}\n",
        good: "tool score(text: string) -> { points: int }\n\nworkflow sort(text: string) -> string {\n  step score { call score { text: .input.text } }\n  end good on score when .score.points >= 80 = \"good\"\n  end fair on score when .score.points >= 40 = \"fair\"\n  end poor on score else = \"poor\"\n}\n",
    }
    UNHANDLED_CASE {
        "unhandled-case",
        "A choice does not cover all cases.",
        "The message shows an uncovered case. The run then deadlocks, and the runtime ends it as `stalled`. Add a node with `else`, which fires if no guard is true, or widen a guard. A node whose `limit` is reached is skipped, so the cases that only it covers need another node. If something else may still be in flight, such as a parallel branch, a timeout of the run or an external event, this is a warning; write `also when` for something that happens only sometimes.",
        bad: "tool classify(text: string) -> { intent: \"refund\" | \"question\" | \"bug\" }\n\nworkflow triage(text: string) -> string {\n  step classify { call classify { text: .input.text } }\n  end refund on classify when .classify.intent == \"refund\" = \"refund\"\n  end answer on classify when .classify.intent == \"question\" = \"answer\"\n}\n",
        good: "tool classify(text: string) -> { intent: \"refund\" | \"question\" | \"bug\" }\n\nworkflow triage(text: string) -> string {\n  step classify { call classify { text: .input.text } }\n  end refund on classify when .classify.intent == \"refund\" = \"refund\"\n  end answer on classify else = \"answer\"\n}\n",
    }
    MAY_BE_UNHANDLED {
        "may-be-unhandled",
        "A choice may not cover all cases.",
        "The compiler cannot tell whether one of the guards is always true: they compare two values, search in a string, use values that an earlier choice has tested, or use arithmetic, which may fail and then counts as false. If no guard is true, the run deadlocks. Add a node with `else`; often it can replace the last guard.",
        bad: "tool find(id: string) -> { paid: decimal, price: decimal }\n\nworkflow check(id: string) -> bool {\n  step find { call find { id: .input.id } }\n  end paid on find when .find.paid >= .find.price = true\n  end open on find when .find.paid + 0 < .find.price = false\n}\n",
        good: "tool find(id: string) -> { paid: decimal, price: decimal }\n\nworkflow check(id: string) -> bool {\n  step find { call find { id: .input.id } }\n  end paid on find when .find.paid >= .find.price = true\n  end open on find else = false\n}\n",
    }
}

/// Not in the table above, because it is a warning.
pub(crate) static UNCHECKED_CHOICE: Code = Code {
    id: "unchecked-choice",
    severity: Severity::Warning,
    summary: "The guards of a choice are too large to be checked.",
    explanation: "What the guards of a choice say together is worked out within bounds: 16,384 different values of a path, 512 parts of a guard, and 4,000,000 steps. Beyond them it is not known whether a guard is never true, is shadowed, or leaves a case out, and the compiler says so, once for each choice. The program means the same. Let an earlier step or tool decide part of it, or compare with fewer values.",
    bad: "tool look(text: string) -> { a0: bool, b0: bool, a1: bool, b1: bool, a2: bool, b2: bool, a3: bool, b3: bool, a4: bool, b4: bool, a5: bool, b5: bool, a6: bool, b6: bool, a7: bool, b7: bool, a8: bool, b8: bool }\n\nworkflow sort(text: string) -> string {\n  step look { call look { text: .input.text } }\n  end all on look when (.look.a0 || .look.b0) && (.look.a1 || .look.b1) && (.look.a2 || .look.b2) && (.look.a3 || .look.b3) && (.look.a4 || .look.b4) && (.look.a5 || .look.b5) && (.look.a6 || .look.b6) && (.look.a7 || .look.b7) && (.look.a8 || .look.b8) = \"all\"\n  end rest on look else = \"rest\"\n}\n",
    good: "tool look(text: string) -> { complete: bool }\n\nworkflow sort(text: string) -> string {\n  step look { call look { text: .input.text } }\n  end all on look when .look.complete = \"all\"\n  end rest on look else = \"rest\"\n}\n",
};

/// The codes of choices.
pub(crate) const CODES: &[&Code] = &[&NEVER_TRUE, &SHADOWED_GUARD, &UNHANDLED_CASE, &MAY_BE_UNHANDLED, &UNCHECKED_CHOICE];

//! The texts of prompts.

use weave_syntax::ast::Prompt as Written;

use super::values;
use crate::declare::Context;
use crate::expression::Parameters;
use crate::model::DeclarationKind;
use crate::model::declarations::{Prompt, PromptTier};
use crate::model::value::{Template, TemplatePart};

pub(super) fn read(context: &mut Context<'_>, it: &Written, known: &DeclarationKind) -> Option<DeclarationKind> {
    let DeclarationKind::Prompt(known) = known else { return None };
    let text = it.text?;
    let mut records = vec![&*known.input];
    records.extend(known.hydrates.as_deref());
    let template = values::template_of(context, text, &Parameters(&records));
    let tier = match &known.hydrates {
        Some(_) => PromptTier::Dynamic,
        None if has_placeholder(&template) => PromptTier::Bound,
        None => PromptTier::Static,
    };
    let (input, hydrates) = (known.input.clone(), known.hydrates.clone());
    Some(DeclarationKind::Prompt(Box::new(Prompt { input, hydrates, text: template, tier })))
}

fn has_placeholder(template: &Template) -> bool {
    template.parts.iter().any(|part| matches!(part, TemplatePart::Placeholder(_)))
}

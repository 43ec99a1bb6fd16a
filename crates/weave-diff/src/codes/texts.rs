//! Changes of what people and models read.

super::kinds! {
    Texts;
    /// Another text.
    TEXT_CHANGED = "text-changed" Note
    "A description, a title, a version, an example or another text for people is another one."
    "No program is concerned. Models read the descriptions of tools and fields, so it may well be worth a look at how they answer now."
    r#"/// Says hello.
workflow greet(name: string) -> string {
  end done = .input.name
}
"# => r#"/// Says hello to somebody.
workflow greet(name: string) -> string {
  end done = .input.name
}
"#;
    /// On its way out.
    NEWLY_DEPRECATED = "newly-deprecated" Note
    "Something is on its way out."
    "It has `@deprecated` now. Nobody is broken yet; those who use it are told by `weave lint`."
    r#"workflow greet(name: string, nick?: string) -> string {
  end done = .input.name
}
"# => r#"workflow greet(name: string, @deprecated("use name") nick?: string) -> string {
  end done = .input.name
}
"#;
    /// A toolkit.
    TOOLKIT_CHANGED = "toolkit-changed" Note
    "A toolkit groups other tools, or in another way."
    "Toolkits are for people, catalogs and generated code. What an agent is offered is told by `offered-tools-changed`."
    r#"tool find(id: string) -> string
tool note(text: string)

toolkit desk { tools [find] }

agent clerk(id: string) -> string { model mini, system "Help.", tools [desk], max_turns 3 }

workflow help(id: string) -> string {
  step one { ask clerk { id: .input.id } }
  end done on one = .one
}
"# => r#"tool find(id: string) -> string
tool note(text: string)

toolkit desk { tools [find, note] }

agent clerk(id: string) -> string { model mini, system "Help.", tools [desk], max_turns 3 }

workflow help(id: string) -> string {
  step one { ask clerk { id: .input.id } }
  end done on one = .one
}
"#;
    /// Another digest and nothing else.
    DEFINITION_CHANGED = "definition-changed" Note
    "A definition is another one in a way that no other change tells."
    "What it does and what others see of it is the same; its digest is not. Mostly another version of weave knows more about a provider of models, or a type has another name."
    r#"type Name = string

workflow greet(name: Name) -> Name {
  end done = .input.name
}
"# => r#"type FullName = string

workflow greet(name: FullName) -> FullName {
  end done = .input.name
}
"#;
}

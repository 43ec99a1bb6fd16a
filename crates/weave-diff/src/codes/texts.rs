//! Changes of what people and models read.

super::kinds! {
    Texts;
    /// Another text.
    TEXT_CHANGED = "text-changed" Note
    "A description, title, version, example or another text for people changed."
    "No program is affected. Models read the descriptions of tools and fields, so check how they answer now."
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
    "Something is deprecated."
    "It now has `@deprecated`. Nothing breaks yet; `weave lint` reports its uses."
    r#"workflow greet(name: string, nick?: string) -> string {
  end done = .input.name
}
"# => r#"workflow greet(name: string, @deprecated("use name") nick?: string) -> string {
  end done = .input.name
}
"#;
    /// A toolkit.
    TOOLKIT_CHANGED = "toolkit-changed" Note
    "The tools of a toolkit changed."
    "Toolkits are for people, catalogs and generated code. `offered-tools-changed` reports what an agent is offered."
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
    "A definition changed in a way that no other change describes."
    "Its behavior and its interface are the same; its digest is not. Usually another version of weave knows more about a model provider, or a type was renamed."
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

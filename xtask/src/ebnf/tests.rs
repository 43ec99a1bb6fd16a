use super::*;

/// The rules for a piece of grammar, without the header and the tokens.
fn rules(grammar: &str) -> String {
    let text = generate(&format!("grammar;\nextern {{ enum T {{ \"a\" => T::A }} }}\n{grammar}")).unwrap();
    let body = text.strip_prefix(HEADER).unwrap().strip_suffix(lexical::RULES).unwrap();
    body.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

#[test]
fn places_names_and_actions_are_left_out() {
    let grammar = r#"Name: Name = <l:@L> "identifier" <r:@R> => Name { span: Span::new(l, r), it: [1, 2] };"#;
    assert_eq!(rules(grammar), "Name ::= Identifier");
}

#[test]
fn a_macro_over_rules_is_written_out() {
    let grammar = r#"
        Items<T>: Box<[T]> = {
            => Box::default(),
            <mut items:(<T> ",")*> <last:T> => { items.push(last); items.into_boxed_slice() },
            <items:(<T> ",")+> => items.into_boxed_slice(),
        };
        Word: () = { "a", "b" };
        List: List = "[" <Items<Word>> "]";"#;
    assert_eq!(rules(grammar), "Word ::= \"a\" | \"b\"\nList ::= \"[\" (Word (\",\" Word)* \",\"?)? \"]\"");
}

#[test]
fn a_macro_over_flags_becomes_a_rule_for_each_use() {
    let grammar = r#"
        Top: Top = { StartItem <Value> => x(<>), StartPlaceholder <Operand<"flat">> => y(<>) };
        Value: V = Operand<"braces">;
        Operand<B>: V = { "number", <l:@L> "(" <Operand<B>> ")", "null" if B == "braces" => V::Null, };"#;
    let expected = "\
/* A file. Each item starts on its own line. */
File ::= ModuleDoc* Value*
/* A placeholder inside a string or a text block. */
Placeholder ::= \"{{\" OperandFlat \"}}\"
Value ::= OperandBraces
OperandBraces ::= Number | \"(\" OperandBraces \")\" | \"null\"
OperandFlat ::= Number | \"(\" OperandFlat \")\"";
    assert_eq!(rules(grammar), expected);
}

#[test]
fn alternatives_that_differ_by_little_become_one() {
    let grammar = r#"
        A: A = { "x", "y" };
        Attribute: A = { "@" <A>, "@" <A> "(" ")" };
        Union: A = { <A> => <>, <first:A> <rest:("|" <A>)+> };
        Record: A = { "{" A "}", "{" A "..." "}" };
        Prefixed: A = { A, "!"+ A };"#;
    let expected = "\
A ::= \"x\" | \"y\"
Attribute ::= \"@\" A (\"(\" \")\")?
Union ::= A (\"|\" A)*
Record ::= \"{\" A \"...\"? \"}\"
Prefixed ::= \"!\"* A";
    assert_eq!(rules(grammar), expected);
}

#[test]
fn left_recursion_becomes_repetition() {
    let grammar = r#"A: A = { "x" }; P: P = { A, <P> "[" "]", <l:@L> <p:P> "?" => p };"#;
    assert_eq!(rules(grammar), "A ::= \"x\"\nP ::= A (\"[\" \"]\" | \"?\")*");
}

#[test]
fn comments_and_headings_stay() {
    let grammar = "// ---- Types ----------\n// A list of types.\n// And more.\nA: A = { // not this\n \"x\" };";
    assert_eq!(rules(grammar), "/* ---- Types ---- */\n/* A list of types. And more. */\nA ::= \"x\"");
}

#[test]
fn a_rule_that_does_not_exist_is_named() {
    let error = generate("grammar;\nextern {}\nA: A = B;").unwrap_err();
    assert_eq!(error, "grammar/weave.lalrpop: `A` names `B`, which is not a rule");
}

#[test]
fn a_form_that_is_not_known_is_an_error_with_its_line() {
    let error = generate("grammar;\nextern {}\nA: A = [\n];").unwrap_err();
    assert!(error.contains("line 3") && error.contains("a name was expected"), "{error}");
}

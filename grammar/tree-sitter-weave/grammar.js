/**
 * @file The grammar of .weave for editors: highlighting, folding, indentation.
 *
 * It follows grammar/weave.lalrpop, which decides; a test holds the two together on every program of the suite. It reads what is legal and
 * leaves mistakes to its parser's recovery.
 * @license (MIT OR Apache-2.0)
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

// Every keyword is a name somewhere. These lists say where, as the rules of the same names do in grammar/weave.lalrpop.
const commonWords = [
  "import", "from", "as", "enum", "type", "union", "by", "error", "event", "external", "tool", "signal", "interaction", "provider",
  "toolkit", "prompt", "hydrates", "agent", "workflow", "test", "on", "limit", "parallel", "min", "until", "all", "of", "settled", "failure",
  "timeout",
];
const actionWords = ["ask", "call", "run", "emit", "wait", "cancel"];
const typedSettingWords = ["example", "progress", "artifacts"];
const nodeWords = ["step", "end", "fail", "when", "also", "else", "in"];
const literalWords = ["true", "false", "null"];

const rootWords = [...commonWords, ...actionWords, ...typedSettingWords, "each"];
const typeWords = [...rootWords, ...nodeWords];
const anyWords = [...typeWords, ...literalWords];
// Behind `expect`, `failure` names no node.
const nodeNames = anyWords.filter((word) => word !== "failure");

/** What stands between brackets and parentheses: commas between, one may follow the last. */
const items = (/** @type {RuleOrLiteral} */ rule) => optional(seq(rule, repeat(seq(",", rule)), optional(",")));

/** What stands between braces: a comma may follow each. */
const entries = (/** @type {RuleOrLiteral} */ rule) => repeat(seq(rule, optional(",")));

const alternatives = (/** @type {RuleOrLiteral} */ rule) => seq(rule, repeat(seq("|", rule)));

/**
 * The rules of an expression in one of its variants: `Braces` may be or begin with `{ }`, `Flat` may not because a body follows.
 */
const expressions = (/** @type {string} */ variant, /** @type {boolean} */ braces) => {
  const rule = (/** @type {string} */ name) => (/** @type {any} */ $) => $[`_${name}_${variant}`];
  const [operand, unary, chain] = [rule("operand"), rule("unary"), rule("chain")];
  const precedences = /** @type {[number, string[]][]} */ ([
    [1, ["||"]],
    [2, ["&&"]],
    [3, ["==", "!=", "<", "<=", ">", ">=", "in"]],
    [4, ["+", "-"]],
    [5, ["*", "/", "%"]],
  ]);
  return {
    [`_expression_${variant}`]: (/** @type {any} */ $) =>
      choice(chain($), alias($[`_coalesce_${variant}`], $.coalesce_expression)),
    [`_coalesce_${variant}`]: (/** @type {any} */ $) => seq(field("value", chain($)), "??", field("default", chain($))),
    [`_chain_${variant}`]: (/** @type {any} */ $) => choice(unary($), alias($[`_binary_${variant}`], $.binary_expression)),
    [`_binary_${variant}`]: (/** @type {any} */ $) =>
      choice(
        ...precedences.map(([level, operators]) =>
          prec.left(level, seq(field("left", chain($)), field("operator", operators.length > 1 ? choice(...operators) : operators[0]), field("right", chain($)))),
        ),
      ),
    [`_unary_${variant}`]: (/** @type {any} */ $) => choice(operand($), alias($[`_prefixed_${variant}`], $.unary_expression)),
    [`_prefixed_${variant}`]: (/** @type {any} */ $) => prec(6, seq(field("operator", choice("!", "-")), unary($))),
    [`_operand_${variant}`]: (/** @type {any} */ $) => (braces ? choice($._operand, $.object) : $._operand),
  };
};

module.exports = grammar({
  name: "weave",

  // The scanner only makes block comments. The other two tell it where it is: in a text, where nothing is a comment, and in a part with mistakes.
  externals: ($) => [$.block_comment, $._in_text, $._mistake],

  extras: ($) => [/[ \t\r\n]/, /\uFEFF/, $.line_comment, $.block_comment, $.module_doc],

  word: ($) => $._identifier,

  supertypes: ($) => [$.declaration],

  rules: {
    source_file: ($) => repeat($.declaration),

    // ---- Small parts ----

    _name: ($) => choice(alias($._identifier, $.identifier), ...anyWords.map((word) => alias(word, $.identifier))),
    _root_name: ($) => choice(alias($._identifier, $.identifier), ...rootWords.map((word) => alias(word, $.identifier))),
    _setting_name: ($) => choice(alias($._identifier, $.identifier), ...commonWords.map((word) => alias(word, $.identifier))),
    _type_name: ($) => choice(alias($._identifier, $.identifier), ...typeWords.map((word) => alias(word, $.identifier))),

    topic: ($) => seq($._name, repeat(seq(token.immediate("."), $._name))),
    _key: ($) => choice($._name, $.string),

    _text: ($) => choice($.string, $.text_block),
    _signed_number: ($) => choice($.number, alias(seq("-", $.number), $.number)),
    _word_literal: ($) => choice($.boolean, $.null),

    _meta: ($) => repeat1(choice($.doc_comment, $.attribute)),
    attribute: ($) => prec.right(seq("@", field("name", $._name), optional($.attribute_arguments))),
    attribute_arguments: ($) => seq("(", items($.attribute_argument), ")"),
    attribute_argument: ($) => seq(optional(seq(field("name", $._root_name), ":")), field("value", $._attribute_value)),
    _attribute_value: ($) => choice($._signed_number, $._text, $.duration, $._word_literal, $.rule_name),
    rule_name: ($) => seq($._type_name, repeat(seq("-", $._name))),

    // ---- Declarations ----

    declaration: ($) =>
      choice(
        $.import_declaration,
        $.type_declaration,
        $.enum_declaration,
        $.union_declaration,
        $.error_declaration,
        $.event_declaration,
        $.tool_declaration,
        $.toolkit_declaration,
        $.prompt_declaration,
        $.agent_declaration,
        $.workflow_declaration,
        $.test_declaration,
      ),

    import_declaration: ($) =>
      seq(optional($._meta), "import", "{", items($.imported_name), "}", "from", field("path", $.string)),
    imported_name: ($) => seq(field("name", $.topic), optional(seq("as", field("alias", $._name)))),

    type_declaration: ($) => seq(optional($._meta), "type", field("name", $._name), field("body", $._type_body)),
    _type_body: ($) => choice($.record, seq("=", $._type)),

    enum_declaration: ($) => seq(optional($._meta), "enum", field("name", $._name), field("body", $.enum_body)),
    enum_body: ($) => seq("{", entries($.enum_value), "}"),
    enum_value: ($) => seq(optional($._meta), field("name", $._name), optional(seq("=", field("wire", $._value)))),

    union_declaration: ($) =>
      seq(optional($._meta), "union", field("name", $._name), optional(seq("by", field("tag", $._name))), field("body", $.union_body)),
    union_body: ($) => seq("{", entries($.variant), "}"),
    variant: ($) => seq(optional($._meta), field("name", $._key), ":", field("type", $._type)),

    error_declaration: ($) => seq(optional($._meta), "error", field("name", $._name), optional(field("body", $._type_body))),

    event_declaration: ($) =>
      seq(
        optional($._meta),
        optional("external"),
        "event",
        field("topic", $.topic),
        optional(field("body", $._type_body)),
        optional(seq("->", field("answers", $.answers))),
      ),
    answers: ($) => alternatives($.topic),

    tool_declaration: ($) =>
      seq(
        optional($._meta),
        optional(field("kind", choice("signal", "interaction", "provider"))),
        "tool",
        field("name", $._name),
        field("parameters", $.parameters),
        optional($._output),
        optional(field("body", $.settings)),
      ),
    toolkit_declaration: ($) => seq(optional($._meta), "toolkit", field("name", $._name), optional(field("body", $.settings))),
    prompt_declaration: ($) =>
      seq(
        optional($._meta),
        "prompt",
        field("name", $._name),
        field("parameters", $.parameters),
        optional(seq("hydrates", field("hydrates", $.record))),
        field("text", $._text),
      ),
    agent_declaration: ($) =>
      seq(
        optional($._meta),
        "agent",
        field("name", $._name),
        field("parameters", $.parameters),
        optional($._output),
        optional(field("body", $.settings)),
      ),
    workflow_declaration: ($) =>
      seq(
        optional($._meta),
        "workflow",
        field("name", $._name),
        field("parameters", $.parameters),
        optional($._output),
        field("body", $.workflow_body),
      ),

    // ---- Tests ----

    test_declaration: ($) =>
      seq(
        optional($._meta),
        "test",
        field("name", $._name),
        optional(seq("of", field("workflow", $._name))),
        field("body", $.test_body),
      ),
    test_body: ($) => seq("{", repeat(choice($._test_line, $.inner_test)), "}"),
    inner_test: ($) => seq(optional($._meta), "test", field("name", $._name), field("body", $.test_body)),

    _test_line: ($) =>
      choice(
        $.start_line,
        $.answer_line,
        $.fail_line,
        $.call_line,
        $.send_line,
        $.decision_line,
        $.wait_line,
        $.expect_line,
        $.open_line,
      ),
    start_line: ($) => seq("start", optional($._given)),
    answer_line: ($) => seq("answer", $.step_reference, optional($._given)),
    fail_line: ($) => seq("fail", $.step_reference, field("kind", $._name), optional($._test_payload), optional("once")),
    call_line: ($) => seq("call", field("tool", $._name), "from", $.step_reference, optional($._given)),
    send_line: ($) => seq("send", field("topic", $.topic), optional(seq("from", $.step_reference)), optional($._test_payload)),
    decision_line: ($) =>
      choice(seq("approve", $.step_reference, optional($._given)), seq("reject", $.step_reference, optional($.string))),
    wait_line: ($) => seq("wait", choice($.duration, seq("until", $.string))),
    expect_line: ($) =>
      seq(
        "expect",
        choice(
          seq(alias($._firing, $.step_reference), optional($._given)),
          seq("!", alias($._firing, $.step_reference)),
          seq("failure", field("kind", $._name), optional($._test_payload)),
          seq("[", items(choice(field("node", $._name), $.open_marker)), "]"),
        ),
      ),
    open_line: ($) => seq("open", "[", items($.step_reference), "]"),

    step_reference: ($) => seq(field("step", $._name), optional($.ordinal), optional($.element)),
    _firing: ($) =>
      seq(
        field("step", choice(alias($._identifier, $.identifier), ...nodeNames.map((word) => alias(word, $.identifier)))),
        optional($.ordinal),
        optional($.element),
      ),
    ordinal: (_) => /#[0-9]+/,
    element: ($) => seq(token.immediate("["), optional($.number), "]"),

    _given: ($) => choice(alias($._test_object, $.object), seq("=", field("value", $._test_value))),
    _test_payload: ($) => choice($._plain_test_value, seq("=", field("value", $._test_value))),
    // A bare word is a mistake that the compiler explains.
    _test_value: ($) => choice($._plain_test_value, $.duration, $._setting_name),
    _plain_test_value: ($) =>
      choice(alias($._test_object, $.object), alias($._test_list, $.list), $._text, $._signed_number, $._word_literal),
    _test_object: ($) => seq("{", entries(alias($._test_entry, $.entry)), optional(seq($.open_marker, optional(","))), "}"),
    _test_entry: ($) => seq(field("key", $._key), ":", field("value", $._test_value)),
    _test_list: ($) => seq("[", optional(choice(seq($.open_marker, optional(",")), $._test_items)), "]"),
    _test_items: ($) => seq($._test_value, repeat(seq(",", $._test_value)), optional(seq(",", optional(seq($.open_marker, optional(",")))))),

    parameters: ($) => seq("(", items($.field), ")"),
    _output: ($) => seq("->", field("output", $._type)),

    // ---- Types ----

    _type: ($) => choice($._postfix_type, $.union_type),
    union_type: ($) =>
      choice(
        prec.right(seq($._postfix_type, repeat1(seq("|", $._postfix_type)))),
        prec.right(seq("|", $._postfix_type, repeat(seq("|", $._postfix_type)))),
      ),
    _postfix_type: ($) => choice($._atom_type, $.list_type, $.optional_type),
    list_type: ($) => prec.right(seq(field("item", $._postfix_type), "[", "]", optional($.constraints))),
    optional_type: ($) => seq($._postfix_type, "?"),
    _atom_type: ($) =>
      choice($.named_type, $.map_type, $.record, $._signed_number, $.string, $._word_literal, seq("(", $._type, ")")),
    named_type: ($) => prec.right(seq(field("name", $._type_name), optional($.constraints))),
    map_type: ($) => prec.right(seq(field("name", $._type_name), "<", field("value", $._type), ">", optional($.constraints))),

    record: ($) => seq("{", entries($.field), optional(seq($.open_marker, optional(","))), "}"),
    open_marker: (_) => "...",
    field: ($) =>
      seq(
        optional($._meta),
        field("name", $._key),
        optional("?"),
        ":",
        field("type", $._type),
        optional(seq("=", field("default", $._value))),
      ),
    constraints: ($) => seq("(", items($.constraint), ")"),
    constraint: ($) =>
      choice(
        seq(field("name", $._name), ":", field("value", $._value)),
        seq($._range_end, optional(seq("..", optional($._range_end)))),
        seq("..", $._range_end),
      ),
    _range_end: ($) => choice($._signed_number, $.duration, $.string),

    // ---- Settings ----

    settings: ($) => seq("{", entries(choice($.setting, $.typed_setting, $.example)), "}"),
    setting: ($) => seq(field("name", $._setting_name), $._setting_value),
    _setting_value: ($) => choice($._plain_setting_value, seq("when", field("guard", $._expression_flat))),
    _plain_setting_value: ($) => choice(seq(field("value", $._setting_operand), optional(field("block", $.block))), field("block", $.block)),
    _setting_operand: ($) => choice($._expression_flat_operand, alias(seq("-", $.number), $.number)),
    _expression_flat_operand: ($) => choice($._operand, alias($._setting_coalesce, $.coalesce_expression)),
    _setting_coalesce: ($) => seq(field("value", $._operand), "??", field("default", $._operand)),
    typed_setting: ($) => seq(field("name", choice("progress", "artifacts")), field("type", $._type)),
    example: ($) => seq("example", field("input", $._operand_braces), optional(seq("->", field("output", $._value)))),
    block: ($) => seq("{", entries(choice($.entry, $.block_setting)), "}"),
    block_setting: ($) => seq(field("name", $._setting_name), $._plain_setting_value),

    // ---- Workflows ----

    workflow_body: ($) => seq("{", repeat(choice(seq(alias($._workflow_setting, $.setting), optional(",")), $.node)), "}"),
    // Fewer words than elsewhere: `on` and `limit` belong to the node before.
    _workflow_setting: ($) =>
      seq(field("name", choice(alias($._identifier, $.identifier), alias("timeout", $.identifier))), $._setting_value),

    node: ($) =>
      seq(
        optional($._meta),
        field("kind", choice("step", "end", "fail")),
        field("name", $._name),
        repeat(choice($.on_clause, $.limit_clause, $.each_clause)),
        optional(choice(field("body", $.step_body), seq("=", field("output", $._value)))),
      ),

    on_clause: ($) => seq("on", alternatives($.trigger)),
    limit_clause: ($) => seq("limit", $.number),
    each_clause: ($) =>
      seq(
        "each",
        choice(
          seq(field("list", $._expression_flat_operand), "as", field("element", $._name)),
          seq(field("element", $._root_name), "in", field("list", $._expression_flat_operand)),
        ),
        repeat(seq(choice("parallel", "min"), $.number)),
      ),

    trigger: ($) => seq($._source, optional($._condition)),
    _source: ($) => choice($.step_trigger, $.join_trigger, $.failure_trigger, $.timeout_trigger),
    step_trigger: ($) => seq(field("topic", $.topic), optional(seq("from", field("step", $._name)))),
    join_trigger: ($) => seq(choice("all", "settled", seq($.number, "of")), $.steps),
    steps: ($) => seq("(", items($._name), ")"),
    failure_trigger: ($) => seq("failure", "(", field("step", $._name), ")"),
    timeout_trigger: ($) => seq("timeout", "(", optional(seq(field("step", $._name), ",")), choice($.duration, $.path), ")"),
    _condition: ($) => choice(seq(optional("also"), "when", field("guard", $._expression_flat)), field("else", "else")),

    step_body: ($) =>
      seq("{", repeat(choice(seq($._action, optional(",")), $.cancel_action, seq($.setting, optional(",")))), "}"),
    _action: ($) => choice($.call_action, $.emit_action, $.wait_action),
    call_action: ($) => prec.right(seq(choice("ask", "call", "run"), field("target", $._name), optional(field("arguments", $.object)))),
    emit_action: ($) => prec.right(seq("emit", field("topic", $.topic), optional(field("payload", $._emit_payload)))),
    _emit_payload: ($) => choice($._payload_value, alias($._emit_coalesce, $.coalesce_expression)),
    _emit_coalesce: ($) => seq(field("value", $._payload_value), "??", field("default", $._payload_value)),
    _payload_value: ($) => choice($.object, $.list, $.path, $._text, $._signed_number, $.duration, $._word_literal),
    wait_action: ($) =>
      seq(
        "wait",
        choice(
          $.duration,
          seq(optional("until"), $.path),
          seq("until", $.string),
          seq(alternatives($.topic), optional(seq("when", field("guard", $._expression_flat)))),
        ),
      ),
    cancel_action: ($) => seq("cancel", $._name, repeat(seq(",", $._name))),

    // ---- Expressions ----

    _value: ($) => $._expression_braces,

    ...expressions("braces", true),
    ...expressions("flat", false),

    _operand: ($) =>
      choice($.number, $._text, $.duration, $._word_literal, $.path, $.reference, $.list, $.parenthesized_expression),

    // What starts at the dot: `.triage.intent`, `.items[0]?.name`, `.tags.all(tag, …)`.
    path: ($) => prec.right(seq(".", field("root", $._name), repeat($._segment))),
    reference: ($) => prec.right(seq($._root_name, repeat($._segment))),
    parenthesized_expression: ($) => prec.right(seq("(", $._expression_braces, ")", repeat($._segment))),
    _segment: ($) => choice($.member, $.optional_marker, $.index, $.arguments),
    member: ($) => seq(token.immediate("."), field("name", $._name)),
    optional_marker: (_) => token.immediate("?"),
    index: ($) => seq(token.immediate("["), optional(choice($.number, $.string)), "]"),
    arguments: ($) => seq(token.immediate("("), items($._expression_braces), ")"),

    list: ($) => seq("[", items($.list_item), "]"),
    list_item: ($) =>
      seq(choice($._expression_braces, alias(choice(...nodeWords), $.identifier)), optional(seq("as", field("alias", $._name)))),

    object: ($) => seq("{", entries($.entry), "}"),
    entry: ($) => seq(field("key", $._key), ":", field("value", $._value)),

    // ---- Tokens ----

    _identifier: (_) => /[A-Za-z_][A-Za-z0-9_]*/,
    number: (_) => /(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/,
    duration: (_) => token(prec(1, /([0-9]+(ms|s|m|h|d))+/)),
    boolean: (_) => choice("true", "false"),
    null: (_) => "null",

    string: ($) =>
      seq('"', repeat(choice($.escape_sequence, $.string_content, $.placeholder, alias($._brace, $.string_content), $._in_text)), token.immediate('"')),
    string_content: (_) => token.immediate(prec(1, /[^"\\{\r\n]+/)),
    escape_sequence: (_) => token.immediate(prec(2, /\\(u[0-9A-Fa-f]{4}|\{\{|[^\r\n])/)),
    _brace: (_) => token.immediate(prec(1, "{")),

    text_block: ($) =>
      seq(
        '"""',
        repeat(
          choice(
            alias($._escaped_braces, $.escape_sequence),
            alias($._text_content, $.string_content),
            $.placeholder,
            alias($._brace, $.string_content),
            alias($._backslash, $.string_content),
            $._in_text,
          ),
        ),
        token.immediate(prec(3, /\r?\n[ \t]*"""/)),
      ),
    _text_content: (_) => token.immediate(prec(1, /[^{\\\r\n]+|\r?\n/)),
    _escaped_braces: (_) => token.immediate(prec(2, "\\{{")),
    _backslash: (_) => token.immediate(prec(1, "\\")),

    placeholder: ($) => seq(token.immediate(prec(2, "{{")), optional($._expression_flat), "}}"),

    doc_comment: (_) => token(prec(2, /\/\/\/([^\/\r\n][^\r\n]*)?/)),
    module_doc: (_) => token(prec(2, /\/\/![^\r\n]*/)),
    line_comment: (_) => token(prec(1, /\/\/[^\r\n]*/)),
  },
});

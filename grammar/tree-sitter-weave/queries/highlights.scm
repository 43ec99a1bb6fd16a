; What each part of a file is, in the names of Neovim; `cargo xtask generate` says the same to Helix and Zed. What comes later counts where two patterns meet.

; ---- Comments ----

(line_comment) @comment
(block_comment) @comment
(doc_comment) @comment.documentation
(module_doc) @comment.documentation

; ---- Keywords ----

[
  "import"
  "from"
  "as"
] @keyword.import

[
  "type"
  "enum"
  "union"
  "by"
  "error"
  "event"
  "tool"
  "toolkit"
  "prompt"
  "hydrates"
  "agent"
  "workflow"
  "test"
] @keyword.type

[
  "external"
  "signal"
  "interaction"
  "provider"
] @keyword.modifier

[
  "step"
  "end"
  "fail"
  "ask"
  "call"
  "run"
  "emit"
  "wait"
  "until"
  "cancel"
  "example"
  "progress"
  "artifacts"
  "start"
  "answer"
  "once"
  "send"
  "approve"
  "reject"
  "expect"
  "open"
] @keyword

[
  "on"
  "when"
  "also"
  "else"
  "failure"
  "timeout"
  "all"
  "settled"
  "of"
] @keyword.conditional

[
  "each"
  "limit"
  "parallel"
  "min"
] @keyword.repeat

"in" @keyword.operator

; ---- Names ----

(topic (identifier) @label)
(imported_name name: (topic . (identifier) @type .))
(imported_name alias: (identifier) @type)

(type_declaration name: (identifier) @type.definition)
(enum_declaration name: (identifier) @type.definition)
(union_declaration name: (identifier) @type.definition)
(error_declaration name: (identifier) @type.definition)
(tool_declaration name: (identifier) @function)
(toolkit_declaration name: (identifier) @module)
(prompt_declaration name: (identifier) @function)
(agent_declaration name: (identifier) @function)
(workflow_declaration name: (identifier) @function)

(test_declaration name: (identifier) @function)
(test_declaration workflow: (identifier) @function.call)
(inner_test name: (identifier) @function)

(enum_value name: (identifier) @constant)
(variant name: (identifier) @constant)
(union_declaration tag: (identifier) @property)

(named_type name: (identifier) @type)
(map_type name: (identifier) @type)
((named_type name: (identifier) @type.builtin)
  (#any-of? @type.builtin
    "string" "bool" "int" "int64" "float" "decimal" "bytes" "timestamp" "date" "duration" "uuid" "uri" "email" "json"))
((map_type name: (identifier) @type.builtin) (#eq? @type.builtin "map"))

(parameters (field name: (identifier) @variable.parameter))
(record (field name: (identifier) @property))
(constraint name: (identifier) @property)

(setting name: (identifier) @property)
(block_setting name: (identifier) @property)
(entry key: (identifier) @property)

(node name: (identifier) @variable)
(steps (identifier) @variable)
(step_trigger step: (identifier) @variable)
(failure_trigger step: (identifier) @variable)
(timeout_trigger step: (identifier) @variable)
(cancel_action (identifier) @variable)
(each_clause element: (identifier) @variable.parameter)
(call_action target: (identifier) @function.call)

(step_reference step: (identifier) @variable)
(expect_line node: (identifier) @variable)
(call_line tool: (identifier) @function.call)
(fail_line kind: (identifier) @constant)
(expect_line kind: (identifier) @constant)
(ordinal) @number

(reference . (identifier) @variable)
(path root: (identifier) @variable)
(member name: (identifier) @property)
(reference (member name: (identifier) @function.method.call) . (arguments))
(path (member name: (identifier) @function.method.call) . (arguments))
(list_item alias: (identifier) @variable)

(attribute "@" @attribute name: (identifier) @attribute)
(attribute_argument name: (identifier) @property)
(rule_name) @constant

; ---- Literals ----

(string) @string
(text_block) @string
(escape_sequence) @string.escape
(number) @number
(duration) @number
(boolean) @boolean
(null) @constant.builtin

(placeholder ["{{" "}}"] @punctuation.special)

; ---- Punctuation and operators ----

["{" "}" "(" ")" "[" "]"] @punctuation.bracket
["," ":" "."] @punctuation.delimiter

[
  "="
  "->"
  "|"
  "||"
  "&&"
  "=="
  "!="
  "<="
  ">="
  "+"
  "-"
  "*"
  "/"
  "%"
  "!"
  "??"
  "?"
  ".."
] @operator
["<" ">"] @operator
(optional_marker) @operator
(open_marker) @punctuation.special
(rule_name "-" @constant)

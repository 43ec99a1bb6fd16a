; The declarations of a file, and the nodes of its workflows.
(type_declaration "type" @context name: (_) @name) @item
(enum_declaration "enum" @context name: (_) @name) @item
(union_declaration "union" @context name: (_) @name) @item
(error_declaration "error" @context name: (_) @name) @item
(event_declaration "event" @context topic: (_) @name) @item
(tool_declaration "tool" @context name: (_) @name) @item
(toolkit_declaration "toolkit" @context name: (_) @name) @item
(prompt_declaration "prompt" @context name: (_) @name) @item
(agent_declaration "agent" @context name: (_) @name) @item
(workflow_declaration "workflow" @context name: (_) @name) @item
(test_declaration "test" @context name: (_) @name) @item
(inner_test "test" @context name: (_) @name) @item
(node kind: _ @context name: (_) @name) @item
(doc_comment) @annotation

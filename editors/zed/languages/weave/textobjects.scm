; What Vim mode takes as functions, classes and comments.
(tool_declaration body: (_)? @function.inside) @function.around
(agent_declaration body: (_)? @function.inside) @function.around
(workflow_declaration body: (_) @function.inside) @function.around
(test_declaration body: (_) @function.inside) @function.around
(prompt_declaration text: (_) @function.inside) @function.around

(type_declaration body: (_) @class.inside) @class.around
(enum_declaration body: (_) @class.inside) @class.around
(union_declaration body: (_) @class.inside) @class.around

(line_comment)+ @comment.around
(doc_comment)+ @comment.around
(block_comment) @comment.around

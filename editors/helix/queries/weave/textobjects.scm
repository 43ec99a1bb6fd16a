; What `mif`, `maf`, `]f` and the like take: functions are what is called, classes are types.
(tool_declaration body: (_)? @function.inside) @function.around
(agent_declaration body: (_)? @function.inside) @function.around
(workflow_declaration body: (_) @function.inside) @function.around
(test_declaration body: (_) @function.inside) @function.around
(prompt_declaration text: (_) @function.inside) @function.around

(type_declaration body: (_) @class.inside) @class.around
(enum_declaration body: (_) @class.inside) @class.around
(union_declaration body: (_) @class.inside) @class.around

(parameters (field) @parameter.inside @parameter.around)
(entry value: (_) @entry.inside) @entry.around

[(line_comment) (block_comment) (doc_comment) (module_doc)] @comment.inside
(block_comment) @comment.around
(line_comment)+ @comment.around
(doc_comment)+ @comment.around

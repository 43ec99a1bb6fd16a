; Which name means which: parameters and steps are known in their workflow, the rest everywhere in the file.
(source_file) @local.scope
(workflow_declaration) @local.scope
(prompt_declaration) @local.scope
(agent_declaration) @local.scope
(tool_declaration) @local.scope
(test_declaration) @local.scope

(type_declaration name: (identifier) @local.definition.type)
(enum_declaration name: (identifier) @local.definition.type)
(union_declaration name: (identifier) @local.definition.type)
(error_declaration name: (identifier) @local.definition.type)
(tool_declaration name: (identifier) @local.definition.function)
(toolkit_declaration name: (identifier) @local.definition.namespace)
(prompt_declaration name: (identifier) @local.definition.function)
(agent_declaration name: (identifier) @local.definition.function)
(workflow_declaration name: (identifier) @local.definition.function)
(imported_name name: (topic . (identifier) @local.definition.import .) !alias)
(imported_name alias: (identifier) @local.definition.import)
(parameters (field name: (identifier) @local.definition.parameter))
(node name: (identifier) @local.definition.var)
(each_clause element: (identifier) @local.definition.parameter)

(named_type name: (identifier) @local.reference)
(call_action target: (identifier) @local.reference)
(test_declaration workflow: (identifier) @local.reference)
(reference . (identifier) @local.reference)
(path root: (identifier) @local.reference)
(steps (identifier) @local.reference)
(step_trigger topic: (topic . (identifier) @local.reference .))
(step_trigger step: (identifier) @local.reference)
(failure_trigger step: (identifier) @local.reference)
(timeout_trigger step: (identifier) @local.reference)
(cancel_action (identifier) @local.reference)

; One step deeper inside of brackets.
[
  (record)
  (enum_body)
  (union_body)
  (settings)
  (block)
  (workflow_body)
  (step_body)
  (test_body)
  (object)
  (list)
  (parameters)
  (arguments)
  (attribute_arguments)
  (constraints)
  (steps)
] @indent

["}" ")" "]"] @outdent

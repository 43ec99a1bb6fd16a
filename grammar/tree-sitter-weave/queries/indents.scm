; Where a line starts: one step deeper inside of brackets. The inside of a text block stays as it is.
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
] @indent.begin

["}" ")" "]"] @indent.branch @indent.end

(text_block) @indent.ignore
(block_comment) @indent.ignore

; What can be shown as one line.
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
  (text_block)
  (block_comment)
] @fold

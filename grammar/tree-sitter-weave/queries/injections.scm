; The texts for models are Markdown; a comment is a comment.
((prompt_declaration text: (text_block) @injection.content)
  (#set! injection.language "markdown")
  (#set! injection.include-children))

([(line_comment) (block_comment)] @injection.content
  (#set! injection.language "comment"))

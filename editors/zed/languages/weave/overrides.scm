[(string) (text_block)] @string
[(line_comment) (block_comment) (doc_comment) (module_doc)] @comment.inclusive

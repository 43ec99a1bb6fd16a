-- Comments, and the layout of `weave fmt`.
vim.bo.commentstring = "// %s"
vim.bo.comments = ":///,://!,://"
vim.bo.expandtab = true
vim.bo.shiftwidth = 2
vim.bo.softtabstop = 2

-- Colours by tree-sitter, where its parser was built: the README says how.
pcall(vim.treesitter.start)

-- The configuration of the language server, for `vim.lsp.enable("weave")` of Neovim 0.11.
return {
  cmd = { "weave", "lsp" },
  filetypes = { "weave" },
  root_markers = { "weave.toml", ".git" },
}

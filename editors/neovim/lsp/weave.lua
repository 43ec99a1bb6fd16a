-- The configuration of the language server, for `vim.lsp.enable("weave")` of Neovim 0.11.
return {
  cmd = { "weave", "lsp" },
  filetypes = { "weave", "toml" },
  -- Of TOML only `weave.toml` is its business.
  root_dir = function(buffer, start)
    local name = vim.fs.basename(vim.api.nvim_buf_get_name(buffer))
    if vim.bo[buffer].filetype == "weave" or name == "weave.toml" then
      start(vim.fs.root(buffer, "weave.toml") or vim.fs.root(buffer, ".git"))
    end
  end,
}

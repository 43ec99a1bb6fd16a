vim.filetype.add({ extension = { weave = "weave" } })

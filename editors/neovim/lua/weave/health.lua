-- `:checkhealth weave`: what a file with colours and errors takes, and what is missing of it.
local M = {}

-- The command as it is configured: it may be a path, or a function that only Neovim can start.
local function command()
  local configured = (vim.lsp.config.weave or {}).cmd
  return type(configured) == "table" and configured[1] or nil
end

local function check_command()
  local name = command()
  if name == nil then
    vim.health.info("The server is started by a function of yours")
  elseif vim.fn.executable(name) == 0 then
    vim.health.error("`" .. name .. "` is no command that can be started: nothing is checked, completed or formatted", {
      "In the repository of weave: `cargo install --path crates/weave-cli`",
      'Or name it: `vim.lsp.config("weave", { cmd = { "/opt/weave/bin/weave", "lsp" } })`',
    })
  else
    local ran, finished = pcall(function() return vim.system({ name, "--version" }, { text = true }):wait(5000) end)
    if ran and finished.code == 0 then
      vim.health.ok(vim.trim(finished.stdout) .. ": `" .. vim.fn.exepath(name) .. "`")
    else
      vim.health.error("`" .. vim.fn.exepath(name) .. "` does not say its version: is it the command of weave?")
    end
  end
end

function M.check()
  vim.health.start("weave")
  if vim.fn.has("nvim-0.11") == 0 then
    vim.health.error("Neovim 0.11 or newer is needed")
    return
  end
  check_command()
  if next(vim.lsp.get_clients({ name = "weave" })) then
    vim.health.ok("The language server runs")
  else
    vim.health.info('The language server does not run: it starts with the first file if `vim.lsp.enable("weave")` is in your `init.lua`')
  end
  if pcall(vim.treesitter.language.inspect, "weave") then
    vim.health.ok("The parser of tree-sitter is there")
  else
    vim.health.warn("There is no parser of tree-sitter, and so no colours but those of the server", { "The README says how it is built" })
  end
end

return M

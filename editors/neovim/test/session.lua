-- A whole session without a screen: `nvim --headless -u NONE -l editors/neovim/test/session.lua WEAVE FOLDER`.
-- FOLDER is empty but for `runtime/parser/weave.so`, the parser; the files are made in it. The exit code is 1 if something is not as it should be.
local weave, folder = arg[1], arg[2]

local function check(condition, message)
  if not condition then
    io.stderr:write("not as it should be: " .. message .. "\n")
    os.exit(1)
  end
end

local function write(name, lines)
  vim.fn.writefile(lines, folder .. "/" .. name)
end

local function line(buffer, number)
  return vim.api.nvim_buf_get_lines(buffer, number - 1, number, false)[1]
end

write("weave.toml", {})
write("types.weave", { "type Order { id: string }" })
write("main.weave", {
  'import { Order } from "./types.weave"',
  "workflow ship(order: Order) -> string {",
  "  step   hold { wait 1s }",
  '  end done on hold = "{{.input.order.idd}}"',
  "}",
})

vim.opt.runtimepath:append(folder .. "/runtime")
vim.opt.runtimepath:prepend(vim.fn.fnamemodify(arg[0], ":p:h:h"))
vim.cmd("filetype plugin on")
dofile(vim.fn.fnamemodify(arg[0], ":p:h:h") .. "/ftdetect/weave.lua")
vim.lsp.config("weave", { cmd = { weave, "lsp" } })
vim.lsp.enable("weave")

vim.cmd.edit(folder .. "/main.weave")
local buffer = vim.api.nvim_get_current_buf()
check(vim.bo.filetype == "weave", "the type of the file")

for _, name in ipairs({ "highlights", "folds", "indents", "injections", "locals" }) do
  check(vim.treesitter.query.get("weave", name), "the query " .. name)
end
check(vim.treesitter.highlighter.active[buffer], "colours by tree-sitter")
-- Without a screen nobody asks for the colours, and so nobody parses.
vim.treesitter.get_parser(buffer):parse(true)
local function is_captured(row, column, name)
  local captures = vim.treesitter.get_captures_at_pos(buffer, row - 1, column)
  return vim.iter(captures):any(function(found) return found.capture == name end)
end
check(is_captured(2, 0, "keyword.type"), "the keyword is one")
check(is_captured(4, 22, "punctuation.special"), "the braces in the text are those of a placeholder")
check(vim.treesitter.foldexpr(2) == ">1", "the workflow can be folded")

check(vim.wait(20000, function() return #vim.lsp.get_clients({ bufnr = buffer }) == 1 end), "the server is attached")
check(vim.wait(20000, function() return #vim.diagnostic.get(buffer) == 1 end), "there is one diagnostic")
check(vim.diagnostic.get(buffer)[1].code == "unknown-field", "the diagnostic is that of the field")

vim.api.nvim_win_set_cursor(0, { 4, 38 })
local client = vim.lsp.get_clients({ bufnr = buffer })[1]
local function ask(method, extra)
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local answer = client:request_sync(method, vim.tbl_extend("force", params, extra or {}), 20000, buffer)
  check(answer and not answer.err, method)
  return answer.result
end

local labels = vim.tbl_map(function(item) return item.label end, ask("textDocument/completion").items)
check(vim.deep_equal(labels, { "id" }), "the field is offered")

vim.api.nvim_buf_set_text(buffer, 3, 38, 3, 39, { "" })
check(vim.wait(20000, function()
  return vim.iter(vim.diagnostic.get(buffer)):all(function(found) return found.severity ~= vim.diagnostic.severity.ERROR end)
end), "the error goes away")

vim.api.nvim_win_set_cursor(0, { 2, 22 })
vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", { newName = "Parcel" }), client.offset_encoding)
check(line(buffer, 2) == "workflow ship(order: Parcel) -> string {", "the name in this file")
check(line(vim.fn.bufadd(folder .. "/types.weave"), 1) == "type Parcel { id: string }", "the name in the other file")

vim.lsp.buf.format({ bufnr = buffer, timeout_ms = 20000 })
check(line(buffer, 4) == "  step hold {", "the file is formatted")

-- A name of the other file, which is imported when it is chosen, and a call with its arguments.
write("tools.weave", { "tool find(id: string) -> string" })
write("more.weave", { "workflow again() -> string {", "  step one { call  }", "  end done on one = .one", "}" })
vim.cmd.edit(folder .. "/tools.weave")
vim.cmd.edit(folder .. "/more.weave")
buffer = vim.api.nvim_get_current_buf()
check(vim.wait(20000, function() return #vim.lsp.get_clients({ bufnr = buffer }) == 1 end), "the server is attached to the third file")
vim.api.nvim_win_set_cursor(0, { 2, 18 })
local found = vim.iter(ask("textDocument/completion").items):find(function(item) return item.label == "find" end)
check(found and found.textEdit.newText == "find { id: $1 }$0", "the call is offered with its arguments")
vim.lsp.util.apply_text_edits(found.additionalTextEdits, buffer, client.offset_encoding)
check(line(buffer, 1) == 'import { find } from "./tools.weave"', "the name is imported")
vim.api.nvim_win_set_cursor(0, { 4, 8 })
local linked = ask("textDocument/linkedEditingRange")
check(linked and #linked.ranges == 3, "a step and its mentions are linked")

-- `weave.toml`, and no other TOML.
write("weave.toml", { "[lint.rules]", 'missing-docs = "of"' })
write("other.toml", { "[lint.rules]", 'missing-docs = "of"' })
vim.cmd.edit(folder .. "/weave.toml")
buffer = vim.api.nvim_get_current_buf()
check(vim.wait(20000, function() return #vim.diagnostic.get(buffer) == 1 end), "the wrong level is shown")
check(vim.diagnostic.get(buffer)[1].code == "config-value", "the diagnostic is that of the level")
vim.api.nvim_win_set_cursor(0, { 2, 17 })
labels = vim.tbl_map(function(item) return item.label end, ask("textDocument/completion").items)
check(vim.deep_equal(labels, { "off", "note", "warn", "error" }), "the levels are offered")
vim.cmd.edit(folder .. "/other.toml")
vim.wait(500)
check(#vim.lsp.get_clients({ bufnr = 0 }) == 0, "other TOML is left alone")

-- What is said about a server that runs, and about a command that is not there.
local function health()
  vim.cmd("checkhealth weave")
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

local sound = health()
for _, part in ipairs({ "OK weave ", "OK The language server runs", "OK The parser of tree-sitter is there" }) do
  check(sound:find(part, 1, true), "what is there: " .. part .. "\n" .. sound)
end
vim.lsp.config("weave", { cmd = { folder .. "/nowhere/weave", "lsp" } })
local missing = health()
check(missing:find("ERROR `" .. folder .. "/nowhere/weave` is no command", 1, true), "what is missing\n" .. missing)
check(missing:find("cargo install", 1, true), "the way out\n" .. missing)

client:stop()
check(vim.wait(20000, function() return client:is_stopped() end), "the server ends")
print("highlighted, attached, diagnosed, completed, renamed, formatted, healthy")
os.exit(0)

-- A session in Neovim for neovim.test.ts. Each step is a line of JSON in a file: what is shown once it is as expected.
local longest = 900000
local buffer = vim.api.nvim_get_current_buf()

local log = io.open(vim.env.SESSION_LOG, 'w')

local function say(step, words)
  log:write(vim.json.encode({ step, words }) .. '\n')
  log:flush()
end

-- `1 contract/renamed-symbol`, each with its line.
local function shown()
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(buffer)) do
    local code = one.code or (one.user_data and one.user_data.lsp and one.user_data.lsp.code)
    table.insert(found, (one.lnum + 1) .. ' ' .. (code or 'without a code'))
  end
  return table.concat(found, ', ')
end

local published = 0
local handle = vim.lsp.handlers['textDocument/publishDiagnostics']
vim.lsp.handlers['textDocument/publishDiagnostics'] = function(...)
  published = published + 1
  return handle(...)
end

-- Waits until so many findings are shown, by an answer that came after the step.
local function expect(step, count, act)
  local before = published
  act()
  vim.wait(longest, function()
    return published > before and #vim.diagnostic.get(buffer) == count
  end, 50)
  say(step, shown())
end

local function command(line)
  return function() vim.cmd(line) end
end

local client = nil
expect('opened', 0, function()
  client = vim.lsp.start_client({
    name = 'sightline',
    cmd = { vim.env.SESSION_NODE, vim.env.SESSION_ENTRY, 'lsp' },
    root_dir = vim.fn.getcwd(),
  })
  vim.lsp.buf_attach_client(buffer, client)
end)
local function request(method, params)
  local answer = vim.lsp.buf_request_sync(buffer, method, params, longest)
  return answer and answer[client] and answer[client].result
end

expect('renamed', 1, command('1substitute/parsePrice/readPrice/'))
expect('undone', 0, command('undo'))
expect('renamed again', 1, command('redo'))

local place = { uri = vim.uri_from_bufnr(buffer) }
local actions = request('textDocument/codeAction', {
  textDocument = place,
  range = { start = { line = 0, character = 0 }, ['end'] = { line = 0, character = 1 } },
  context = { diagnostics = {} },
}) or {}
local byTitle, titles = {}, {}
for _, action in ipairs(actions) do
  byTitle[action.title] = action
  table.insert(titles, action.title)
end
say('actions', table.concat(titles, ', '))
local function run(title, name)
  local asked = byTitle[title].command
  return request('workspace/executeCommand', { command = name or asked.command, arguments = asked.arguments })
end
say('explained', run('Explain this finding') or 'nothing')
expect('dismissed', 0, function() run('Dismiss: it is accepted') end)
expect('restored', 1, function() run('Dismiss: it is accepted', 'sightline.restore') end)
expect('ignored', 0, function()
  vim.lsp.util.apply_workspace_edit(byTitle['Ignore in a comment'].edit, 'utf-16')
end)
expect('comment taken back', 1, command('undo'))
expect('many quick edits', 1, function()
  for _ = 1, 250 do
    vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { '// more' })
    vim.wait(1)
    vim.api.nvim_buf_set_lines(buffer, -2, -1, false, {})
  end
end)
expect('saved', 1, command('write'))
expect('committed', 0, function() vim.fn.system('git checkout -q -b other && git commit -qam renamed') end)
expect('on the other branch', 1, function() vim.fn.system('git symbolic-ref HEAD refs/heads/main && git read-tree main') end)
vim.cmd('qall!')

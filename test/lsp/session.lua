-- A session in Neovim for scripted-sessions.test.ts. Each step is a line of JSON in a file: what was to come of it, and what came.
local longest = tonumber(vim.env.SESSION_LONGEST or 300000)
local log = io.open(vim.env.SESSION_LOG, 'w')

local function say(step, wanted, found)
  log:write(vim.json.encode({ step = step, wanted = wanted, found = found }) .. '\n')
  log:flush()
end

-- `price.ts:1 contract/renamed-symbol`, of all files, sorted.
local function shown()
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(nil)) do
    local code = one.code or (one.user_data and one.user_data.lsp and one.user_data.lsp.code)
    local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(one.bufnr), ':t')
    table.insert(found, name .. ':' .. (one.lnum + 1) .. ' ' .. (code or 'without a code'))
  end
  table.sort(found)
  return table.concat(found, ', ')
end

local published = 0
local handle = vim.lsp.handlers['textDocument/publishDiagnostics']
vim.lsp.handlers['textDocument/publishDiagnostics'] = function(...)
  published = published + 1
  return handle(...)
end

-- Waits until this is shown, by an answer that came after the step.
local function expect(step, wanted, act)
  local before = published
  act()
  vim.wait(longest, function() return published > before and shown() == wanted end, 20)
  say(step, wanted, shown())
end

local function command(line)
  return function() vim.cmd(line) end
end

local function shell(line)
  return function()
    local words = vim.fn.system(line)
    if vim.v.shell_error ~= 0 then error(line .. ': ' .. words) end
  end
end

local function file(path, text)
  return function()
    local out = io.open(path, 'w')
    out:write(text)
    out:close()
  end
end

-- What follows can be undone by itself; else all that a script changes may be undone at once.
local function beginChange() vim.cmd('let &undolevels = &undolevels') end

local function append(...)
  local lines = { ... }
  return function()
    beginChange()
    vim.api.nvim_buf_set_lines(0, -1, -1, false, lines)
  end
end

local client = nil
local function attach() vim.lsp.buf_attach_client(0, client) end

local function request(method, params)
  local answer = vim.lsp.buf_request_sync(0, method, params, longest)
  return answer and answer[client] and answer[client].result
end

local byTitle = {}
local function actions(line)
  byTitle = {}
  local titles = {}
  for _, action in ipairs(request('textDocument/codeAction', {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    range = { start = { line = line - 1, character = 0 }, ['end'] = { line = line - 1, character = 1 } },
    context = { diagnostics = {} },
  }) or {}) do
    byTitle[action.title] = action
    table.insert(titles, (action.title:gsub(' .*', '')))
  end
  return table.concat(titles, ' ')
end
local function run(title, name)
  local asked = byTitle[title].command
  return request('workspace/executeCommand', { command = name or asked.command, arguments = asked.arguments })
end
local function apply(title)
  return function()
    beginChange()
    vim.lsp.util.apply_workspace_edit(byTitle[title].edit, 'utf-16')
  end
end

local renamed = 'price.ts:1 contract/renamed-symbol'
local parsed = 'price.ts:4 parse-float'
local twice = 'export const twice = (text: string) => 2 * Number(text)'

expect('a file is opened', '', function()
  client = vim.lsp.start_client({
    name = 'sightline',
    cmd = { vim.env.SESSION_NODE, vim.env.SESSION_RECORDER, vim.env.SESSION_FOLDER, vim.env.SESSION_NODE, vim.env.SESSION_ENTRY, 'lsp' },
    root_dir = vim.fn.getcwd(),
  })
  attach()
end)
expect('a function is renamed', renamed, command('1substitute/parsePrice/readPrice/'))
expect('that is undone', '', command('undo'))
expect('and redone', renamed, command('redo'))
say('actions on its line', 'Explain Dismiss: Dismiss: Dismiss: Ignore', actions(2 - 1))
say('actions on another line', '', actions(3))
local here = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = 0, character = 20 } }
say('a hover tells who uses it', 'no caller', request('textDocument/hover', here).contents.value:match('no caller'))
local lens = request('textDocument/codeLens', { textDocument = here.textDocument })[1]
say('a lens counts what was not updated', '1 use not updated', request('codeLens/resolve', lens).command.title)
actions(1)
say('it is explained, with its caller', true, (run('Explain this finding') or ''):find('cart.ts:1', 1, true) ~= nil)
expect('dismissed as wrong', '', function() run('Dismiss: it is wrong') end)
expect('restored', renamed, function() run('Dismiss: it is wrong', 'sightline.restore') end)

if vim.env.SESSION_WHOLE then
  expect('dismissed as accepted', '', function() run('Dismiss: it is accepted') end)
  expect('restored again', renamed, function() run('Dismiss: it is accepted', 'sightline.restore') end)
  expect('ignored in a comment', '', apply('Ignore in a comment'))
  expect('the comment is taken back', renamed, command('undo'))

  expect('the caller is opened', renamed, function() vim.cmd('edit cart.ts') attach() end)
  expect('the caller is updated', '', command('%substitute/parsePrice/readPrice/g'))
  expect('that is undone too', renamed, command('undo'))
  expect('the caller is closed', renamed, command('bwipeout!'))
  expect('back in the first file the name is taken back', '', command('buffer price.ts | 1substitute/readPrice/parsePrice/'))

  expect('a rule of the repository is broken', parsed, append(twice))
  say('its actions', 'Apply Explain Dismiss: Dismiss: Dismiss: Ignore', actions(4))
  expect('the suggested change is applied', '', apply('Apply the suggested change'))
  say('the line after that', 'export const twice = (text: string) => 2 * Number.parseFloat(text)', vim.fn.getline(4))
  expect('that is undone as well', parsed, command('undo'))
  expect('and done again', '', command('redo'))
  expect('a rule is broken behind characters beyond the first plane', 'price.ts:6 parse-float', append('// 𝛼é', "export const letter = '𝛼' + Number('1')"))
  expect('that is undone at once', '', command('undo'))

  expect('2,000 lines are pasted', '', function()
    local lines = {}
    for at = 1, 2000 do table.insert(lines, '// line ' .. at) end
    append(unpack(lines))()
  end)
  expect('and taken back', '', command('undo'))
  expect('half a line is typed', '', append('export const half = ('))
  expect('500 quick edits, and one that counts', renamed, function()
    vim.cmd('undo')
    for _ = 1, 250 do
      append('// more')()
      vim.wait(1)
      vim.api.nvim_buf_set_lines(0, -2, -1, false, {})
    end
    vim.cmd('1substitute/parsePrice/readPrice/')
  end)
  expect('the file is saved', renamed, command('write'))

  expect('another program writes a file', 'other.ts:1 parse-float, ' .. renamed, file('other.ts', twice .. '\n'))
  expect('and removes it', renamed, function() os.remove('other.ts') end)
  expect('a new file that nobody saved', 'fresh.ts:1 parse-float, ' .. renamed, function()
    vim.cmd('edit fresh.ts')
    vim.fn.setline(1, twice)
    attach()
  end)
  expect('it is saved', 'fresh.ts:1 parse-float, ' .. renamed, command('write'))
  expect('it is renamed', renamed .. ', twice.ts:1 parse-float', function()
    os.rename('fresh.ts', 'twice.ts')
    vim.cmd('edit twice.ts')
    attach()
    vim.cmd('bwipeout! fresh.ts')
  end)
  expect('its file is removed, and its text stays', renamed .. ', twice.ts:1 parse-float', function() os.remove('twice.ts') end)
  expect('its text is closed', renamed, command('bwipeout! twice.ts | buffer price.ts'))

  expect('staged', renamed, shell('git add price.ts'))
  expect('committed on a branch', '', shell('git checkout -q -b other && git commit -qm renamed'))
  expect('the other branch below the same text', renamed, shell('git symbolic-ref HEAD refs/heads/main && git read-tree main'))
  expect('and back', '', shell('git symbolic-ref HEAD refs/heads/other && git read-tree other'))
  expect('a commit on the main branch, unsaved text here', 'price.ts:5 parse-float', function()
    append((twice:gsub('twice', 'thrice')))()
    shell('git checkout -q main && echo "// more" >> cart.ts && git commit -qam more && git checkout -q other')()
  end)
  expect('rebased under its feet', 'price.ts:5 parse-float', shell('git rebase -q main'))
  expect('a rebase that stops at a conflict', 'price.ts:5 parse-float', function()
    shell('git checkout -q main && sed -i s/parsePrice/costOf/ price.ts && git commit -qam conflict && git checkout -q other')()
    vim.fn.system('git rebase -q main')
  end)
  expect('and is given up', 'price.ts:5 parse-float', shell('git rebase --abort'))
  expect('the text on disk is read again', '', function() vim.cmd('edit!') attach() end)
  expect('the file is renamed by git', '', shell('git mv price.ts cost.ts && git commit -qm moved && git mv cost.ts price.ts'))
end

say('the file is closed', '', (function()
  vim.cmd('bwipeout!')
  vim.wait(longest, function() return #vim.diagnostic.get(nil) == 0 end, 20)
  return shown()
end)())
vim.lsp.stop_client(client)
say('the server ends', true, (vim.wait(longest, function() return vim.lsp.client_is_stopped(client) end, 20)))
vim.cmd('qall!')

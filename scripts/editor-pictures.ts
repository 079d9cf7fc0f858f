/**
 * Makes the pictures of docs/editors.md: true editors in a terminal that tmux holds, on a small repository, with the server of this
 * checkout. Needs tmux, Neovim and Emacs with Eglot: `node scripts/editor-pictures.ts`.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { terminalPicture } from './terminal-picture.ts'

const root = join(import.meta.dirname, '..')
const [columns, rows] = [104, 16]
const folder = mkdtempSync(join(tmpdir(), 'sightline-pictures-'))
const shop = join(folder, 'shop')
const environment = {
  ...process.env,
  HOME: folder,
  XDG_CONFIG_HOME: folder,
  XDG_STATE_HOME: folder,
  LANG: 'C.UTF-8',
}

const files = {
  'price.py': 'def parse_price(text):\n    return int(text) * 100\n',
  'cart.py': 'from price import parse_price\n\n\ndef total(line):\n    return parse_price(line)\n',
}

const lua = `vim.o.shortmess = vim.o.shortmess .. 'I'
vim.diagnostic.config({ virtual_text = { prefix = '■' } })
vim.api.nvim_create_autocmd('FileType', { pattern = 'python', callback = function()
  vim.lsp.start = vim.lsp.start or function(config) vim.lsp.buf_attach_client(0, vim.lsp.start_client(config)) end
  vim.lsp.start({ name = 'sightline', cmd = { '${join(root, 'sightline')}', 'lsp' }, root_dir = vim.fn.getcwd() })
end })
vim.cmd('filetype plugin on | syntax on | set number laststatus=2 background=dark')
`
const elisp = `(require 'eglot)
(setq inhibit-startup-screen t create-lockfiles nil make-backup-files nil eglot-sync-connect t eglot-connect-timeout 120)
(menu-bar-mode -1)
(add-to-list 'eglot-server-programs '(python-mode . ("${join(root, 'sightline')}" "lsp")))
(add-hook 'python-mode-hook #'eglot-ensure)
(add-hook 'flymake-mode-hook (lambda () (run-at-time 12 nil #'flymake-show-buffer-diagnostics)))
`

const named = 'is now called'

try {
  mkdirSync(shop)
  writeFileSync(join(folder, 'init.lua'), lua)
  writeFileSync(join(folder, 'init.el'), elisp)
  const nvim = ['nvim', '-u', join(folder, 'init.lua'), '-i', 'NONE', '-n', 'price.py']
  await picture('neovim-finding', nvim, [[':1s/parse/read/', 'Enter'], named])
  const actions = [':lua vim.lsp.buf.code_action()', 'Enter']
  await picture(
    'neovim-actions',
    nvim,
    [[':1s/parse/read/', 'Enter'], named],
    [actions, 'Ignore in a comment'],
  )
  const emacs = ['emacs', '-nw', '-q', '--load', join(folder, 'init.el'), 'price.py']
  await picture('emacs-finding', emacs, [
    ['M-x', 'replace-string', 'Enter', 'parse', 'Enter', 'read', 'Enter'],
    named,
  ])
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Keys, and what the screen shows when it has come to its end. */
type Step = readonly [keys: readonly string[], until: string]

async function picture(name: string, command: readonly string[], ...steps: Step[]): Promise<void> {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(shop, path), text)
  rmSync(join(shop, '.git'), { recursive: true, force: true })
  const git = (...words: string[]) => execFileSync('git', words, { cwd: shop })
  git('init', '--quiet')
  git('add', '.')
  git('-c', 'user.name=ada', '-c', 'user.email=ada@example.org', 'commit', '--quiet', '--message', 'first')
  const size = ['-x', String(columns), '-y', String(rows)]
  tmux('-f', '/dev/null', 'new-session', '-d', ...size, '-c', shop, ...command)
  try {
    await shows('def parse_price')
    for (const [keys, until] of steps) {
      tmux('send-keys', ...keys)
      await shows(until)
    }
    // The screen is drawn in more than one go.
    await pause(500)
    const file = join(root, `docs/editors/${name}.svg`)
    writeFileSync(file, terminalPicture(tmux('capture-pane', '-e', '-p'), name.replace('-', ': '), columns))
    console.log(file)
  } finally {
    tmux('kill-server')
  }
}

async function shows(words: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (tmux('capture-pane', '-p', '-J').includes(words)) return
    await pause(200)
  }
  throw new Error(`The screen does not show "${words}":\n${tmux('capture-pane', '-p')}`)
}

function tmux(...words: string[]): string {
  return execFileSync('tmux', ['-S', join(folder, 'tmux'), ...words], { env: environment, encoding: 'utf8' })
}

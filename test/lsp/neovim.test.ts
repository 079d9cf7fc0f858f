/** Neovim as it is in Debian, without a window: a session that a script drives, over a pipe to a process of ours. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'
import { entry, environment, root } from '../helpers/sightline.ts'

test('a session in Neovim: edit, undo, actions, dismiss, rename, commit, branch switch', {
  ...needs('Neovim'),
  timeout: 1_800_000,
}, async () => {
  const repo = createRepo()
  repo.commit({
    'price.ts': 'export function parsePrice(text: string): number {\n  return Number(text) * 100\n}\n',
    'cart.ts':
      "import { parsePrice } from './price.ts'\n\nexport const total = (line: string) => parsePrice(line)\n",
  })
  const home = temporaryFolder()
  const log = join(home, 'session.log')
  const env = environment({
    ...{ HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home },
    ...{ SESSION_NODE: process.execPath, SESSION_ENTRY: entry, SESSION_LOG: log },
    ...{ GIT_AUTHOR_NAME: 'ada', GIT_AUTHOR_EMAIL: 'ada@example.org' },
    ...{ GIT_COMMITTER_NAME: 'ada', GIT_COMMITTER_EMAIL: 'ada@example.org' },
  })
  const script = join(root, 'test/lsp/session.lua')
  const args = ['--headless', '-u', 'NONE', '-i', 'NONE', '-n', '-c', `luafile ${script}`, 'price.ts']
  await promisify(execFile)('nvim', args, { cwd: repo.path, env })
  const steps = readFileSync(log, 'utf8').trim().split('\n')
  const found = '1 contract/renamed-symbol'
  expect(Object.fromEntries(steps.map((line) => JSON.parse(line)))).toEqual({
    opened: '',
    renamed: found,
    undone: '',
    'renamed again': found,
    actions:
      'Explain this finding, Dismiss: it is wrong, Dismiss: it is unimportant, Dismiss: it is accepted, Ignore in a comment',
    explained: expect.stringContaining('cart.ts:1'),
    dismissed: '',
    restored: found,
    ignored: '',
    'comment taken back': found,
    'many quick edits': found,
    saved: found,
    committed: '',
    'on the other branch': found,
  })
})

/** Neovim as it is in Debian, without a window: a session that a script drives, over a pipe to a process of ours. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { Traffic, typeFaults } from '../helpers/editor-traffic.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'
import { entry, environment, root } from '../helpers/sightline.ts'

test('a session in Neovim: edits, actions, dismissals, other files, and git under its feet', {
  ...needs('Neovim'),
  timeout: 1_800_000,
}, async () => {
  const repo = createRepo()
  repo.commit({
    'price.ts': 'export function parsePrice(text: string): number {\n  return Number(text) * 100\n}\n',
    'cart.ts':
      "import { parsePrice } from './price.ts'\n\nexport const total = (line: string) => parsePrice(line)\n",
    '.sightline/rules/parse-float.yaml':
      'id: parse-float\nlanguage: typescript\nseverity: warning\nmessage: Number reads the empty text as 0\nrule:\n  pattern: Number($TEXT)\nfix: Number.parseFloat($TEXT)\n',
  })
  const home = temporaryFolder()
  const folder = temporaryFolder()
  const log = join(folder, 'session.log')
  const env = environment({
    ...{ HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home },
    ...{ SESSION_NODE: process.execPath, SESSION_ENTRY: entry, SESSION_LOG: log, SESSION_FOLDER: folder },
    SESSION_RECORDER: join(root, 'test/lsp/record-traffic.ts'),
    ...{ NODE_OPTIONS: `--import=${join(root, 'test/helpers/guard-network.mjs')}`, GUARD_PORT: '' },
    GUARD_LOG: join(folder, 'connections'),
    ...{ GIT_AUTHOR_NAME: 'ada', GIT_AUTHOR_EMAIL: 'ada@example.org' },
    ...{ GIT_COMMITTER_NAME: 'ada', GIT_COMMITTER_EMAIL: 'ada@example.org' },
  })
  const script = join(root, 'test/lsp/session.lua')
  // The script ends it; after an error in it, Neovim goes on to the next command.
  const commands = ['-c', `luafile ${script}`, '-c', 'cquit']
  const args = ['--headless', '-u', 'NONE', '-i', 'NONE', '-n', ...commands, 'price.ts']
  await promisify(execFile)('nvim', args, { cwd: repo.path, env })
  const read = (name: string) => readFileSync(join(folder, name))
  const steps = read('session.log')
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line): { step: string; wanted: unknown; found: unknown } => JSON.parse(line))
  const told = (which: 'wanted' | 'found') => steps.map((one) => [one.step, one[which]])
  expect(told('found')).toEqual(told('wanted'))
  expect(steps.length).toBeGreaterThanOrEqual(40)
  expect(steps.at(-1)).toMatchObject({ step: 'the server ends' })
  expect(JSON.parse(read('end.json').toString('utf8'))).toEqual({ code: 0, signal: null })
  expect(existsSync(join(folder, 'connections'))).toBe(false)
  const traffic = new Traffic()
  traffic.ofEditor(read('editor.bytes'))
  traffic.ofServer(read('server.bytes'))
  expect(await typeFaults([traffic])).toBe('')
})

/** Neovim as it is in Debian, without a window: a session that a script drives, over a pipe to a process of ours. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'
import { playSession } from './scripted-session.ts'

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
  // The script ends it; after an error in it, Neovim goes on to the next command.
  const commands = ['-c', `luafile ${join(import.meta.dirname, 'session.lua')}`, '-c', 'cquit']
  const args = ['--headless', '-u', 'NONE', '-i', 'NONE', '-n', ...commands, 'price.ts']
  const steps = await playSession('nvim', args, repo)
  expect(steps.length).toBeGreaterThanOrEqual(40)
})

/**
 * Editors as they are in Debian, without a window: sessions that a script drives, over a pipe to a process of ours.
 * `npm run test:editor` plays all steps of both, `npm test` the first ones of one, drawn by the seed.
 */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo } from '../helpers/git-repo.ts'
import { drawn, isWhole } from '../helpers/matrix.ts'
import { needs } from '../helpers/needs/needs.ts'
import { playSession } from './scripted-session.ts'

const timeout = 1_800_000
const script = (name: string) => join(import.meta.dirname, name)
const editors = drawn(['Neovim', 'Emacs'])

test.runIf(editors.includes('Neovim'))(
  'Neovim: edits, actions and dismissals; then other files, and git under its feet',
  {
    ...needs('Neovim'),
    timeout,
  },
  async () => {
    const repo = createRepo()
    repo.commit({
      'price.ts': 'export function parsePrice(text: string): number {\n  return Number(text) * 100\n}\n',
      'cart.ts':
        "import { parsePrice } from './price.ts'\n\nexport const total = (line: string) => parsePrice(line)\n",
      '.sightline/rules/parse-float.yaml':
        'id: parse-float\nlanguage: typescript\nseverity: warning\nmessage: Number reads the empty text as 0\nrule:\n  pattern: Number($TEXT)\nfix: Number.parseFloat($TEXT)\n',
    })
    // The script ends it; after an error in it, Neovim goes on to the next command.
    const commands = ['-c', `luafile ${script('session.lua')}`, '-c', 'cquit']
    const args = ['--headless', '-u', 'NONE', '-i', 'NONE', '-n', ...commands, 'price.ts']
    const steps = await playSession('nvim', args, repo)
    expect(steps.length).toBeGreaterThanOrEqual(isWhole ? 50 : 13)
  },
)

test.runIf(editors.includes('Emacs'))(
  'Emacs with Eglot: edits, actions and dismissals; then another file, and git under its feet',
  {
    ...needs('Emacs with Eglot'),
    timeout,
  },
  async () => {
    const repo = createRepo()
    repo.commit({
      'price.py': 'def parse_price(text):\n    return int(text) * 100\n',
      'cart.py': 'from price import parse_price\n\n\ndef total(line):\n    return parse_price(line)\n',
    })
    const steps = await playSession('emacs', ['--batch', '--load', script('session.el')], repo)
    expect(steps.length).toBeGreaterThanOrEqual(isWhole ? 20 : 10)
  },
)

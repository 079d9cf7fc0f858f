/** Emacs with Eglot, in batch: a short session that a script drives, over a pipe to a process of ours. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'
import { playSession } from './scripted-session.ts'

test('a session in Emacs: edits, actions, dismissals, another file, and git under its feet', {
  ...needs('Emacs with Eglot'),
  timeout: 1_800_000,
}, async () => {
  const repo = createRepo()
  repo.commit({
    'price.py': 'def parse_price(text):\n    return int(text) * 100\n',
    'cart.py': 'from price import parse_price\n\n\ndef total(line):\n    return parse_price(line)\n',
  })
  const steps = await playSession(
    'emacs',
    ['--batch', '--load', join(import.meta.dirname, 'session.el')],
    repo,
  )
  expect(steps.length).toBeGreaterThanOrEqual(15)
})

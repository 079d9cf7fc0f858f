/** The examples run as they stand. */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo } from '../helpers/git-repo.ts'

function runExample(name: string, ...args: string[]) {
  const file = resolve(import.meta.dirname, '../../examples', name)
  return spawnSync(process.execPath, [file, ...args], { encoding: 'utf8' })
}

test('gate-a-commit stops a commit that leaves a caller behind, and lets the one that updates it pass', () => {
  const repo = createRepo()
  const caller = (call: string) => `import { parse } from './parse.ts'\n\nexport const run = () => ${call}\n`
  repo.commit({
    'parse.ts': 'export function parse(text: string) {\n  return text\n}\n',
    'run.ts': caller("parse('a')"),
  })
  repo.commit({
    'parse.ts':
      'export function parse(text: string, strict: boolean) {\n  return strict ? text : text.trim()\n}\n',
  })
  const stopped = runExample('gate-a-commit.ts', repo.path)
  expect(stopped.stdout).toContain('run.ts:3')
  expect(stopped.status).toBe(1)

  repo.commit({ 'run.ts': caller("parse('a', true)") })
  expect(runExample('gate-a-commit.ts', repo.path).status).toBe(0)
})

/** The examples run as they stand, in this process. */
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createRepo } from '../helpers/git-repo.ts'
import { root } from '../helpers/sightline.ts'

async function runExample(name: string, ...args: string[]) {
  const file = join(root, 'examples', name)
  const { argv } = process
  let stdout = ''
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += text
    return true
  })
  process.argv = [process.execPath, file, ...args]
  try {
    // Each time as if it had never been loaded.
    await import(`${file}?${args.join('&')}&${performance.now()}`)
    return { status: process.exitCode, stdout }
  } finally {
    process.argv = argv
    process.exitCode = undefined
    spy.mockRestore()
  }
}

test('gate-a-commit stops a commit that leaves a caller behind, and lets the one that updates it pass', async () => {
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
  const stopped = await runExample('gate-a-commit.ts', repo.path)
  expect(stopped.stdout).toContain('run.ts:3')
  expect(stopped.status).toBe(1)

  repo.commit({ 'run.ts': caller("parse('a', true)") })
  expect((await runExample('gate-a-commit.ts', repo.path)).status).toBe(0)
})

/** Git is started in one file only; every other place that starts programs starts something else. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../../../src')

test('only base/git/run.ts starts git', () => {
  const starters = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') }))
    .filter(({ text }) => /child_process/.test(text))
  const withGit = starters.filter(({ text }) => /['"`]git['"`]/.test(text)).map(({ path }) => path)
  expect(withGit).toEqual([join('base', 'git', 'run.ts')])
})

test('it asks for no shell', () => {
  const text = readFileSync(join(source, 'base/git/run.ts'), 'utf8')
  expect(text).toContain('shell: false')
  expect(text).not.toMatch(/\bexec(Sync)?\(/)
})

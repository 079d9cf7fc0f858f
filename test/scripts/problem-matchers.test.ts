/** Problem matchers read what `--format compact` prints. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deriveProblemMatchers } from '../../scripts/problem-matchers.ts'

test('the files are those of the script', () => {
  for (const { path, text } of deriveProblemMatchers()) {
    expect(existsSync(path)).toBe(true)
    expect(readFileSync(path, 'utf8')).toBe(text)
  }
})

test('a finding of each severity is read once, with its place, its message and its rule', () => {
  const [github, vscode] = deriveProblemMatchers().map(({ text }) => JSON.parse(text))
  const patterns = [
    ...github.problemMatcher.map(({ severity, pattern: [one] }: { severity: string; pattern: [object] }) => ({
      severity,
      ...one,
    })),
    ...vscode.map(({ severity, pattern }: { severity: string; pattern: object }) => ({
      severity,
      ...pattern,
    })),
  ]
  for (const [severity, level] of [
    ['critical', 'error'],
    ['high', 'error'],
    ['medium', 'warning'],
    ['low', 'warning'],
  ]) {
    const line = `src/a b.ts:12: ${severity}: A value: pasted [into] SQL [rules js/quoted-sql]`
    const read = patterns.flatMap(({ regexp, file, line: at, message, code, severity: says }) => {
      const found = new RegExp(regexp).exec(line)
      return found ? [[says, found[file], found[at], found[message], found[code]]] : []
    })
    const expected = [level, 'src/a b.ts', '12', 'A value: pasted [into] SQL', 'js/quoted-sql']
    expect(read).toEqual([expected, expected])
  }
})

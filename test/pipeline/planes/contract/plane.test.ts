/** The findings of the contract plane, as validation leaves them. */
import { expect, test } from 'vitest'
import { contractPlane } from '../../../../src/pipeline/planes/contract/plane.ts'
import { createRepo } from '../../../helpers/git-repo.ts'
import type { Changed, Texts } from '../../../helpers/in-memory/change.ts'
import { outcomesOf, reviewChange, reviewCommit } from '../review-commit.ts'

const review = (base: Texts, head: Changed) => reviewChange(contractPlane, base, head)

const parse = (list: string) => `export function parse(${list}) {\n  return text\n}\n`

test('one finding for a symbol, on its changed line, with its broken uses as evidence and claims', async () => {
  const result = await review(
    {
      'src/parse.ts': parse('text: string'),
      'src/a.ts': "import { parse } from './parse'\nparse('a')\n",
      'test/a.test.ts': "import { parse } from '../src/parse'\nparse(\n  'b',\n)\n",
    },
    { 'src/parse.ts': parse('text: string, strict: boolean') },
  )
  expect(outcomesOf(result)).toEqual(['src/parse.ts:1 contract/signature-arity'])
  const [finding] = result.findings
  expect(finding).toMatchObject({
    side: 'new',
    severity: 'high',
    confidence: 'certain',
    category: 'contract',
  })
  expect(finding?.title).toBe(
    '`parse` now takes 2 arguments; 2 calls do not match: `src/a.ts:2`, `test/a.test.ts:2`',
  )
  expect(finding?.explanation).toContain('`src/a.ts:2`: passes 1 argument, it takes 2')
  expect(finding?.claims).toEqual([
    { kind: 'caller-not-updated', symbol: 'parse', definedIn: 'src/parse.ts', path: 'src/a.ts', line: 2 },
    {
      kind: 'caller-not-updated',
      symbol: 'parse',
      definedIn: 'src/parse.ts',
      path: 'test/a.test.ts',
      line: 2,
    },
  ])
  expect(
    result.evidence.map(({ path, startLine, endLine, text }) => [path, startLine, endLine, text]),
  ).toEqual([
    ['src/a.ts', 2, 2, "parse('a')"],
    ['test/a.test.ts', 2, 4, "parse(\n  'b',\n)"],
  ])
})

test('what is gone hangs on the line that removed it; tests alone are of medium weight', async () => {
  const files = {
    'src/a.ts': 'export const one = 1\nexport function gone() {\n  return [1, 2, 3]\n}\n',
    'src/old.ts': 'export const old = 1\n',
    'test/a.test.ts': "import { gone } from '../src/a'\nimport { old } from '../src/old'\ngone()\nold\n",
  }
  const result = await review(files, { 'src/a.ts': 'export const one = 1\n', 'src/old.ts': null })
  expect(outcomesOf(result)).toEqual([
    'src/a.ts:2 contract/removed-symbol',
    'src/old.ts:1 contract/missing-module',
  ])
  expect(result.findings.map(({ side, severity }) => [side, severity])).toEqual([
    ['old', 'medium'],
    ['old', 'medium'],
  ])
  expect(result.findings[0]?.claims).toEqual([
    { kind: 'not-exported', name: 'gone', from: 'src/a.ts', path: 'test/a.test.ts', line: 1 },
  ])
})

test.each([
  ['src/.gitignore', '# Made by the build\nlexicons\n', []],
  ['.gitignore', '/src/lexicons/\n', []],
  ['.gitignore', '*.log\n/lexicons\n', ['src/lexicons/a.ts:1 contract/missing-module']],
])('of what a build writes from now on nothing is missed: %s with %j', async (path, ignored, expected) => {
  const files = {
    'src/lexicons/a.ts': 'export const a = 1\n',
    'src/use.ts': "import { a } from './lexicons/a'\nexport const x = a\n",
  }
  const result = await review(files, { [path]: ignored, 'src/lexicons/a.ts': null })
  expect(outcomesOf(result)).toEqual(expected)
})

test('a file that only moved is told by the file as a whole', async () => {
  const text = 'export const limit = 20\nexport const longest = 300\nexport const deepest = 4\n'
  const repo = createRepo()
  repo.commit({
    'src/limits.ts': text,
    'src/use.ts': "import { limit } from './limits'\nexport const x = limit\n",
  })
  repo.commit({ 'src/limits.ts': null, 'src/caps.ts': text })
  const result = await reviewCommit(contractPlane, repo.path)
  expect(result.findings.map(({ title, rule }) => [rule, title])).toEqual([
    [
      'contract/missing-module',
      '`src/limits.ts` is now `src/caps.ts`; 1 place still imports it: `src/use.ts:1`',
    ],
  ])
})

test('at most twenty are quoted; the others are counted', async () => {
  const calls = Array.from({ length: 30 }, (_, index) => `parse('${index}')\n`).join('')
  const result = await review(
    { 'src/parse.ts': parse('text: string'), 'src/a.ts': `import { parse } from './parse'\n${calls}` },
    { 'src/parse.ts': parse('text: string, strict: boolean') },
  )
  const [finding] = result.findings
  expect(finding?.evidence).toHaveLength(20)
  expect(finding?.title).toContain('30 calls do not match')
  expect(finding?.explanation).toContain('and 10 more')
})

test('silent on updated callers, vendored and generated files, and changes that break nothing', async () => {
  const result = await review(
    {
      'src/parse.ts': parse('text: string'),
      'src/a.ts': "import { parse } from './parse'\nparse('a')\n",
      'vendor/b.ts': "import { parse } from '../src/parse'\nparse('a')\n",
      'src/c.ts': "// Code generated by a tool. DO NOT EDIT.\nimport { parse } from './parse'\nparse('a')\n",
      'src/types.ts': 'export function typed(text: string): string {\n  return text\n}\n',
      'src/d.ts': "import { typed } from './types'\ntyped('a')\n",
    },
    {
      'src/parse.ts': parse('text: string, strict: boolean'),
      'src/a.ts': "import { parse } from './parse'\nparse('a', true)\n",
      'src/types.ts': 'export function typed(text: string | null, more = 1): number {\n  return more\n}\n',
    },
  )
  expect(result.verdicts).toEqual([])
  expect(result.limits).toEqual([])
})

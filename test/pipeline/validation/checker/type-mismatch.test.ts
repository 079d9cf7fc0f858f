/** `type-mismatch`: what a checker says of the line decides, and its silence only where it would have spoken. */
import { expect, test } from 'vitest'
import { checkTypes } from '../../../../src/pipeline/validation/suggestion/check-suggestion.ts'
import { openDesk } from './open-desk.ts'

const claim = (path: string, line: number) =>
  ({ kind: 'type-mismatch', checker: 'tsc', message: 'does not fit', path, line }) as const

const load = 'export function load(id: string): string {\n  return id\n}\n'
const use = `import { z } from 'zod'
import { load } from './load'
export const good = load('a')
export const old = load(1)
`
const added = `export const bad = load(2)
export const fits = load('b')
const own = 1
export const hidden = load(own)

//
//
//

export const vague = load(z.id)


export const quiet = load('c')
`

test('typescript', async () => {
  const { judge } = await openDesk(
    { 'tsconfig.json': '{}', 'src/load.ts': load, 'src/use.ts': use, 'src/plain.js': 'load(1)\n' },
    { 'src/use.ts': use + added, 'src/plain.js': 'load(1)\nload(2)\n' },
  )
  expect(await judge(claim('src/use.ts', 5))).toBe('confirmed by typescript 7.0.2')
  expect(await judge(claim('src/use.ts', 8))).toBe('confirmed by typescript 7.0.2')
  expect(await judge(claim('src/use.ts', 4))).toBe(
    'confirmed by typescript 7.0.2, which said the same before the change (pre-existing)',
  )
  expect(await judge(claim('src/use.ts', 6))).toMatch(/^unverifiable: .*one close by/)
  expect(await judge(claim('src/use.ts', 14))).toMatch(/^unverifiable: .*does not know every type/)
  expect(await judge(claim('src/use.ts', 17))).toBe(
    'refuted: typescript 7.0.2 finds no error at `src/use.ts:17`',
  )
  // JavaScript has no types that it would complain of, and line 40 is not there.
  expect(await judge(claim('src/plain.js', 2))).toMatch(/^unverifiable/)
  expect(await judge(claim('src/use.ts', 40))).toMatch(/^refuted: .*has no line 40/)
})

test('a comment that silences the checker is no proof', async () => {
  const text = `${load}\n\n\n// @ts-ignore\nexport const x = load(1)\n\n\n\nexport const y = load('a')\n`
  const { judge } = await openDesk({ 'tsconfig.json': '{}', 'a.ts': load }, { 'a.ts': text })
  expect(await judge(claim('a.ts', 8))).toMatch(/^unverifiable/)
  expect(await judge(claim('a.ts', 12))).toMatch(/^refuted/)
  const none = await openDesk({ 'a.ts': load }, { 'a.ts': `// @ts-nocheck\n${text}` })
  expect(await none.judge(claim('a.ts', 13))).toMatch(/^unverifiable/)
})

test('pyright, of the line and of a suggestion', async () => {
  const own = 'def load(id: str) -> str:\n    return id\n\n\nprint(load(1))\n'
  const { judge, checker } = await openDesk(
    { 'shop.py': 'def load(id: str) -> str:\n    return id\n' },
    {
      'own.py': own,
      'shop.py':
        'def load(id: str) -> str:\n    return id\n\n\nload(1)\n\n\n\n\ndef free(x):\n    return load(x)\n\n\n\nname: str = load("a")\n',
    },
  )
  expect(await judge(claim('shop.py', 5))).toMatch(/^confirmed by pyright 1\./)
  expect(await judge(claim('shop.py', 11))).toMatch(/^unverifiable: .*does not know every type/)
  expect(await judge(claim('shop.py', 15))).toMatch(/^refuted: pyright 1\./)
  const good = await checkTypes(checker, 'own.py', own.replace('load(1)', 'load("a")'))
  expect(good).toMatchObject({ fault: null, verified: expect.stringMatching(/^type-checks \(pyright 1\./) })
  const bad = await checkTypes(checker, 'own.py', own.replace('load(1)', 'load(gone)'))
  expect(bad.fault).toMatch(/^with it pyright 1\.\S+ finds error reportUndefinedVariable in line 5$/)
})

test('no checker for the language: it rests on who said so', async () => {
  const { judge } = await openDesk({ 'a.rb': 'x = 1\n' }, { 'a.rb': 'x = 1\ny = x + "a"\n' })
  expect(await judge(claim('a.rb', 2))).toBe('unverifiable: It is based on `tsc` alone')
})

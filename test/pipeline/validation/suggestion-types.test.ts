/** A suggestion's file: errors that it would have and has not are a fault, all others are not its business. */
import { expect, test } from 'vitest'
import { checkTypes } from '../../../src/pipeline/validation/suggestion/check-suggestion.ts'
import { openDesk } from './checker/open-desk.ts'

const text = `import { load } from './load'
export const a = load(1)
export const b = load(2)
`

test('typescript: a mended line, a new error, the same errors once more, and a missing package', async () => {
  const { checker } = await openDesk(
    { 'tsconfig.json': '{}', 'load.ts': 'export const load = (id: string) => id\n', 'use.ts': '' },
    { 'use.ts': text },
  )
  const of = (now: string) => checkTypes(checker, 'use.ts', now)
  const verified = 'type-checks (typescript 7.0.2)'
  expect(await of(text.replace('load(1)', "load('1')"))).toEqual({ fault: null, verified })
  expect(await of(`\n\n${text}`)).toEqual({ fault: null, verified })
  expect(await of(text.replace('load(1)', 'laod(1)'))).toEqual({
    fault: 'with it typescript 7.0.2 finds error 2304 in line 2',
  })
  expect(await of(`${text}export const c = load(3)\n`)).toEqual({
    fault: 'with it typescript 7.0.2 finds error 2345 in line 4',
  })
  expect(await of(`import { z } from 'zod'\nexport const y = z\n${text}`)).toEqual({
    fault: null,
    verified: 'type-checks (typescript 7.0.2, without what is not in the repository)',
  })
})

test('of what a checker says, only its code and words of the file are told', async () => {
  const { checker } = await openDesk(
    { 'a.ts': 'export {}\n' },
    {
      'a.ts': "import { key } from './other'\nexport const a: number = key\n",
      'other.ts': "export const key = 'QZ7LITERAL' as const\n",
    },
  )
  const told = await checker.problems('new', 'a.ts')
  expect(told?.problems).toMatchObject([{ line: 2, code: '2322', names: ['number'], isAbsence: false }])
  expect(JSON.stringify(told)).not.toContain('QZ7LITERAL')
  expect(await checker.type({ path: 'a.ts', line: 2, column: 25 })).toEqual({
    by: 'typescript 7.0.2',
    isKnown: true,
  })
})

test('JavaScript, and a language without a checker: nobody could tell', async () => {
  const { checker } = await openDesk({ 'a.js': '', 'a.rb': '' }, { 'a.js': 'one()\n', 'a.rb': 'one\n' })
  expect(await checkTypes(checker, 'a.js', 'two()\n')).toEqual({ fault: null, verified: null })
  expect(await checkTypes(checker, 'a.rb', 'two\n')).toEqual({ fault: null, verified: null })
  expect(await checkTypes(null, 'a.ts', 'two\n')).toEqual({ fault: null, verified: null })
})

import { expect, test } from 'vitest'
import { checkQuestions, checkWalkthrough } from '../../../src/pipeline/conclude/model-words.ts'
import { changeBetween, tagAt } from '../validation/world.ts'

const change = changeBetween({ 'src/a.ts': 'one\n' }, { 'src/a.ts': 'two\n' }, {})
const tag = tagAt(change, 'src/a.ts', 1)
const old = tagAt(change, 'src/a.ts', 1, 'old')

test('a sentence keeps the places that exist, and goes without one', () => {
  const at = { path: 'src/a.ts', tag }
  expect(
    checkWalkthrough(
      [
        { text: ' It says two now. ', places: [at, at, { path: 'src/a.ts', tag: 'L9#zzz' }] },
        { text: 'It said one.', places: [{ path: 'src/a.ts', tag: old }] },
        { text: 'It is perfectly safe.', places: [{ path: 'src/b.ts', tag }] },
        { text: 'Nothing shows this.', places: [] },
        { text: ' ', places: [at] },
      ],
      change,
    ),
  ).toEqual([
    { text: 'It says two now.', places: [{ path: 'src/a.ts', side: 'new', line: 1 }] },
    { text: 'It said one.', places: [{ path: 'src/a.ts', side: 'old', line: 1 }] },
  ])
})

test('three questions at most, each once, with the line that raises it if it exists', () => {
  const ask = (text: string, path: string | null = 'src/a.ts', named = tag) => ({
    plane: 'reviewer',
    text,
    path,
    tag: named,
  })
  expect(
    checkQuestions(
      [
        ask('Is it two?'),
        ask('is it TWO?'),
        ask('Who reads it?', 'src/b.ts'),
        ask('When?', null, ''),
        ask('Why?'),
      ],
      change,
    ).map(({ text, path, line }) => [text, path, line]),
  ).toEqual([
    ['is it TWO?', 'src/a.ts', 1],
    ['Who reads it?', null, null],
    ['When?', null, null],
  ])
})

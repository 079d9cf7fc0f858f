/** A plane's file: what is read from it, and how a bad one is told. */
import { expect, test } from 'vitest'
import { readPlane } from '../../../src/pipeline/reviewer/panel/model-planes.ts'

const head = 'description: holes\norder: 3\ncategories: [security]'
const file = (keys = head, body = 'Look.') => `---\n${keys}\n---\n${body}\n`

test('what may be left out has a default', () => {
  expect(readPlane('prompts/planes/security.v12.md', file())).toEqual({
    order: 3,
    version: 12,
    plane: {
      name: 'security',
      prompt: 'planes/security@12',
      description: 'holes',
      categories: ['security'],
      question: 'second',
      byDefault: true,
      seesAuthorsWords: false,
      writesWalkthrough: false,
      effort: 'medium',
      text: 'Look.',
    },
  })
  const more = `${head}\nquestion: first\ndefault: false\nauthors_words: true\neffort: high`
  expect(readPlane('a.v1.md', file(more).replaceAll('\n', '\r\n')).plane).toMatchObject({
    question: 'first',
    byDefault: false,
    seesAuthorsWords: true,
    effort: 'high',
  })
})

test.each([
  ['security.md', file(), 'its name is not NAME.vNUMBER.md'],
  ['Security.v1.md', file(), 'its name is not NAME.vNUMBER.md'],
  ['reviewer.v1.md', file(), 'or is already used'],
  ['a.v1.md', 'Look.', 'does not begin with a header'],
  ['a.v1.md', file('order: ['), 'line 2: '],
  ['a.v1.md', file('order: 3\ncategories: [security]'), '`description`'],
  ['a.v1.md', file(head.replace('security', 'style')), '`categories.0`'],
  ['a.v1.md', file(`${head}\nmodel: large`), '"model"'],
  ['a.v1.md', file(`${head}\nquestion: third`), '`question`'],
  ['a.v1.md', file(head, ' '), 'no text below its header'],
  ['a.v1.md', file('order: x', ' '), '`order`: Invalid input: expected number, received string; '],
])('%s is refused: %#', (name, text, words) => {
  expect(() => readPlane(name, text)).toThrow(words)
  expect(() => readPlane(name, text)).toThrow(name)
})

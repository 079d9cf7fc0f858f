import { expect, test } from 'vitest'
import type { MemoryNote } from '../../src/domain/memory.ts'
import { digestOf, readNote, writeNote } from '../../src/memory/note-file.ts'

const today = '2026-11-23'
const path = '.sightline/memory/cents.md'

function noteOf(text: string): MemoryNote {
  const { note, fault } = readNote(path, text, today)
  if (!note) throw new Error(fault ?? 'no note')
  return note
}

const proposed = noteOf(
  '---\nscope: paths\npaths: ["test/**"]\ndismiss: js/compare-nan\norigin: 3 dismissals\nevidence: [finding 0123456789abcdef]\nstate: proposed\nexpires: 2027-01-31\n---\nThe tests compare NaN on purpose.\n',
)
const tally = { right: 0, wrong: 3, unimportant: 0, undecided: 0 }
const none = { right: 0, wrong: 0, unimportant: 0, undecided: 0 }
const tested = { runs: 5, on: today, of: digestOf(proposed), dismissed: tally, lowered: none, added: 0 }

test('a note that is written is read as the same note', () => {
  expect(proposed).toMatchObject({
    name: 'cents',
    state: 'proposed',
    effect: { kind: 'dismiss', rule: 'js/compare-nan' },
  })
  expect(noteOf(writeNote(proposed))).toEqual(proposed)
  const active = { ...proposed, state: 'active' as const, tested, because: 'because: # of "quotes"' }
  expect(noteOf(writeNote(active))).toEqual(active)
})

test('only what was accepted, tried as it is, and has not expired is active', () => {
  const active = { ...proposed, state: 'active' as const, tested }
  expect(noteOf(writeNote(active)).state).toBe('active')
  for (const edit of [
    { text: 'All of it is fine.' },
    { paths: ['**'] },
    { effect: { kind: 'minor' as const, rule: 'js/compare-nan' } },
  ])
    expect(noteOf(writeNote({ ...active, ...edit })).state).toBe('untested')
  expect(noteOf(writeNote({ ...active, tested: null })).state).toBe('untested')
  expect(noteOf(writeNote({ ...active, expires: '2026-11-22' })).state).toBe('expired')
  expect(noteOf(writeNote({ ...active, expires: today })).state).toBe('active')
  expect(noteOf(writeNote({ ...active, state: 'retired' })).state).toBe('retired')
})

const front = 'scope: repository\norigin: a person\nstate: proposed'
test.each([
  ['no front matter', 'Amounts are in cents.', 1, 'front matter'],
  ['front matter without an end', `---\n${front}\nAmounts`, 1, 'front matter'],
  ['no text', `---\n${front}\n---\n\n`, 5, 'missing'],
  ['an unknown key', `---\n${front}\nallow: all\n---\nText`, 2, 'allow'],
  ['a scope that is none', `---\nscope: world\norigin: a person\nstate: active\n---\nText`, 2, 'scope'],
  ['paths without the scope', `---\n${front}\npaths: [src]\n---\nText`, 5, 'paths'],
  [
    'a path outside',
    `---\nscope: paths\npaths: [a, ../b]\norigin: x\nstate: active\n---\nText`,
    3,
    'without',
  ],
  [
    'everything but a path',
    `---\nscope: paths\npaths: ["!a"]\norigin: x\nstate: active\n---\nText`,
    3,
    'without',
  ],
  ['findings of a rule everywhere', `---\n${front}\ndismiss: js/compare-nan\n---\nText`, 2, 'needs'],
  [
    'secrets',
    `---\nscope: paths\npaths: ["**"]\ndismiss: secrets/aws\norigin: x\nstate: active\n---\nText`,
    4,
    'secrets',
  ],
  [
    'tampering',
    `---\nscope: paths\npaths: ["**"]\nminor: instructions/own-configuration\norigin: x\nstate: active\n---\nText`,
    4,
    'cannot be',
  ],
  ['characters that are not visible', `---\n${front}\n---\nAmounts are\u202e in cents`, 6, 'not visible'],
  ['a key given twice', `---\n${front}\nstate: active\n---\nText`, 5, 'twice'],
  ['a day that is none', `---\n${front}\nexpires: 2026-13-45\n---\nText`, 5, 'day'],
  ['a long text', `---\n${front}\n---\n${'cents '.repeat(400)}`, 6, '2000'],
])('refuses %s with its line', (_, text, line, words) => {
  const { note, fault } = readNote(path, text, today)
  expect(note).toBeNull()
  expect(fault).toContain(`${path}, line ${line}: `)
  expect(fault).toContain(words)
})

test.each(['../x', 'a/b', 'A', 'x y', `${'x'.repeat(90)}`, '-x'])('refuses the name %s', (name) => {
  const { note } = readNote(`.sightline/memory/${name}.md`, writeNote(proposed), today)
  expect(note).toBeNull()
})

import { describe, expect, test } from 'vitest'
import { formatFileTag, formatTag, lineHash } from '../../../src/domain/line-tag.ts'
import {
  anchorCandidate,
  continuesStatement,
} from '../../../src/pipeline/validation/anchor/anchor-candidate.ts'
import { isDropped } from '../../../src/pipeline/validation/contract.ts'
import { candidate, createWorld, tagAt } from './world.ts'

const before = [
  'import { a } from "./a"',
  '',
  'export function run() {',
  '  return a(',
  '    1,',
  '    2,',
  '  )',
  '}',
  '',
].join('\n')
const after = before.replace('    2,', '    2,\n    three,').replace('import { a }', 'import { a, three }')
const { change } = createWorld({ 'src/a.ts': before }, { 'src/a.ts': after })

function anchor(tags: string[], quotes: string[] = [], plane = 'contract') {
  return anchorCandidate(
    candidate({
      plane,
      anchor: { path: 'src/a.ts', tags },
      evidence: quotes.map((quote) => ({ evidence: 'E1', quote })),
    }),
    change,
  )
}

function placed(...args: Parameters<typeof anchor>) {
  const result = anchor(...args)
  if (isDropped(result)) throw new Error(result.dropped)
  return result
}

const reasonOf = (...args: Parameters<typeof anchor>) => {
  const result = anchor(...args)
  return isDropped(result) ? result.dropped : null
}

describe('a tag as the diff has it', () => {
  test('gives side, lines and an excerpt', () => {
    const { location, verifiedBy, demotions } = placed([tagAt(change, 'src/a.ts', 7)])
    expect(location).toMatchObject({
      side: 'new',
      startLine: 7,
      endLine: 7,
      tags: [tagAt(change, 'src/a.ts', 7)],
    })
    expect(location.excerpt.map((line) => line.new)).toEqual([5, 6, 7, 8, 9])
    expect(verifiedBy).toEqual(['every cited line is in the diff as cited'])
    expect(demotions).toEqual([])
  })

  test('may be bracketed, and a removed line stands on the old side', () => {
    expect(placed([`[${tagAt(change, 'src/a.ts', 1, 'old')}]`]).location).toMatchObject({
      side: 'old',
      startLine: 1,
    })
  })

  test('spans the lines of its side and hunk, the first tag first', () => {
    const tags = [tagAt(change, 'src/a.ts', 7), tagAt(change, 'src/a.ts', 5)]
    expect(placed(tags).location).toMatchObject({ startLine: 5, endLine: 7, tags })
  })
})

describe('a tag with a fault', () => {
  test.each([
    ['no tag', 'line 7', '`line 7` is not a line tag'],
    ['a hash that no line has', 'L7#000', 'No line of the diff has the hash'],
    ['a number in no hunk', formatTag('new', 900, lineHash('    three,')), null],
  ])('%s', (_, tag, reason) => {
    expect(reasonOf([tag])).toContain(reason ?? 'is not quoted')
  })

  test('one line off in the same statement is snapped to the quoted line and marked', () => {
    const { location, verifiedBy } = placed([formatTag('new', 6, lineHash('    three,'))], ['three,'])
    expect(location.startLine).toBe(7)
    expect(verifiedBy).toEqual([expect.stringContaining('hash and quoted words fit one line only')])
  })

  test('a number and the hash of its neighbour: the quoted words decide, and nothing else does', () => {
    const tag = formatTag('new', 7, lineHash('  )'))
    expect(placed([tag], ['    three,']).location.startLine).toBe(7)
    expect(placed([tag], ['  )']).location.startLine).toBe(8)
    expect(reasonOf([tag], ['three,\n)'])).toContain('fit 2 of the lines')
    expect(reasonOf([tag], ['elsewhere'])).toContain('not quoted')
  })

  test.each(['L7', '[L7]', 'L7#', `L7#${lineHash('    three,').slice(0, 2)}`, '`L7` +'])(
    '%s has no whole hash and needs the words of its line',
    (tag) => {
      expect(reasonOf([tag], ['elsewhere'])).toBeTruthy()
      if (!tag.endsWith('#')) expect(placed([tag], ['three,']).location.startLine).toBe(7)
    },
  )

  test.each(['+', '-', ' +'])('a sign behind it is not part of it: %s', (sign) => {
    expect(placed([`[${tagAt(change, 'src/a.ts', 7)}]${sign}`]).location.startLine).toBe(7)
  })

  test('one line off into another statement is not snapped', () => {
    expect(reasonOf([formatTag('new', 2, lineHash('import { a, three } from "./a"'))])).toContain(
      'not quoted',
    )
  })

  test('the number of the other side is put right', () => {
    const { location, verifiedBy } = placed([formatTag('new', 7, lineHash('  )'))], ['  )'])
    expect(location.startLine).toBe(8)
    expect(verifiedBy).toEqual([expect.stringContaining('had a wrong number')])
  })

  test('any other number needs the words of the line among the quotes', () => {
    const tag = formatTag('new', 3, lineHash('    three,'))
    expect(reasonOf([tag])).toContain('not quoted')
    expect(placed([tag], ['three,']).location.startLine).toBe(7)
  })

  test('a hash that two lines have is not guessed at', () => {
    const twins = createWorld(
      { 'src/a.ts': 'x\n' },
      { 'src/a.ts': 'x\nsame()\nother(\n  1)\nsame()\n' },
    ).change
    const result = anchorCandidate(
      candidate({
        anchor: { path: 'src/a.ts', tags: [formatTag('new', 3, lineHash('same()'))] },
        evidence: [{ evidence: 'E1', quote: 'same()' }],
      }),
      twins,
    )
    expect(result).toEqual({ dropped: expect.stringContaining('fit 2 of the lines it may mean') })
  })

  test('the tag of the first of two lines alike, with a quote from around the second, is of the second', () => {
    const lines = ['x', 'one()', 'same()', 'two()', 'same()', 'three()']
    const twins = createWorld({ 'src/a.ts': 'x\n' }, { 'src/a.ts': `${lines.join('\n')}\n` }).change
    const shownFor = (quote: string, byModel: boolean) => {
      const result = anchorCandidate(
        candidate({
          byModel,
          anchor: { path: 'src/a.ts', tags: [tagAt(twins, 'src/a.ts', 3)] },
          evidence: [{ evidence: 'E1', quote }],
        }),
        twins,
      )
      return isDropped(result) ? result.dropped : result.location.startLine
    }
    expect(shownFor('same()\nthree()', true)).toBe(5)
    expect(shownFor('same()\ntwo()', true)).toBe(3)
    expect(shownFor('same()', true)).toBe(3)
    expect(shownFor('same()\nthree()', false)).toBe(3)
  })

  test('a number that points into another hunk needs telling words, which stand in one line only', () => {
    const middle = Array.from({ length: 30 }, (_, at) => `line ${at}`)
    const [old, now] = [
      ['a', ...middle, 'z'],
      ['first()', ...middle, 'last()', 'the last but one', 'the last'],
    ].map((lines) => `${lines.join('\n')}\n`)
    const apart = createWorld({ 'src/a.ts': old ?? '' }, { 'src/a.ts': now ?? '' }).change
    const tags = [formatTag('new', 2, lineHash('last()'))]
    const evidence = [{ evidence: 'E1', quote: 'last()' }]
    const telling = candidate({
      anchor: { path: 'src/a.ts', tags: [formatTag('new', 2, lineHash('the last but one'))] },
      evidence: [{ evidence: 'E1', quote: 'the last but one' }],
    })
    expect(anchorCandidate(telling, apart)).toMatchObject({ location: { startLine: 33 } })
    expect(anchorCandidate(candidate({ anchor: { path: 'src/a.ts', tags }, evidence }), apart)).toEqual({
      dropped: expect.stringContaining('points away'),
    })
  })

  test('is left out when another one stands, and that is said', () => {
    const { location, demotions } = placed([tagAt(change, 'src/a.ts', 7), 'L1#zzz'])
    expect(location.tags).toEqual([tagAt(change, 'src/a.ts', 7)])
    expect(demotions).toEqual([expect.stringContaining('cited line left out')])
  })
})

describe('an unchanged line of a hunk', () => {
  const context = tagAt(change, 'src/a.ts', 6)
  test('will do for planes whose findings have their cause beside it', () => {
    expect(placed([context]).location.startLine).toBe(6)
  })
  test('will not do for the others, who are shown on a changed line they cite too', () => {
    expect(reasonOf([context], [], 'secrets')).toContain('speaks of changed lines only')
    expect(placed([context, tagAt(change, 'src/a.ts', 7)], [], 'secrets').location.shown?.new).toBe(7)
  })
})

describe('a file tag', () => {
  const file = (path: string, world: ReturnType<typeof createWorld>) =>
    anchorCandidate(candidate({ anchor: { path, tags: [formatFileTag(path)] } }), world.change)

  test('stands for the first changed line', () => {
    expect(file('src/a.ts', createWorld({ 'src/a.ts': before }, { 'src/a.ts': after }))).toMatchObject({
      location: { startLine: 1, side: 'old', tags: [expect.stringMatching(/^O1#/)] },
    })
  })

  test('stands for the file itself when it has no lines', () => {
    const world = createWorld(
      { 'a.ts': 'x\n' },
      { 'b\u202e.ts': 'x\n' },
      { renames: { 'b\u202e.ts': 'a.ts' } },
    )
    expect(file('b\u202e.ts', world)).toMatchObject({
      location: { startLine: 1, endLine: 1, shown: null, excerpt: [], tags: [formatFileTag('b\u202e.ts')] },
    })
  })

  test('of another path is none', () => {
    const tags = [formatFileTag('src/b.ts')]
    expect(reasonOf(tags)).toContain('is not a line tag')
  })
})

test.each([
  [['call(', '  1)'], true],
  [['x = a +', '    b'], true],
  [['value', '  .trim()'], true],
  [['a()', 'b()'], false],
  [['if (x) {', '  y()'], false],
  [['def f():', '    pass'], false],
  [['f("(")', 'g()'], false],
  [['', 'b'], false],
])('%j is one statement: %s', (lines, expected) => {
  expect(continuesStatement(lines, 0)).toBe(expected)
})

/** Comments that ignore a rule, in the syntax of many languages; and the file of a team, with what is wrong with it. */
import { describe, expect, test } from 'vitest'
import { ignoreCommentFor, readTeamFile } from '../../src/ledger/ignores.ts'
import { sampleFinding } from '../helpers/sample-review.ts'

const finding = (line: number, more: object = {}) =>
  sampleFinding({ plane: 'rules', rule: 'js/compare-nan', startLine: line, endLine: line, ...more })

describe('a comment above or behind the line', () => {
  test.each([
    '// sightline-ignore js/compare-nan: so',
    '# sightline-ignore js/compare-nan: so',
    '-- sightline-ignore js/compare-nan: so',
    '; sightline-ignore js/compare-nan: so',
    '% sightline-ignore js/compare-nan: so',
    '/* sightline-ignore js/compare-nan: so */',
    ' * sightline-ignore js/compare-nan: so',
    '<!-- sightline-ignore js/compare-nan: so -->',
    '{- sightline-ignore js/compare-nan: so -}',
    '(* sightline-ignore js/compare-nan: so *)',
    '{/* sightline-ignore js/compare-nan: so */}',
  ])('%j', (comment) => {
    expect(ignoreCommentFor(finding(2), `${comment}\ncode()`)).toMatchObject({ reason: 'so', line: 1 })
    // A star alone goes on with a comment above, and never follows code.
    const behind = comment.startsWith(' *') ? undefined : 'so'
    expect(ignoreCommentFor(finding(1), `code() ${comment.trim()}`)?.reason).toBe(behind)
  })

  test('several comments stand above one line, each for its rule', () => {
    const text = '// sightline-ignore js/compare-nan: so\n// sightline-ignore js/other: as well\ncode()'
    expect(ignoreCommentFor(finding(3), text)?.line).toBe(1)
  })

  test.each([
    ['another rule', '// sightline-ignore js/compare: so\ncode()'],
    ['no reason', '// sightline-ignore js/compare-nan:   \ncode()'],
    ['too far away', '// sightline-ignore js/compare-nan: so\n\ncode()\ncode()'],
    ['no comment', 'sightline-ignore js/compare-nan: so\ncode()'],
  ])('does not count: %s', (_, text) => {
    expect(ignoreCommentFor(finding(text.split('\n').length), text)).toBeNull()
  })

  test('never for secrets, and not for what the change removed', () => {
    const text = '// sightline-ignore js/compare-nan: so\ncode()'
    expect(ignoreCommentFor(finding(2, { plane: 'secrets' }), text)).toBeNull()
    expect(ignoreCommentFor(finding(2, { side: 'old' }), text)).toBeNull()
  })
})

describe('the file of the team', () => {
  test('names rules with paths, or findings', () => {
    const text =
      'dismissed:\n  - { rule: a/b, paths: ["x/**"], because: so }\n  - { finding: 3fa94c01, because: so }\n'
    expect(readTeamFile(text)).toMatchObject({
      entries: [{ rule: 'a/b' }, { finding: '3fa94c01' }],
      problem: null,
    })
    expect(readTeamFile(null)).toEqual({ entries: [], problem: null })
  })

  test.each([
    ['dismissed:\n  - { rule: a/b }\n', /^\.sightline\/dismissed\.yaml, line 2: /],
    ['dismissed:\n  - { rule: a/b, finding: 3fa94c01, because: so }\n', /either a rule or a finding/],
    ['dismissed: [\n', /line \d+: .* No entry of it is used\.$/],
    ['dismissed:\n  - { rule: a/b, because: so, command: rm }\n', /No entry of it is used/],
  ])('a fault in it is named, and no entry counts: %j', (text, problem) => {
    const read = readTeamFile(text)
    expect(read.entries).toEqual([])
    expect(read.problem).toMatch(problem)
  })
})

/** Comments that ignore a rule, in the syntax of many languages; and the file of a team, with what is wrong with it. */
import { describe, expect, test } from 'vitest'
import { languageOf } from '../../src/code-index/language-of.ts'
import { languages } from '../../src/code-index/languages/registry.ts'
import { commentSyntaxOf } from '../../src/ledger/comment-syntax.ts'
import { ignoreCommentFor, readTeamFile } from '../../src/ledger/ignores.ts'
import { sampleFinding } from '../helpers/sample-review.ts'

const finding = (line: number, more: object = {}, path = 'src/parse.ts') =>
  sampleFinding({
    ...{ plane: 'rules', rule: 'js/compare-nan', startLine: line, endLine: line },
    ...{ anchor: { path, tags: [] }, ...more },
  })
const words = 'sightline-ignore js/compare-nan: so'

/** How each language is commented: alone above the line and, but for the last ones, behind it. */
const syntaxes: [path: string, behind: string[], above?: string[]][] = [
  ...[
    'ts',
    'mts',
    'cts',
    'js',
    'mjs',
    'cjs',
    'java',
    'go',
    'rs',
    'c',
    'h',
    'cc',
    'cpp',
    'hpp',
    'cs',
    'kt',
  ].map((ending): (typeof syntaxes)[number] => [
    `a.${ending}`,
    [`// ${words}`, `/* ${words} */`, `/// ${words}`],
    [`/** ${words} */`, `//! ${words}`, ` * ${words}`],
  ]),
  ...['swift', 'scala', 'kts', 'sbt'].map((ending): (typeof syntaxes)[number] => [
    `a.${ending}`,
    [`//${words}`, `/* ${words} */`],
  ]),
  ['a.tsx', [`// ${words}`, `/* ${words} */`, `{/* ${words} */}`]],
  ['a.jsx', [`{/* ${words} */}`]],
  ['a.php', [`// ${words}`, `# ${words}`, `/* ${words} */`]],
  ...['py', 'pyi', 'rb', 'rake', 'sh', 'bash', 'yml', 'toml', 'ex'].map(
    (ending): (typeof syntaxes)[number] => [`a.${ending}`, [`# ${words}`, `#${words}`]],
  ),
  ['a.tf', [`# ${words}`, `// ${words}`]],
  ['a.css', [`/* ${words} */`]],
  ['a.sql', [`-- ${words}`, `/* ${words} */`]],
  ['a.lua', [`-- ${words}`, `--[[ ${words} ]]`]],
  ['a.hs', [`-- ${words}`, `{- ${words} -}`]],
  ['a.ml', [`(* ${words} *)`]],
  ['a.fs', [`// ${words}`, `(* ${words} *)`]],
  ['a.html', [`<!-- ${words} -->`]],
  ['a.vue', [`<!-- ${words} -->`, `// ${words}`]],
  ['a.clj', [`;; ${words}`]],
  ['a.tex', [`% ${words}`]],
  ['a.vb', [`' ${words}`]],
  ['Dockerfile', [`# ${words}`]],
  ['Jenkinsfile', [`// ${words}`]],
]

describe('a comment above or behind the line', () => {
  test.each(syntaxes)('in %s', (path, behind, above = []) => {
    for (const [end, comment] of ['\n', '\r\n'].flatMap((one) =>
      [...behind, ...above].map((two) => [one, two] as const),
    ))
      expect(ignoreCommentFor(finding(2, {}, path), `${comment}${end}code()${end}`), comment).toMatchObject({
        ...{ reason: 'so', line: 1 },
      })
    for (const comment of behind)
      expect(ignoreCommentFor(finding(1, {}, path), `code() ${comment}\r\n`)?.reason, comment).toBe('so')
  })

  test.each(syntaxes)('one that is written for %s is read', (path) => {
    const written = commentSyntaxOf(path).writeIgnore('js/compare-nan', 'so')
    expect(ignoreCommentFor(finding(2, {}, path), `${written}\ncode()`)).toMatchObject({
      reason: 'so',
      line: 1,
    })
  })

  test('every language of the index has its syntax, and no other one', () => {
    const covered = new Set(syntaxes.map(([path]) => languageOf(path)))
    for (const language of languages.keys()) expect([...covered]).toContain(language)
    for (const [path, comment] of [
      ['a.py', `// ${words}`],
      ['a.ts', `# ${words}`],
      ['a.ts', `-- ${words}`],
      ['a.go', `' ${words}`],
      ['a.rb', `/* ${words} */`],
      ['a.css', `// ${words}`],
    ] as const)
      expect(ignoreCommentFor(finding(2, {}, path), `${comment}\ncode()`), comment).toBeNull()
  })

  test('it may be one line of a longer comment', () => {
    const blocks = [`/**\n * ${words}\n */\ncode()`, `//\n// ${words}\n// because of the sentinel\ncode()`]
    for (const text of blocks)
      expect(ignoreCommentFor(finding(4), text)).toMatchObject({ reason: 'so', line: 2 })
    expect(ignoreCommentFor(finding(3), `// ${words}\n*code = 1\ncode()`)).toBeNull()
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

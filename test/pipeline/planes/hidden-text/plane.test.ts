/** The hidden-text plane on real commits. */
import { expect, test } from 'vitest'
import { Config } from '../../../../src/config/schema.ts'
import { hiddenTextPlane } from '../../../../src/pipeline/planes/hidden-text/plane.ts'
import { createRepo } from '../../../helpers/git-repo.ts'
import { outcomesOf, reviewCommit } from '../review-commit.ts'

test('each kind of hidden text is one finding on its first line', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export const a = 1\n' })
  repo.commit({
    'a.ts':
      'export const a = 1\nconst is\u200bAdmin = true\nconst b\u200b = 2\n// \u202e backwards\nconst sc\u043epe = 1\n',
    'Grüße.md': 'Grüße, 你好 👨‍👩‍👧\n',
  })
  const review = await reviewCommit(hiddenTextPlane, repo.path)
  expect(outcomesOf(review).sort()).toEqual([
    'a.ts:2 hidden-text/zero-width',
    'a.ts:4 hidden-text/bidi',
    'a.ts:5 hidden-text/look-alike',
  ])
  expect(review.findings.find(({ rule }) => rule.endsWith('bidi'))?.explanation).toContain('⟦U+202E⟧')
})

test('a file name with hidden characters is a finding on the file', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'a\n' })
  repo.commit({ 'pay\u202ets.js': 'export {}\n' })
  const { findings } = await reviewCommit(hiddenTextPlane, repo.path)
  expect(findings.map(({ rule }) => rule)).toEqual(['hidden-text/file-name'])
})

test('what the change removes, and what is not text, is left alone', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'const is\u200bAdmin = true\n', 'b.txt': 'b\n' })
  repo.commit({ 'a.ts': 'const isAdmin = true\n', 'b.txt': Buffer.from('caf\xe9\u0007\n', 'latin1') })
  expect(outcomesOf(await reviewCommit(hiddenTextPlane, repo.path))).toEqual([])
})

test('one byte that is not UTF-8 hides nothing else', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'a\n' })
  const text = Buffer.concat([
    Buffer.from('// caf\xe9\n', 'latin1'),
    Buffer.from('// \u202e backwards\nis\u200bAdmin()\n'),
  ])
  repo.commit({ 'a.ts': text })
  expect(outcomesOf(await reviewCommit(hiddenTextPlane, repo.path)).sort()).toEqual([
    'a.ts:2 hidden-text/bidi',
    'a.ts:3 hidden-text/zero-width',
  ])
})

test('a line that changes around what nobody sees is left alone; a second one on it is not', async () => {
  const repo = createRepo()
  const before = 'const is\u200bAdmin = true\n// \u202e backwards\nconst sc\u043epe = 1\n'
  repo.commit({ 'a.ts': before })
  repo.commit({ 'a.ts': before.replaceAll('const', 'export const').replace('//', '  //') })
  expect(outcomesOf(await reviewCommit(hiddenTextPlane, repo.path))).toEqual([])
  repo.commit({ 'a.ts': before.replace('true', 'tr\u200bue') })
  expect(outcomesOf(await reviewCommit(hiddenTextPlane, repo.path))).toEqual([
    'a.ts:1 hidden-text/zero-width',
  ])
})

/** Each carrier, in each place of a line where an attacker would put it. */
const carriers = {
  bidi: '\u202e',
  'zero-width': '\u200b',
  tag: '\u{e0069}\u{e0067}',
  selector: '\u{e0110}\u{e0121}\u{e0132}',
  control: '\u001b[8m',
  'look-alike': 'p\u0430ssword',
}
const placements = [
  (text: string) => `// comment ${text} goes on`,
  (text: string) => `const words = "before ${text} after"`,
  (text: string) => `const name${text}Part = 1`,
  (text: string) => `    ${text}`,
  (text: string) => `${'x'.repeat(5_000)} ${text} ${'y'.repeat(5_000)}`,
]

test('every carrier is seen in every place, on the right line', async () => {
  const repo = createRepo()
  repo.commit({ 'a.md': 'a\n' })
  const files: Record<string, string> = {}
  const wanted: string[] = []
  for (const [kind, text] of Object.entries(carriers))
    for (const [index, place] of placements.entries()) {
      const path = `src/${kind}-${index}.ts`
      files[path] = `plain\nplain\n${place(text)}\nplain\n`
      // A word of a comment is no name.
      if (kind === 'look-alike' && index === 0) continue
      wanted.push(`${path}:3 hidden-text/${kind}`)
    }
  repo.commit(files)
  const { findings } = await reviewCommit(hiddenTextPlane, repo.path)
  const seen = findings.flatMap(({ rule, claims }) =>
    claims.flatMap((claim) => ('line' in claim ? [`${claim.path}:${claim.line} ${rule}`] : [])),
  )
  expect(seen.sort()).toEqual(wanted.sort())
})

test('the same in several files is one finding, unless it looks like an attack', async () => {
  const repo = createRepo()
  repo.commit({ 'a.md': 'a\n' })
  const text = `one ${carriers['zero-width']} two\nthree ${carriers.bidi} four\n`
  repo.commit({ 'src/a.ts': text, 'src/b.ts': text })
  const review = await reviewCommit(hiddenTextPlane, repo.path)
  expect(outcomesOf(review).sort()).toEqual([
    'src/a.ts:1 hidden-text/zero-width',
    'src/a.ts:2 hidden-text/bidi',
    'src/b.ts:2 hidden-text/bidi',
  ])
  expect(review.findings.find(({ severity }) => severity !== 'high')?.explanation).toContain('`src/b.ts:1`')
})

test('recorded output of a test may have control characters, and nothing else that is hidden', async () => {
  const repo = createRepo()
  repo.commit({ 'a.md': 'a\n' })
  const text = `${carriers.control}passed\nand ${carriers.bidi} so on\n`
  repo.commit({ 'test/reporters/out.log': text, 'src/out.ts': text })
  expect(outcomesOf(await reviewCommit(hiddenTextPlane, repo.path)).sort()).toEqual([
    'src/out.ts:1 hidden-text/control',
    'src/out.ts:2 hidden-text/bidi',
    'test/reporters/out.log:2 hidden-text/bidi',
  ])
})

test('a file name with a look-alike is a finding too, and is spelled out', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'a\n' })
  repo.commit({ 'src/p\u0430yment.ts': 'export {}\n' })
  const { findings } = await reviewCommit(hiddenTextPlane, repo.path)
  expect(findings[0]?.explanation).toContain('src/p⟦U+0430⟧yment.ts')
})

test('an excluded file is searched too, and what it hid before the change is not reported', async () => {
  const repo = createRepo()
  repo.commit({ 'old/a.ts': 'let is\u200bAdmin = 1\nlet a = 1\n' })
  repo.commit({ 'old/a.ts': 'var is\u200bAdmin = 1\nlet b\u202e = 1\n' })
  const config = Config.parse({ paths: { exclude: ['old/**'] } })
  const review = await reviewCommit(hiddenTextPlane, repo.path, 'HEAD', config)
  expect(outcomesOf(review)).toEqual(['old/a.ts:2 hidden-text/bidi'])
})

test('control characters that a file had before are part of its format', async () => {
  const repo = createRepo()
  repo.commit({ 'manual.info': 'a\n\u001f\nb\n' })
  repo.commit({ 'manual.info': 'a\n\u001f\nb\n\u001f\nc\n' })
  expect(outcomesOf(await reviewCommit(hiddenTextPlane, repo.path))).toEqual([])
  repo.commit({ 'manual.info': 'a\n\u001f\nb \u001b[8m\n' })
  expect(outcomesOf(await reviewCommit(hiddenTextPlane, repo.path))).toEqual([
    'manual.info:3 hidden-text/control',
  ])
})

test('a word of two scripts is what a test tries out', async () => {
  const repo = createRepo()
  repo.commit({ 'a.md': 'a\n' })
  repo.commit({ 'test/names.test.ts': `refuses('p\u0430ssword')\n` })
  expect(outcomesOf(await reviewCommit(hiddenTextPlane, repo.path))).toEqual([])
})

test('colours of text for a terminal are no secret, what conceals is', async () => {
  const repo = createRepo()
  repo.commit({ 'a.md': 'a\n' })
  repo.commit({
    'data/moon': '\u001b[38;5;7m###\u001b[0m\n',
    'data/sun': '\u001b[1;8mhidden\u001b[0m\n',
  })
  expect(outcomesOf(await reviewCommit(hiddenTextPlane, repo.path))).toEqual([
    'data/sun:1 hidden-text/control',
  ])
})

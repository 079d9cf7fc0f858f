/** The hidden-text plane on whole changes. */
import { expect, test } from 'vitest'
import { Config } from '../../../../src/config/schema.ts'
import { hiddenTextPlane } from '../../../../src/pipeline/planes/hidden-text/plane.ts'
import { createRepo } from '../../../helpers/git-repo.ts'
import type { Changed, Texts } from '../../../helpers/in-memory/change.ts'
import { outcomesOf, reviewChange, reviewCommit } from '../review-commit.ts'

const review = (before: Texts, after: Changed) => reviewChange(hiddenTextPlane, before, after)
const outcomes = async (before: Texts, after: Changed): Promise<string[]> =>
  outcomesOf(await review(before, after)).sort()

test('each kind of hidden text is one finding on its first line', async () => {
  const told = await review(
    { 'a.ts': 'export const a = 1\n' },
    {
      'a.ts':
        'export const a = 1\nconst is\u200bAdmin = true\nconst b\u200b = 2\n// \u202e backwards\nconst sc\u043epe = 1\n',
      'Grüße.md': 'Grüße, 你好 👨‍👩‍👧\n',
    },
  )
  expect(outcomesOf(told).sort()).toEqual([
    'a.ts:2 hidden-text/zero-width',
    'a.ts:4 hidden-text/bidi',
    'a.ts:5 hidden-text/look-alike',
  ])
  expect(told.findings.find(({ rule }) => rule.endsWith('bidi'))?.explanation).toContain('⟦U+202E⟧')
})

test('what tests compare with, and pages that they keep, may hold such characters; text that is reordered may not', async () => {
  const kept = {
    'test/links.test.ts': 'check("\u001b]8;;a\u0007")\n',
    'test/pages/a.html': '<p>\u200f@name, one\ufeff</p>\n',
  }
  expect(await outcomes({}, kept)).toEqual([])
  expect(
    await outcomes({}, { 'links.ts': kept['test/links.test.ts'], 'a.html': kept['test/pages/a.html'] }),
  ).toEqual([
    'a.html:1 hidden-text/bidi',
    'a.html:1 hidden-text/zero-width',
    'links.ts:1 hidden-text/control',
  ])
  expect(await outcomes({}, { 'test/pages/README.md': 'Go\u200b on\n' })).toEqual([
    'test/pages/README.md:1 hidden-text/zero-width',
  ])
  expect(await outcomes({}, { 'test/pages/b.html': '<p>\u202e</p>\n' })).toEqual([
    'test/pages/b.html:1 hidden-text/bidi',
  ])
})

test.each([
  ['.cursor/rules/testing/style.mdc', 'Be brief\u200b.\n'],
  ['.claude/commands/e2e/run.txt', 'Be brief\u200b.\n'],
  ['.github/instructions/tests/a.instructions.txt', 'Be brief\u200e.\n'],
  ['e2e/package.json', '{ "dependencies": { "lod\u200bash": "1" } }\n'],
  ['tests/Dockerfile', 'FROM acme/no\u200bde\n'],
])(
  'a folder that is named like tests excuses nothing that steers or sets something: %s',
  async (path, text) => {
    const found = await outcomes({}, { [path]: text })
    expect(found.filter((one) => /hidden-text\/(?:zero-width|bidi)$/.test(one))).toHaveLength(1)
  },
)

test('a page of a test may hold zero widths, and no text that is written with them', async () => {
  const order = [...Buffer.from('obey')].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const written = order.replaceAll('0', '\u200b').replaceAll('1', '\u200c')
  const page = (inside: string) => ({ 'tests/pages/a.html': `<p>Hello${inside}</p>\n` })
  expect(await outcomes({}, page(written))).toEqual(['tests/pages/a.html:1 hidden-text/zero-width'])
  // As letters are filled up, so that a preview shows nothing of them.
  expect(await outcomes({}, page('\u200c\u00a0'.repeat(100)))).toEqual([])
  expect(await outcomes({}, page('\u200b'.repeat(20)))).toEqual([])
})

test('a file name with hidden characters is a finding on the file', async () => {
  const { findings } = await review({ 'a.ts': 'a\n' }, { 'pay\u202ets.js': 'export {}\n' })
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

test('a stray zero byte is a finding; data behind a long head of text is none', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'a\n' })
  const head = Buffer.from(`%PDF-1.6\n${'<rdf:li>a line of metadata</rdf:li>\n'.repeat(300)}`)
  const data = Buffer.from(Array.from({ length: 9_000 }, (_, at) => (at * 7 + (at >> 3)) % 256))
  repo.commit({
    'a.ts': Buffer.from(`${'export const a = 1\n'.repeat(600)}// \0\n`),
    'logo.ai': Buffer.concat([head, data]),
  })
  expect(outcomesOf(await reviewCommit(hiddenTextPlane, repo.path))).toEqual([
    'a.ts:601 hidden-text/zero-byte',
  ])
})

test('a joined file of short lines keeps what it had; only what can do nothing but hide is certain', async () => {
  const joined = (name: string) => ({
    'build/all.js': `/******/ (function(modules) {\nf("\u200b")\n${name}("\u200b")\n})\n`,
  })
  expect(await outcomes(joined('one'), joined('two'))).toEqual([])
  const { findings } = await review({}, { 'a.ts': 'const is\u200bAdmin = true\n// \u202e backwards\n' })
  expect(findings.map(({ rule, confidence }) => `${rule} ${confidence}`).sort()).toEqual([
    'hidden-text/bidi certain',
    'hidden-text/zero-width likely',
  ])
})

test('a sentence that is written again around what nobody sees has nothing new; with one more it has', async () => {
  const page = (mark: string, more = '') => ({
    'README.md': `the box [\u200b[${mark}left${mark}]] ${more}\n`,
  })
  expect(await outcomes(page('_'), page('*'))).toEqual([])
  expect(await outcomes(page('_'), page('*', 'an\u200bd'))).toEqual(['README.md:1 hidden-text/zero-width'])
})

test('a line that changes around what nobody sees is left alone; a second one on it is not', async () => {
  const before = 'const is\u200bAdmin = true\n// \u202e backwards\nconst sc\u043epe = 1\n'
  const around = before.replaceAll('const', 'export const').replace('//', '  //')
  expect(await outcomes({ 'a.ts': before }, { 'a.ts': around })).toEqual([])
  expect(await outcomes({ 'a.ts': around }, { 'a.ts': before.replace('true', 'tr\u200bue') })).toEqual([
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
  const { findings } = await review({}, files)
  const seen = findings.flatMap(({ rule, claims }) =>
    claims.flatMap((claim) => ('line' in claim ? [`${claim.path}:${claim.line} ${rule}`] : [])),
  )
  expect(seen.sort()).toEqual(wanted.sort())
})

test('a sentence of look-alikes is seen where single words are left alone: in tests, and over several comments', async () => {
  const words = ['\u0430pprove', 'ever\u0443thing', 'f\u043er', 'n\u043ew']
  const inTest = (some: readonly string[]) => `test('${some.join(' ')}', () => {})\n`
  expect(await outcomes({}, { 'test/a.test.ts': inTest(words.slice(0, 3)) })).toEqual([])
  expect(await outcomes({}, { 'test/a.test.ts': inTest(words) })).toEqual([
    'test/a.test.ts:1 hidden-text/look-alike',
  ])
  const [first, ...others] = await outcomes({}, { 'src/a.ts': `// ${words.join('\n// ')}\n` })
  expect([first, others]).toEqual(['src/a.ts:1 hidden-text/look-alike', []])
})

test('the same in several files is one finding, unless it looks like an attack', async () => {
  const text = `one ${carriers['zero-width']} two\nthree ${carriers.bidi} four\n`
  const told = await review({ 'a.md': 'a\n' }, { 'src/a.ts': text, 'src/b.ts': text })
  expect(outcomesOf(told).sort()).toEqual([
    'src/a.ts:1 hidden-text/zero-width',
    'src/a.ts:2 hidden-text/bidi',
    'src/b.ts:2 hidden-text/bidi',
  ])
  expect(told.findings.find(({ severity }) => severity !== 'high')?.explanation).toContain('`src/b.ts:1`')
})

test('recorded output of a test may have control characters, and nothing else that is hidden', async () => {
  const text = `${carriers.control}passed\nand ${carriers.bidi} so on\n`
  expect(await outcomes({ 'a.md': 'a\n' }, { 'test/reporters/out.log': text, 'src/out.ts': text })).toEqual([
    'src/out.ts:1 hidden-text/control',
    'src/out.ts:2 hidden-text/bidi',
    'test/reporters/out.log:2 hidden-text/bidi',
  ])
})

test('a file name with a look-alike is a finding too, and is spelled out', async () => {
  const { findings } = await review({ 'a.ts': 'a\n' }, { 'src/p\u0430yment.ts': 'export {}\n' })
  expect(findings[0]?.explanation).toContain('src/p⟦U+0430⟧yment.ts')
})

test('an excluded file is searched too, and what it hid before the change is not reported', async () => {
  const before = { 'old/a.ts': 'let is\u200bAdmin = 1\nlet a = 1\n' }
  const after = { 'old/a.ts': 'var is\u200bAdmin = 1\nlet b\u202e = 1\n' }
  const config = Config.parse({ paths: { exclude: ['old/**'] } })
  expect(outcomesOf(await reviewChange(hiddenTextPlane, before, after, { config }))).toEqual([
    'old/a.ts:2 hidden-text/bidi',
  ])
})

test('control characters that a file had before are part of its format', async () => {
  expect(
    await outcomes({ 'manual.info': 'a\n\u001f\nb\n' }, { 'manual.info': 'a\n\u001f\nb\n\u001f\nc\n' }),
  ).toEqual([])
  const two = { 'manual.info': 'a\n\u001f\nb\n\u001f\nc\n' }
  expect(await outcomes(two, { 'manual.info': 'a\n\u001f\nb \u001b[8m\n' })).toEqual([
    'manual.info:3 hidden-text/control',
  ])
})

test('a word of two scripts is what a test tries out', async () => {
  expect(await outcomes({ 'a.md': 'a\n' }, { 'test/names.test.ts': `refuses('p\u0430ssword')\n` })).toEqual(
    [],
  )
})

test('colours of text for a terminal are no secret, what conceals is', async () => {
  expect(
    await outcomes(
      { 'a.md': 'a\n' },
      {
        'data/moon': '\u001b[38;5;7m###\u001b[0m\n',
        'data/sun': '\u001b[1;8mhidden\u001b[0m\n',
      },
    ),
  ).toEqual(['data/sun:1 hidden-text/control'])
})

test('a test compares with coloured output; what conceals is told there too', async () => {
  const path = 'test/run.test.ts'
  const output = (code: string) => ({ [path]: `expect(text).toBe(\`\u001b[${code}mred\u001b[0m\`)\n` })
  expect(await outcomes({}, output('31'))).toEqual([])
  expect(await outcomes({}, output('8'))).toEqual([`${path}:1 hidden-text/control`])
})

test('what a tool writes on one long line keeps the characters that it had', async () => {
  const built = (name: string) => ({ 'build/all.js': `f("\u200b");${`${name}();`.repeat(300)}\n` })
  expect(await outcomes(built('one'), built('two'))).toEqual([])
  expect(await outcomes({}, built('two'))).toEqual(['build/all.js:1 hidden-text/zero-width'])
  const written = (name: string) => ({ 'src/all.js': `f("${name}\u200b")\n` })
  expect(await outcomes(written('one'), written('two'))).toEqual(['src/all.js:1 hidden-text/zero-width'])
})

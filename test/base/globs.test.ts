/** Globs as people know them, held against picomatch where both have an opinion; and none that takes long. */
import picomatch from 'picomatch'
import { expect, test } from 'vitest'
import { matchGlobs } from '../../src/base/globs.ts'

const paths = [
  ...[
    'a.ts',
    'b.ts',
    'a.test.ts',
    'ab.ts',
    '.env',
    '.github/workflows/ci.yml',
    'src/a.ts',
    'src/b/a.ts',
    'src',
  ],
  ...[
    'src/b/c/a.test.ts',
    'vendor/x/y.go',
    'docs/a b.md',
    'docs/[x].md',
    'a{b}.ts',
    'x+y.ts',
    'ä/漢.ts',
    'foo.js',
  ],
  ...['foo.jsx', 'foo.tsx', 'lib/a1.js', 'lib/a2.js', 'lib/ab.js', 'LICENSE', 'a/b/c/d/e.ts'],
]

test.each([
  ...['*', '**', '*.ts', '**/*.ts', 'src/**', 'src/**/a.ts', '**/b/**', 'src/*', 'src/*/a.ts', '*.{ts,js}'],
  ...['**/*.test.*', '**/{a,b}.ts', 'foo.{js,ts}x', 'lib/a[0-9].js', 'a?.ts', '?.ts', '.*'],
  ...['.github/**', 'docs/\\[x\\].md', 'docs/* *.md', '@(a|ab).ts', '+(a|b).ts', '?(a)b.ts', '*(a|b).ts'],
  ...[
    './a.ts',
    'LICENSE',
    'x+y.ts',
    'ä/*',
    'a/**/e.ts',
    '**/d/*',
    '{src,lib}/**',
    '{src/{a,b/a},lib/*}.ts',
    '!*.ts',
  ],
])('%s matches as in picomatch', (glob) => {
  const [ours, theirs] = [matchGlobs([glob]), picomatch(glob, { dot: true })]
  expect(paths.filter(ours)).toEqual(paths.filter((path) => theirs(path)))
})

test('what picomatch sees otherwise', () => {
  expect(paths.filter(matchGlobs(['lib/a[!0-9].js']))).toEqual(['lib/ab.js'])
  expect(matchGlobs(['**/*.ts'])('a/new\nline.ts')).toBe(true)
})

test('several globs match what one of them matches; none match nothing', () => {
  expect(paths.filter(matchGlobs(['*.go', 'docs/**']))).toEqual(['docs/a b.md', 'docs/[x].md'])
  expect(paths.filter(matchGlobs([]))).toEqual([])
})

test.each(['[', '{a', 'a)', '(', '[]', '\\', '+(', '{a,b', '[z-a]', '{'.repeat(2_000), '{a,'.repeat(300)])(
  'an odd glob does no harm: %s',
  (glob) => {
    expect(() => matchGlobs([glob, '*.go'])('vendor/x.go')).not.toThrow()
    expect(matchGlobs([glob, '*.md'])('README.md')).toBe(true)
  },
)

test('a glob made to be slow is not', () => {
  const path = `${'a'.repeat(50_000)}/${'a/'.repeat(10_000)}`
  const slow = ['*a*a*a*a*a*a*a*b', '**/a/**/a/**/a/**/a/**/b', '+(a|aa|aaa)+(a|aa)b', '*(*(*(*(a))))b']
  expect(matchGlobs(slow)(path)).toBe(false)
})

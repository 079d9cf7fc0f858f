/** What paths say of which files belong together, and what all signals say together. */
import { expect, test } from 'vitest'
import { fuseSignals } from '../../bench/related/fuse-signals.ts'
import { readPathSignal, stemOf } from '../../bench/related/path-signal.ts'

test('paths: a test and its source have one stem, and common names have none', () => {
  expect(['src/url.test.ts', 'tests/test_url.py', 'UrlTests.java'].map(stemOf)).toEqual(['url', 'url', 'url'])
  const tree = ['src/url.ts', 'test/url.test.ts', 'src/other.ts', 'a/index.ts', 'b/index.ts', 'z/zebra.md']
  const scores = readPathSignal(tree, ['src/url.ts'])
  expect([...scores].sort((a, b) => b[1] - a[1])[0]?.[0]).toBe('test/url.test.ts')
  expect(scores.has('src/url.ts')).toBe(false)
  expect(scores.has('z/zebra.md')).toBe(false)
  expect(readPathSignal(tree, ['a/index.ts']).get('b/index.ts') ?? 0).toBeLessThan(0.6)
})

test('fused: weighted shares of the strongest kept file, equal ones in path order', () => {
  const signals = {
    direct: new Map([
      ['gone', 9],
      ['a', 4],
      ['b', 2],
    ]),
    path: new Map([
      ['b', 1],
      ['c', 1],
    ]),
  }
  const files = fuseSignals(signals, (path) => path !== 'gone', { direct: 1, path: 0.5 })
  expect(files.map(({ path, score }) => [path, score])).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', 0.5],
  ])
  expect(files[1]?.shares).toEqual({ direct: 0.5, path: 1 })
})

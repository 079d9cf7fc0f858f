/** Old and new values, read off changed lines. */
import { expect, test } from 'vitest'
import type { DiffLine } from '../../../src/domain/change-set.ts'
import { lineHash } from '../../../src/domain/line-tag.ts'
import { changedValues } from '../../../src/pipeline/conclude/changed-values.ts'
import { summarise } from '../../../src/pipeline/conclude/summary.ts'
import { contextWith, fileChange } from './parts.ts'

/** Lines that begin with `-`, `+` or a space. */
function change(path: string, diff: string, role: 'source' | 'test' | 'config' = 'source') {
  let [old, now] = [0, 0]
  const lines: DiffLine[] = diff.split('\n').map((line) => {
    const kind = line.startsWith('-') ? 'removed' : line.startsWith('+') ? 'added' : 'context'
    const text = line.slice(1)
    if (kind !== 'added') old++
    if (kind !== 'removed') now++
    return {
      kind,
      old: kind === 'added' ? null : old,
      new: kind === 'removed' ? null : now,
      text,
      hash: lineHash(text),
    }
  })
  const hunk = { oldStart: 1, oldLines: old, newStart: 1, newLines: now, section: '', lines }
  return fileChange(path, { role, hunks: [hunk] })
}

const values = (diff: string) =>
  changedValues([change('a', diff)]).map(({ name, before, after }) => `${name}: ${before} > ${after}`)

test.each([
  ['-const limit = 30\n+const limit = 60', 'limit: 30 > 60'],
  ['-  timeout: 1000, // ms\n+  timeout: 1500, // ms', 'timeout: 1000 > 1500'],
  ['-    "undici": "7.30.1",\n+    "undici": "7.30.2",', 'undici: 7.30.1 > 7.30.2'],
  ['-\tgithub.com/a/b v1.2.3\n+\tgithub.com/a/b v1.3.0', 'github.com/a/b: v1.2.3 > v1.3.0'],
  ['-      - uses: actions/checkout@v4\n+      - uses: actions/checkout@v5', 'actions/checkout: v4 > v5'],
  ['-  "license": "MIT",\n+  "license": "AGPL-3.0",', 'license: MIT > AGPL-3.0'],
  ['-requests>=2.1\n+requests>=2.3', 'requests: 2.1 > 2.3'],
  ['-strict = true\n+strict = false', 'strict: true > false'],
  ["-mode = 'fast'\n+mode = 'safe'", 'mode: fast > safe'],
  ['-retry(3)\n+retry(5)', 'retry: 3 > 5'],
  [
    `-  uses: a/b@${'a'.repeat(40)} # v1.0.0\n+  uses: a/b@${'b'.repeat(40)} # v1.1.0`,
    'a/b: v1.0.0 > v1.1.0',
  ],
])('one value for another: %#', (diff, expected) => {
  expect(values(diff)).toEqual([expected])
})

test.each([
  ['-const a = 1\n+const b = 2'],
  ['-return left\n+return right'],
  ['-# limit is 30\n+# limit is 60'],
  ['-a = 1\n+a = 1 + b'],
  ['-a = 1\n+a = 2\n+b = 3'],
  ['-x = "see the old text; of a message"\n+x = "see the new text; of a message"'],
])('nothing where more than a value changed: %#', (diff) => {
  expect(values(diff)).toEqual([])
})

test('the summary tells each replacement once, and none of tests', () => {
  const files = [
    change(
      '.github/workflows/a.yml',
      '-  x: a/b@v1\n+  x: a/b@v2\n   y\n-  x: a/b@v1\n+  x: a/b@v2',
      'config',
    ),
    change('src/a.ts', '-const limit = 30\n+const limit = 60'),
    change('test/a.test.ts', '-const other = 1\n+const other = 2', 'test'),
  ]
  expect(summarise(contextWith({ files }), [])).toContain(
    'Values: `a/b` `v1` → `v2` (2 times); `limit` `30` → `60` (`src/a.ts:1`).',
  )
})

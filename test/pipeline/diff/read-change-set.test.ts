/** Patches as git prints them and as nobody should: every file is kept, and what is wrong with it is said. */
import { expect, test } from 'vitest'
import { lineHash } from '../../../src/domain/line-tag.ts'
import type { RawFileDiff } from '../../../src/hosts/contract.ts'
import { type ChangeSettings, readChangeSet } from '../../../src/pipeline/diff/read-change-set.ts'
import { memorySnapshot, type Texts } from '../../helpers/in-memory/change.ts'

function rawFile(patch: string | Uint8Array | null, rest: Partial<RawFileDiff> = {}): RawFileDiff {
  return {
    path: 'a.ts',
    oldPath: null,
    status: 'M',
    similarity: null,
    oldMode: '100644',
    newMode: '100644',
    oldBlob: '1'.repeat(40),
    newBlob: '2'.repeat(40),
    added: 1,
    removed: 1,
    patch: typeof patch === 'string' ? Buffer.from(patch) : patch,
    omitted: null,
    ...rest,
  }
}

async function readFiles(files: RawFileDiff[], settings: Partial<ChangeSettings> = {}, base: Texts = {}) {
  const all = { exclude: [], generated: [], tests: [], base: memorySnapshot(base), ...settings }
  return (await readChangeSet({ files, overflow: [] }, all)).files
}

async function readOne(file: RawFileDiff, settings: Partial<ChangeSettings> = {}, base: Texts = {}) {
  const [read] = await readFiles([file], settings, base)
  if (!read) throw new Error('the file was dropped')
  return read
}

const header = 'diff --git a/a.ts b/a.ts\nindex 1..2 100644\n--- a/a.ts\n+++ b/a.ts\n'

test('lines carry numbers, texts and hashes; the section is kept', async () => {
  const file = await readOne(
    rawFile(`${header}@@ -3,3 +5,3 @@ function f() {\n one\r\n-two\n+t\u2028w\u000bo\n three\n`),
  )
  expect(file.omitted).toBeNull()
  expect(file.hunks).toEqual([
    {
      ...{ oldStart: 3, oldLines: 3, newStart: 5, newLines: 3, section: 'function f() {' },
      lines: [
        { kind: 'context', old: 3, new: 5, text: 'one\r', hash: lineHash('one\r') },
        { kind: 'removed', old: 4, new: null, text: 'two', hash: lineHash('two') },
        { kind: 'added', old: null, new: 6, text: 't\u2028w\u000bo', hash: lineHash('t\u2028w\u000bo') },
        { kind: 'context', old: 5, new: 7, text: 'three', hash: lineHash('three') },
      ],
    },
  ])
})

test('an empty side keeps the numbers that git writes', async () => {
  const added = await readOne(rawFile(`${header}@@ -0,0 +1 @@\n+one\n`, { removed: 0 }))
  expect(added.hunks).toMatchObject([{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 1 }])
  const removed = await readOne(rawFile(`${header}@@ -7 +6,0 @@\n-one\n`, { added: 0 }))
  expect(removed.hunks).toMatchObject([{ oldStart: 7, oldLines: 1, newStart: 6, newLines: 0 }])
})

test('a byte order mark stays in the text', async () => {
  const file = await readOne(rawFile(`${header}@@ -1 +1 @@\n-one\n+\ufeffone\n`))
  expect(file.hunks[0]?.lines[1]?.text).toBe('\ufeffone')
})

test('only lines make a text lossy, not a section cut within a character', async () => {
  const cut = Buffer.concat([
    Buffer.from(`${header}@@ -1 +1 @@ // naï`).subarray(0, -1),
    Buffer.from('\n-a\n+b\n'),
  ])
  const file = await readOne(rawFile(cut))
  expect(file).toMatchObject({ omitted: null, hunks: [{ section: '// na' }] })
  expect(file.lossyText).toBeUndefined()
  const latin = Buffer.from(`${header}@@ -1 +1 @@\n-caf\xe9\n+th\xe9\n`, 'latin1')
  expect(await readOne(rawFile(latin))).toMatchObject({ omitted: null, lossyText: true })
})

test.each([
  ['fewer lines than the header says', `${header}@@ -1,2 +1,2 @@\n-one\n+two\n`],
  ['a side that the header gives a line and the hunk does not', `${header}@@ -1 +1 @@\n+two\n`],
  ['more lines than the header says', `${header}@@ -1 +1 @@\n-one\n+two\n+three\n`],
  ['a line without a sign', `${header}@@ -1,2 +1,2 @@\n-one\n+two\nthree\n`],
  ['a header without numbers', `${header}@@ one two @@\n-one\n+two\n`],
  ['a number beyond all files', `${header}@@ -${'9'.repeat(20)} +1 @@\n-one\n+two\n`],
  ['one header line and not the other', '--- a/a.ts\n@@ -1 +1 @@\n-one\n+two\n'],
])('a patch with %s is kept out, and the file stays', async (_what, patch) => {
  const file = await readOne(rawFile(patch))
  expect(file.omitted).toMatch(/^the patch (could not be read|has \+)/)
  expect(file).toMatchObject({ path: 'a.ts', hunks: [], added: 1, removed: 1 })
})

test('a patch that differs from the count of git says so and keeps what was read', async () => {
  const file = await readOne(rawFile(`${header}@@ -1 +1 @@\n-one\n+two\n`, { added: 2 }))
  expect(file.omitted).toBe('the patch has +1 −1 lines, git counts +2 −1')
  expect(file.hunks).toHaveLength(1)
})

test('the names come from git, whatever the patch says', async () => {
  const patch = 'diff --git a/evil b/evil\n--- a/evil\n+++ b/evil\n@@ -1 +1 @@\n-one\n+two\n'
  const renamed = { path: 'b "x".ts', oldPath: 'ä.ts', status: 'R', similarity: 90 }
  expect(await readOne(rawFile(patch, renamed))).toMatchObject({ ...renamed, status: 'renamed' })
})

test('what the source left out stays left out, and why', async () => {
  expect(await readOne(rawFile(null, { omitted: 'its object is missing' }))).toMatchObject({
    kind: 'text',
    omitted: 'its object is missing',
  })
})

test.each([
  [{ oldMode: '160000', newMode: '160000' }, 'submodule', null],
  [{ oldMode: '100644', newMode: '120000', status: 'T' }, 'symlink', null],
  [
    { path: 'a.png', added: null, removed: null, patch: Buffer.from('Binary files a and b differ\n') },
    'binary',
    null,
  ],
  [{ patch: new Uint8Array(), added: 0, removed: 0, newMode: '100755' }, 'text', 'typescript'],
])('%o is a %s', async (rest, kind, language) => {
  expect(await readOne(rawFile(new Uint8Array(), rest))).toMatchObject({ kind, language, hunks: [] })
})

test('a binary file is no source, unless its name says that it is code', async () => {
  const binary = { added: null, removed: null, patch: Buffer.from('Binary files a and b differ\n') }
  expect(await readOne(rawFile(null, { ...binary, path: 'bin/tool' }))).toMatchObject({ role: 'data' })
  expect(await readOne(rawFile(null, { ...binary, path: 'src/a.ts' }))).toMatchObject({ role: 'source' })
})

test('a translation of Qt has the ending of TypeScript and no language', async () => {
  const xml = '<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS>\none\n'
  const later = await readOne(rawFile(`${header}@@ -4 +4 @@\n-one\n+two\n`), {}, { 'a.ts': xml })
  const added = rawFile(`${header}@@ -0,0 +1 @@\n+<?xml version="1.0"?>\n`, { added: 1, removed: 0 })
  expect([later.language, (await readOne(added)).language]).toEqual([null, null])
})

test('of an excluded file only hunks with a secret or a hidden character are kept', async () => {
  const patch = `${header}@@ -1 +1 @@\n-one\n+two\n@@ -9 +9 @@\n-nine\n+ni\u200bne\n@@ -20 +20 @@\n-a\n+key\n`
  const secrets = [{ line: 20, kind: 'GitHub token', certain: true }]
  const file = await readOne(rawFile(patch, { secrets, added: 3, removed: 3 }), { exclude: ['*.ts'] })
  expect(file).toMatchObject({ role: 'excluded', omitted: 'excluded by the configuration' })
  expect(file?.hunks.map(({ newStart }) => newStart)).toEqual([9, 20])
  const unread = rawFile(new Uint8Array(), { omitted: 'larger than 1 MB' })
  expect(await readOne(unread, { exclude: ['*.ts'] })).toMatchObject({ omitted: 'larger than 1 MB' })
})

test('a change too large for memory keeps its code first', async () => {
  const patch = `${header}@@ -1 +1 @@\n-one\n+two\n`
  const files = [
    rawFile(patch, { path: 'package-lock.json' }),
    rawFile(patch),
    rawFile(patch, { path: 'b.ts' }),
  ]
  const short = 'the change is too large to be read whole'
  const byLines = await readFiles(files, { limits: { lines: 4, bytes: 10_000 } })
  expect(byLines.map(({ omitted }) => omitted)).toEqual([short, null, null])
  const byBytes = await readFiles(files, { limits: { lines: 100, bytes: patch.length } })
  expect(byBytes.map(({ omitted }) => omitted)).toEqual([short, null, short])
})

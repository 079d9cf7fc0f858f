/** What a run read serves the same run again, and nothing else. */
import { expect, test } from 'vitest'
import { entriesBelow } from '../../../src/domain/snapshot.ts'
import { recordChange } from '../../../src/hosts/recorded/record-change.ts'
import { replayChange } from '../../../src/hosts/recorded/replay-change.ts'
import { createRepo } from '../../helpers/git-repo.ts'
import { collect } from '../collecting.ts'

const commit = { kind: 'commit', commit: 'HEAD' } as const

async function recorded() {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'one\n', 'gone.ts': 'x\n' })
  repo.commit({ 'a.ts': 'one\ntwo\n', 'blob.bin': Buffer.from([0, 1, 255]), 'ä b.ts': 'name\n' })
  return recordChange(await collect(repo.path, commit))
}

test('everything that was read is read again, byte for byte', async () => {
  const { change, reads } = await recorded()
  const ask = async (from: typeof change) => ({
    request: from.request,
    diff: (await from.diff()).files.map((file) => ({
      ...file,
      patch: file.patch && Buffer.from(file.patch).toString('hex'),
    })),
    list: await from.head.list(),
    entries: [await from.head.entry('a.ts'), await from.head.entry('none')],
    read: [await from.base.read('a.ts'), await from.head.read('none'), await from.head.read('blob.bin')],
    many: [...(await from.head.readMany(['a.ts', 'none', 'ä b.ts']))],
    words: [...(await from.head.filesWithWords(['two', 'nowhere']))],
    history: await from.history.recent(10),
  })
  const first = await ask(change)
  const again = replayChange(reads())
  expect(await ask(again)).toEqual(first)
  expect(again.head.tree).toBe(change.head.tree)
  await again.close()
})

test('what was not read is refused, not guessed', async () => {
  const { change, reads } = await recorded()
  await change.head.read('a.ts')
  const again = replayChange(reads())
  for (const ask of [
    () => again.diff(),
    () => again.head.list(),
    () => again.head.entry('a.ts'),
    () => again.head.read('constructor'),
    () => again.head.readMany(['a.ts', 'b.ts']),
    () => again.head.filesWithWords(['two']),
    () => again.history.recent(5),
  ])
    await expect(ask()).rejects.toThrow(/the run did not read/)
})

test('reads of another form are refused, and say why', () => {
  // Damage shows in their hash before anybody reads them; what is left is another form.
  for (const reads of ['', '{}', 'null', '{"request":1}'])
    expect(() => replayChange(reads)).toThrow('another version of Sightline wrote it')
})

test('a file and a word may be called __proto__, and bytes that are no UTF-8 come back', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'one\n' })
  repo.commit({
    ['__proto__']: 'x\n',
    constructor: '__proto__ constructor\n',
    'l1.txt': Buffer.from('caf\xe9\n', 'latin1'),
  })
  const change = await collect(repo.path, commit)
  const { change: recorded, reads } = recordChange(change)
  const names = ['__proto__', 'constructor', 'l1.txt']
  const ask = async (from: typeof change) => ({
    read: [...(await from.head.readMany(names))],
    entry: await from.head.entry('__proto__'),
    words: [...(await from.head.filesWithWords(['__proto__', 'constructor', 'toString']))].sort(),
    patches: (await from.diff()).files.map(({ patch }) => patch && Buffer.from(patch).toString('hex')),
  })
  const first = await ask(recorded)
  expect(first.read).toHaveLength(3)
  expect(await ask(replayChange(reads()))).toEqual(first)
})

test('a read that failed fails again in the same words', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'one\n' })
  const many = Array.from({ length: 101 }, (_, at) => [`data/${at % 9}/${at}.txt`, `${at}\n`])
  repo.commit(Object.fromEntries(many))
  const { change, reads } = recordChange(await collect(repo.path, commit, { treeEntries: 100 }))
  const tell = async (from: typeof change) => {
    const asked = [from.head.list(), from.head.filesWithWords(['one', 'two'])]
    return (await Promise.allSettled<unknown>(asked)).map((answer) =>
      answer.status === 'rejected' ? `${answer.reason.code}: ${answer.reason.message}` : 'answered',
    )
  }
  const first = await tell(change)
  expect(first).toEqual(Array(2).fill(expect.stringMatching(/^[a-z-]+: more than 100 files and folders$/)))
  expect(await tell(replayChange(reads()))).toEqual(first)
})

test('a folder that was listed alone is listed again, also by a record that has the whole tree', async () => {
  const repo = createRepo()
  repo.commit({ 'rules/a.yaml': 'a\n', 'rules/in/b.yaml': 'b\n', 'rules-old/c.yaml': 'c\n', 'd.ts': 'd\n' })
  const alone = recordChange(await collect(repo.path, commit))
  const found = await entriesBelow(alone.change.head, 'rules')
  expect(found.map(({ path }) => path)).toEqual(['rules/a.yaml', 'rules/in/b.yaml'])
  const again = replayChange(alone.reads()).head
  expect(await entriesBelow(again, 'rules')).toEqual(found)
  await expect(entriesBelow(again, 'rules-old')).rejects.toThrow(/the run did not read the list of rules-old/)
  const whole = recordChange(await collect(repo.path, commit))
  await whole.change.head.list()
  expect(await entriesBelow(replayChange(whole.reads()).head, 'rules')).toEqual(found)
})

/** The self-contained set: large enough, the same each time, and true to what it says of itself. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operators } from '../../evals/mutants/registry.ts'
import { readChangedLines } from '../../evals/repositories/changed-lines.ts'
import { buildWorlds } from '../../evals/worlds/build-worlds.ts'
import { parseWorld } from '../../evals/worlds/parse-world.ts'
import { readWorlds } from '../../evals/worlds/read-worlds.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'

test('at least 100 faults of all kinds, each beside its clean twin, and 30 clean changes', async () => {
  const mirrors = temporaryFolder()
  const cases = await buildWorlds(readWorlds(), mirrors, 7)
  const clean = new Map(cases.filter(({ kind }) => kind === 'clean').map((one) => [one.id, one]))
  const faulty = cases.filter(({ kind }) => kind === 'fault')
  expect(clean.size).toBeGreaterThanOrEqual(30)
  expect(faulty.length).toBeGreaterThanOrEqual(100)
  expect([...new Set(faulty.map(({ source }) => source))].sort()).toEqual(
    operators.map(({ name }) => name).sort(),
  )
  expect(new Set(cases.map(({ language }) => language)).size).toBe(5)
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
  expect(cases.every(({ base, head }) => /^[0-9a-f]{40}$/.test(base) && /^[0-9a-f]{40}$/.test(head))).toBe(
    true,
  )
  for (const one of faulty) {
    const twin = clean.get(one.twin ?? '')
    expect(twin?.base, one.id).toBe(one.base)
    expect(twin?.head, one.id).not.toBe(one.head)
  }
  // The fault, or one of the places that are as good, lies in the difference to the clean twin.
  for (const one of faulty.filter((_, at) => at % 6 === 0)) {
    const folder = join(mirrors, one.repo.replace('/', '+'), 'repo')
    const changed = await readChangedLines(folder, one.base, one.head)
    const places = one.expected.flatMap(({ place, also }) => (place ? [place, ...also] : also))
    const near = places.some(({ file, start, side }) =>
      changed
        .filter(({ path }) => path === file)
        .flatMap(({ hunks }) => hunks)
        .some(({ newStart, newEnd, oldStart, oldEnd }) =>
          side === 'right' ? start >= newStart && start <= newEnd : start >= oldStart && start <= oldEnd,
        ),
    )
    expect(near, one.id).toBe(true)
  }
})

test('the same seed gives the same commits, another seed other ones', async () => {
  const worlds = readWorlds().slice(0, 2)
  const heads = async (seed: number) =>
    (await buildWorlds(worlds, temporaryFolder(), seed)).map(({ head }) => head)
  const first = await heads(7)
  expect(await heads(7)).toEqual(first)
  expect(await heads(8)).not.toEqual(first)
})

test('a world whose edits do not fit is refused', () => {
  const world = (edit: string) =>
    `*** start A\n--- a.txt\none\ntwo\n*** change B\n--- a.txt (edit)\n<<<\n${edit}\n===\nthree\n>>>\n`
  expect(parseWorld('w', world('two')).commits[1]?.files.get('a.txt')).toBe('one\nthree\n')
  expect(() => parseWorld('w', world('four'))).toThrow('not there once')
  expect(() => parseWorld('w', '*** start A\n--- a.txt (edit)\n<<<\nx\n===\ny\n>>>\n')).toThrow(
    'before it is there',
  )
})

/** A stranger's work tree that somebody only looks at: nothing in its base speaks to the review. */
import { expect, test } from 'vitest'
import { defaultConfig } from '../../../src/config/schema.ts'
import { hideInstructions } from '../../../src/hosts/masked/hide-instructions.ts'
import { createRepo } from '../../helpers/git-repo.ts'
import { collect } from '../collecting.ts'

test('configuration, rules and memory of the base are not there, whichever way they are asked for; the rest is', async () => {
  const repo = createRepo()
  const own = { '.sightline.yaml': 'rules: []\n', '.sightline/memory.md': 'Trust me.\n' }
  repo.commit({ ...own, 'a.ts': 'one\n', 'src/b.ts': 'two\n', 'src/.sightline.yaml': 'x\n' })
  repo.commit({ 'a.ts': 'one\none\n' })
  const open = await collect(repo.path, { kind: 'commit', commit: 'HEAD' })
  const { base, head, diff } = await hideInstructions({ collect: async () => open }).collect(
    {} as never,
    new AbortController().signal,
  )
  const pathsOf = (entries: readonly { path: string }[]) => entries.map(({ path }) => path).sort()
  const shown = ['a.ts', 'src/.sightline.yaml', 'src/b.ts']
  expect(base.tree).toBe(open.base.tree)
  expect(pathsOf(await base.list())).toEqual(shown)
  expect(pathsOf((await base.listBelow?.('src')) ?? [])).toEqual(shown.slice(1))
  expect(await base.listBelow?.('.sightline')).toEqual([])
  for (const path of Object.keys(own)) {
    expect([await base.entry(path), await base.read(path)]).toEqual([null, null])
    expect(await open.base.read(path)).not.toBeNull()
  }
  expect(await base.entry('a.ts')).toMatchObject({ path: 'a.ts' })
  expect((await base.read('a.ts'))?.text).toBe('one\n')
  expect([...(await base.readMany(['a.ts', ...Object.keys(own)])).keys()]).toEqual(['a.ts'])
  expect((await base.filesWithWords(['two'])).get('two')).toEqual(['src/b.ts'])
  expect((await base.filesWithWordsAmong?.(['two'], ['a.ts', 'src/b.ts']))?.get('two')).toEqual(['src/b.ts'])
  expect(pathsOf((await base.changesSince?.(head.tree, 10)) ?? [])).toEqual(['a.ts'])
  // What the change itself writes there is looked at like any other file.
  expect(await head.read('.sightline.yaml')).not.toBeNull()
  expect((await diff()).files.map(({ path }) => path)).toEqual(['a.ts'])
})

test('what a tree knows about itself stays its own', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'one\n' })
  const open = await collect(repo.path, { kind: 'commit', commit: 'HEAD' })
  const base = {
    ...open.base,
    found: new Map([['one', ['a.ts']]]),
    differences: [],
    large: ['big.txt'],
    async filesWithWordsAmong() {
      return this.found
    },
    async largeFilesWithWords() {
      return this.large
    },
    async changesSince() {
      return this.differences
    },
  }
  const hidden = await hideInstructions({ collect: async () => ({ ...open, base }) }).collect(
    {} as never,
    new AbortController().signal,
  )
  expect(await hidden.base.filesWithWordsAmong?.(['one'], ['a.ts'])).toBe(base.found)
  expect(await hidden.base.changesSince?.('', 1)).toBe(base.differences)
  expect(await hidden.base.largeFilesWithWords?.(['one'])).toBe(base.large)
  const narrow = await hidden.within?.(defaultConfig.limits)
  expect(await narrow?.base.entry('.sightline.yaml')).toBeNull()
  const { within: _, ...fixed } = { ...open, base: { ...open.base } }
  delete fixed.base.filesWithWordsAmong
  delete fixed.base.changesSince
  const alone = await hideInstructions({ collect: async () => fixed }).collect(
    {} as never,
    new AbortController().signal,
  )
  const { filesWithWordsAmong, changesSince } = alone.base
  expect([alone.within, filesWithWordsAmong, changesSince]).toEqual([undefined, undefined, undefined])
})

/** Functions and types defined inside a function: their names are local there, and are they all the same. */
import { expect, test } from 'vitest'
import { findReferences } from '../../../src/code-index/query/references.ts'
import { edges, target, treeOf } from '../query/open-repo.ts'

const lines = async (files: Record<string, string>, asked: string): Promise<string[]> => {
  const tree = await treeOf(files)
  return edges(await findReferences(tree, await target(tree, asked)))
}

test('a function inside a function is used there by name', async () => {
  const text = `def outer(seen):
    def inner(x):
        return x
    if seen:
        return inner
    return [inner(1), inner]
`
  expect(await lines({ 'a.py': text }, 'a.py:2')).toEqual([
    'a.py:5 read same file 1 in outer',
    'a.py:6 call same file 1 in outer',
    'a.py:6 read same file 1 in outer',
  ])
})

test('a class inside a function too, but not where a parameter has its name', async () => {
  const text = `export function outer() {
  class Item {}
  function take(Item: string) {
    return Item
  }
  return [new Item(), take, Item]
}
`
  expect(await lines({ 'a.ts': text }, 'a.ts:2')).toEqual([
    'a.ts:6 call same file 1 in outer',
    'a.ts:6 read same file 1 in outer',
  ])
})

test('nor where something else is assigned to the name', async () => {
  const text = `def outer():
    def name():
        return 1
    def other():
        name = 2
        return name
    return other
`
  expect(await lines({ 'a.py': text }, 'a.py:2')).toEqual([])
})

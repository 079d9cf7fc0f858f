/** Keys of literals and attributes of JSX in TypeScript belong to the type that is expected where they are written. */
import { expect, test } from 'vitest'
import { findReferences } from '../../../src/code-index/query/references.ts'
import { edges, target, treeOf } from '../query/open-repo.ts'

const files = {
  'src/options.ts':
    'export interface Inner {\n  depth: number\n}\nexport interface Options {\n  retries: number\n  inner?: Inner\n}\nexport interface Other {\n  retries: number\n}\nexport function open(path: string, options: Options): void {}\n',
  'src/use.ts':
    "import { type Options, open } from './options'\n\nexport const plain: Options = { retries: 1, inner: { depth: 2 } }\n\nexport function make(): Options {\n  return { retries: 3 }\n}\n\nopen('a', { retries: 4 })\nunknownCall({ retries: 5 })\nconst loose = { retries: 6 }\n",
  'src/view.tsx':
    "import type { Options } from './options'\n\nfunction View(props: Options) {\n  return null\n}\n\nexport const shown = <View retries={7} />\n",
}

test('of a declared variable, a declared result, the parameter of a call, a component', async () => {
  const tree = await treeOf(files)
  const found = edges(await findReferences(tree, await target(tree, 'src/options.ts:5')))
  expect(found).toEqual([
    'src/use.ts:3 property receiver type 0.9 in plain',
    'src/use.ts:6 property receiver type 0.9 in make',
    'src/use.ts:9 property receiver type 0.9',
    'src/view.tsx:7 property receiver type 0.9 in shown',
  ])
  const nested = edges(await findReferences(tree, await target(tree, 'src/options.ts:2')))
  expect(nested).toEqual(['src/use.ts:3 property receiver type 0.9 in plain'])
})

test('never of another type that has the name, nor where no type is expected', async () => {
  const tree = await treeOf(files)
  expect(edges(await findReferences(tree, await target(tree, 'src/options.ts:9')))).toEqual([])
})

/** The files of a repository as the resolvers of the code index see them. */
import { oncePer } from '../../base/remembered.ts'
import type { World } from '../../code-index/resolve/contract.ts'
import { openWorld } from '../../code-index/resolve/world.ts'
import type { SourceTree } from '../contract.ts'

/** The same for every question about one tree. */
export const worldOf = oncePer(openTreeWorld)

/** A tree knows no blobs: it has read and parsed each file once. */
function openTreeWorld(tree: SourceTree): Promise<World> {
  return openWorld(
    {
      list: async () => (await tree.paths()).map((path) => ({ path, mode: '100644', blob: '', size: null })),
      readMany: async (paths) =>
        new Map((await tree.read(paths)).map(({ path, text }) => [path, { text, blob: '', lossy: false }])),
    },
    {
      facts: async (files) => {
        const read = await tree.read(files.map(({ path }) => path))
        return new Map(read.flatMap(({ path, facts }) => (facts ? [[path, facts]] : [])))
      },
    },
    [],
  )
}

/** Where the indexes of trees lie in the cache folder: one folder for each version, in it one for each repository. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { IndexFolder } from './index-folder.ts'
import { StoredTrees } from './stored-trees.ts'
import { versionFolder } from './version.ts'

export const treesFolder = 'trees'

/** `repository`: what tells it from others, such as its place on disk. */
export function repositoryFolder(cacheFolder: string, repository: string, now?: () => number): IndexFolder {
  const name = createHash('sha256').update(repository).digest('hex').slice(0, 24)
  return new IndexFolder(join(cacheFolder, treesFolder, versionFolder, name), now)
}

/** Null without a cache folder: then everything stays in memory. */
export function openStoredTrees(
  cacheFolder: string | null,
  repository: string,
  now?: () => number,
): StoredTrees | null {
  return cacheFolder === null ? null : new StoredTrees(repositoryFolder(cacheFolder, repository, now))
}

/** What the changed files said of themselves before the change, read a few at a time so that memory stays small. */
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { RawFileDiff } from '../../hosts/contract.ts'
import { type BaseTraits, isNamedAside, traitsOf } from './file-role.ts'

const filesAtOnce = 50

/** Files that were not there before, that are copies (a new file inherits no mark), or whose path says it all are left out. */
export async function readBaseTraits(
  files: readonly RawFileDiff[],
  base: RepoSnapshot,
): Promise<Map<RawFileDiff, BaseTraits>> {
  const wanted = files.filter(
    (file) =>
      file.oldBlob !== null && file.status !== 'C' && isFile(file.oldMode) && !isNamedAside(file.path),
  )
  const traits = new Map<RawFileDiff, BaseTraits>()
  for (let at = 0; at < wanted.length; at += filesAtOnce) {
    const some = wanted.slice(at, at + filesAtOnce)
    const texts = await base.readMany(some.map(pathAtBase))
    for (const file of some) {
      const text = texts.get(pathAtBase(file))?.text
      if (text !== undefined) traits.set(file, traitsOf(text))
    }
  }
  return traits
}

function isFile(mode: string | null): boolean {
  return mode?.startsWith('100') ?? false
}

function pathAtBase(file: RawFileDiff): string {
  return file.oldPath ?? file.path
}

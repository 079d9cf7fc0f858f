/**
 * A change of a repository that has no say in its own review: what its base holds for Sightline (configuration, rules, memory,
 * dismissals of the team) is not there. For work trees of strangers that a person only looks at.
 */
import { configFileNames } from '../../config/file-names.ts'
import { entriesBelow, type RepoSnapshot } from '../../domain/snapshot.ts'
import type { ChangeSource, CollectedChange } from '../contract.ts'

/** Nothing is read of its work tree but the change itself: no reports of linters either. */
export function hideInstructions(source: ChangeSource): ChangeSource {
  return { collect: async (limits, signal) => withoutSay(await source.collect(limits, signal)) }
}

function withoutSay(change: CollectedChange): CollectedChange {
  const { within } = change
  return {
    ...change,
    base: hideIn(change.base),
    ...(within ? { within: async (limits) => withoutSay(await within.call(change, limits)) } : {}),
  }
}

function hideIn(base: RepoSnapshot): RepoSnapshot {
  const { changesSince, filesWithWordsAmong, largeFilesWithWords } = base
  const shown = <Entry extends { path: string }>(entries: readonly Entry[]) =>
    entries.filter(({ path }) => !isInstruction(path))
  return {
    tree: base.tree,
    list: async () => shown(await base.list()),
    listBelow: async (folder) => shown(await entriesBelow(base, folder)),
    entry: async (path) => (isInstruction(path) ? null : await base.entry(path)),
    read: async (path) => (isInstruction(path) ? null : await base.read(path)),
    readMany: (paths) => base.readMany(paths.filter((path) => !isInstruction(path))),
    filesWithWords: (words) => base.filesWithWords(words),
    ...(filesWithWordsAmong ? { filesWithWordsAmong: filesWithWordsAmong.bind(base) } : {}),
    ...(largeFilesWithWords ? { largeFilesWithWords: largeFilesWithWords.bind(base) } : {}),
    ...(changesSince ? { changesSince: changesSince.bind(base) } : {}),
  }
}

const own: readonly string[] = configFileNames

function isInstruction(path: string): boolean {
  return own.includes(path) || path.startsWith('.sightline/')
}

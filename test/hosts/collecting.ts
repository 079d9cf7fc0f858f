/** Short hands for the tests of local repositories. */
import { onTestFinished } from 'vitest'
import type { ChangeSelector, CollectedChange, RawFileDiff } from '../../src/hosts/contract.ts'
import { type CollectOptions, collectLocal } from '../../src/hosts/local/collect.ts'

export const defaultLimits = { changedFiles: 3000, fileBytes: 1_048_576, treeEntries: 1_000_000 }

/** Collects, and closes when the test ends. */
export async function collect(
  folder: string,
  selector: ChangeSelector,
  limits: Partial<CollectOptions['limits']> = {},
  borrowFrom: readonly string[] = [],
): Promise<CollectedChange> {
  const change = await collectLocal({ folder, selector, limits: { ...defaultLimits, ...limits }, borrowFrom })
  onTestFinished(() => change.close())
  return change
}

/** `M src/a.ts`, `R old → new`: what changed, one line each. */
export async function changesOf(change: CollectedChange): Promise<string[]> {
  return (await change.diff()).files.map(nameOf)
}

export function nameOf({ status, oldPath, path }: RawFileDiff): string {
  return oldPath === null ? `${status} ${path}` : `${status} ${oldPath} → ${path}`
}

export function patchText(file: RawFileDiff | undefined): string {
  return Buffer.from(file?.patch ?? []).toString('utf8')
}

/** Uses everything a collected change offers. */
export async function useAll(change: CollectedChange): Promise<void> {
  await change.diff()
  await change.history.recent(100)
  for (const side of [change.base, change.head]) {
    const entries = await side.list()
    await side.readMany(entries.map(({ path }) => path))
    await side.filesWithWords(['one', 'two'])
  }
}

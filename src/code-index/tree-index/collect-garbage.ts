/**
 * Removes what no snapshot used for thirty days: manifests by their stamps, then the segments that no manifest names.
 * Folders of earlier versions go as a whole when nothing in them was used for as long; those of newer ones stay.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { draftEnding } from '../../base/durable.ts'
import { IndexFolder, isOlderVersion, justWrittenMs, unusedForMs } from '../index-files/index-folder.ts'
import { StoredTrees, segmentEnding, treeOf, treesFolder, versionFolder } from './stored-trees.ts'

/** Collecting looks at every file, so questions do it no more often than this. */
const onceInMs = 24 * 3600 * 1000
const stampFile = 'collected'

export type Garbage = { removedFiles: number; removedBytes: number; keptFiles: number; keptBytes: number }

/** Does not throw: what cannot be removed stays. */
export function collectGarbage(cacheFolder: string, now: () => number = Date.now): Garbage {
  const garbage: Garbage = { removedFiles: 0, removedBytes: 0, keptFiles: 0, keptBytes: 0 }
  const trees = join(cacheFolder, treesFolder)
  for (const version of foldersIn(trees)) {
    const isOurs = version === versionFolder
    if (!isOurs && !(/^v\d/.test(version) && isOlderVersion(version, versionFolder))) continue
    for (const repository of foldersIn(join(trees, version))) {
      const path = join(trees, version, repository)
      if (isOurs) collectCurrent(new IndexFolder(path, now, { stamps: false }), now(), garbage)
      else collectEarlier(new IndexFolder(path, now, { stamps: false }), now(), garbage)
      removeIfEmpty(path)
    }
    removeIfEmpty(join(trees, version))
  }
  return garbage
}

/** As `collectGarbage`, unless that was done within the last day; then null. */
export function collectGarbageDaily(cacheFolder: string, now: () => number = Date.now): Garbage | null {
  const folder = new IndexFolder(join(cacheFolder, treesFolder), now)
  const last = folder.stat(stampFile)
  if (last && now() - last.usedMs < onceInMs) return null
  // Without a stamp every question would collect.
  if (folder.write(stampFile, new Uint8Array()) !== null) return null
  return collectGarbage(cacheFolder, now)
}

function collectCurrent(folder: IndexFolder, now: number, garbage: Garbage): void {
  const files = folder.list()
  const stored = new StoredTrees(folder)
  const used = files.flatMap(({ name, usedMs }) => (now - usedMs <= unusedForMs ? (treeOf(name) ?? []) : []))
  // A manifest may be a difference from one that was not asked for itself.
  const needed = new Set(used.flatMap((tree) => stored.filesOf(tree).map(({ name }) => name)))
  for (const file of files) {
    const isNew = now - file.usedMs <= justWrittenMs
    // Another process may be about to name a segment in a manifest that it has not written yet.
    const mayBeNamed = file.name.endsWith(segmentEnding) || file.name.endsWith(draftEnding)
    count(garbage, folder, file, needed.has(file.name) || (mayBeNamed && isNew))
  }
}

function collectEarlier(folder: IndexFolder, now: number, garbage: Garbage): void {
  const files = folder.list()
  const stays = files.some(({ usedMs }) => now - usedMs <= unusedForMs)
  for (const file of files) count(garbage, folder, file, stays)
}

function count(
  garbage: Garbage,
  folder: IndexFolder,
  file: { name: string; bytes: number },
  stays: boolean,
): void {
  if (stays) {
    garbage.keptFiles++
    garbage.keptBytes += file.bytes
    return
  }
  folder.remove(file.name)
  garbage.removedFiles++
  garbage.removedBytes += file.bytes
}

function foldersIn(path: string): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()
  } catch {
    return []
  }
}

function removeIfEmpty(path: string): void {
  try {
    if (readdirSync(path).length === 0) rmSync(path, { recursive: true })
  } catch {
    // Another process has just put something in.
  }
}

/** Reads and writes whole trees: a manifest, and the segments it names. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { factsVersion } from '../cache/facts-version.ts'
import { IndexFolder, nameFor, type StoredFile } from '../index-files/index-folder.ts'
import { NameSegment } from '../segments/name-segment.ts'
import {
  type DecodedManifest,
  type Difference,
  decodeManifest,
  encodeDifference,
  encodeWhole,
  type Manifest,
  readNeeds,
} from './manifest.ts'
import { type NamedSegment, TreeIndex } from './tree-index.ts'

/** Raise it with any change of what segments and manifests hold: the files of earlier versions are then not read. */
const formatVersion = 3

export const versionFolder = `v${formatVersion}-${factsVersion}`

const treeEnding = '.tree'
export const segmentEnding = '.words'

/**
 * `difference`: how it differs from the tree of a whole manifest; null when it is one itself. `isKept`: others may be
 * written as differences from it.
 */
export type StoredTree = { index: TreeIndex; difference: Difference | null; isKept: boolean }

export class StoredTrees {
  private readonly folder: IndexFolder
  private readonly opened = new Map<string, NameSegment>()
  /** Files that were not whole, each once. */
  readonly damaged: string[] = []

  constructor(folder: IndexFolder) {
    this.folder = folder
  }

  /** Trees whose manifests lie here, used last first. */
  recent(): string[] {
    return this.folder.list().flatMap(({ name }) => treeOf(name) ?? [])
  }

  /** A manifest of this tree lies here; whether it is whole, `read` tells. */
  has(tree: string): boolean {
    return this.folder.stat(`${tree}${treeEnding}`) !== null
  }

  /** Null when it is not here, or not whole. */
  read(tree: string): StoredTree | null {
    const found = this.manifest(tree)
    if (!found) return null
    const segments = this.segments(found.manifest.segments.map(({ name }) => name))
    if (segments.length < found.manifest.segments.length) return null
    return { index: new TreeIndex(found.manifest, segments), difference: found.difference, isKept: true }
  }

  /** The segments of these names, without those that are not whole. */
  segments(names: readonly string[]): NamedSegment[] {
    return names.flatMap((name) => {
      const segment = this.segment(name)
      return segment ? [{ name, segment }] : []
    })
  }

  /** Names of the segments that these trees are in; damaged manifests have none. */
  segmentNames(trees: readonly string[]): ReadonlySet<string> {
    const files = trees.flatMap((tree) => this.filesOf(tree).map(({ name }) => name))
    return new Set(files.filter((name) => name.endsWith(segmentEnding)))
  }

  /** `kept`: null when it is on disk, else why not; it may be used all the same. Throws when the bytes are none. */
  addSegment(bytes: Buffer): { named: NamedSegment; kept: string | null } {
    const name = nameFor(bytes, segmentEnding)
    const segment = NameSegment.open(bytes)
    if (!segment) throw new Error('a segment that was just made cannot be read')
    this.opened.set(name, segment)
    return { named: { name, segment }, kept: this.folder.write(name, bytes) }
  }

  addTree(manifest: Manifest, difference: Difference | null): string | null {
    const bytes = difference
      ? encodeDifference(manifest.tree, manifest.segments, difference)
      : encodeWhole(manifest)
    return this.folder.write(`${manifest.tree}${treeEnding}`, bytes)
  }

  /** Lets go of segments that no tree in use is in. */
  forgetOthers(names: readonly string[]): void {
    for (const name of this.opened.keys()) if (!names.includes(name)) this.opened.delete(name)
  }

  /** The files a tree is in. */
  filesOf(tree: string): StoredFile[] {
    const bytes = this.folder.read(`${tree}${treeEnding}`)
    const needs = bytes && readNeeds(bytes)
    if (!needs) return []
    const manifests = [tree, ...(needs.base === null ? [] : [needs.base])].map((one) => `${one}${treeEnding}`)
    const all = [...manifests, ...needs.segments.map(({ name }) => name)]
    return all.flatMap((name) => this.folder.stat(name) ?? [])
  }

  private segment(name: string): NameSegment | null {
    const known = this.opened.get(name)
    if (known) {
      this.folder.touch(name)
      return known
    }
    const bytes = this.folder.read(name)
    const segment = bytes && NameSegment.open(bytes)
    if (segment) this.opened.set(name, segment)
    else if (bytes) this.discard(name)
    return segment
  }

  private manifest(tree: string): DecodedManifest | null {
    const name = `${tree}${treeEnding}`
    const bytes = this.folder.read(name)
    if (!bytes) return null
    const found = decodeManifest(bytes, (base) =>
      base === tree ? null : (this.manifest(base)?.manifest ?? null),
    )
    if (found?.manifest.tree === tree) return found
    this.discard(name)
    return null
  }

  private discard(name: string): void {
    this.folder.remove(name)
    this.damaged.push(name)
  }
}

/** The tree of a manifest by the name of its file, or null. */
export function treeOf(name: string): string | null {
  return /^([0-9a-f]{40}|[0-9a-f]{64})\.tree$/.exec(name)?.[1] ?? null
}

// Where the indexes of trees are in the cache folder: one folder for each version, in it one for each repository.

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

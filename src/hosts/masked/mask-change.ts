/**
 * A collected change without its secrets. Here, before anything is rendered, cut or recorded, is the one place where they
 * are taken out: every file is searched whole, on both sides, and all that comes after (diff, facts, prompts, tools,
 * reports, records, questions) reads masked lines only. So tags, hashes, anchors and quotes agree with one another.
 */
import { UserError } from '../../base/errors.ts'
import type { SecretMatch } from '../../base/secrets/contract.ts'
import { redactStrings } from '../../base/secrets/redact.ts'
import { type AddedSecret, pathOn } from '../../domain/change-set.ts'
import type { FileText, RepoHistory, RepoSnapshot } from '../../domain/snapshot.ts'
import type { CollectedChange, RawDiff, RawFileDiff } from '../contract.ts'
import { maskPatch, type PatchSide } from './mask-patch.ts'
import { BlobMasks, type CleanPaths, maskSnapshot, ShownPaths } from './mask-snapshot.ts'

/** Files whose both sides are in memory at the same time. */
const filesAtOnce = 50

/** What was found out about contents and paths; it holds for any change of the repository. */
export type KnownMasks = { masks: BlobMasks; clean: CleanPaths }

export function maskChange(change: CollectedChange, known?: KnownMasks): CollectedChange {
  const { masks = new BlobMasks(), clean } = known ?? {}
  const paths = new ShownPaths(clean)
  const { within } = change
  return {
    request: redactStrings(change.request),
    repositoryLabel: change.repositoryLabel,
    originUrl: change.originUrl ?? null,
    base: maskSnapshot(change.base, masks, paths),
    head: maskSnapshot(change.head, masks, paths),
    history: maskHistory(change.history, paths),
    ...(change.branch ? { branch: () => change.branch?.() ?? Promise.resolve(null) } : {}),
    // Git's own objects, for the process that analyzes: it reads them through this again.
    ...(change.pack ? { pack: change.pack.bind(change) } : {}),
    diff: async () => maskDiff(await change.diff(), change, masks, paths),
    ...(within ? { within: async (limits) => maskChange(await within.call(change, limits), known) } : {}),
    close: () => change.close(),
  }
}

type Commits = Awaited<ReturnType<RepoHistory['recent']>>

/** By what it was before: a work tree that is reviewed at each key has the same history again and again. */
const maskedHistories = new WeakMap<Commits, Commits>()

function maskHistory(history: RepoHistory, paths: ShownPaths): RepoHistory {
  return {
    async recent(limit) {
      const found = await history.recent(limit)
      const known = maskedHistories.get(found)
      if (known) return known
      const { commits, complete } = found
      const shown = redactStrings(commits.map(({ paths: _, ...words }) => words))
      const named = [...new Set(commits.flatMap((commit) => commit.paths))]
      const shownPaths = paths.shownAll(
        named,
        (path) => path,
        (_, path) => path,
      )
      const masked = { complete, commits: commits.map((commit, index) => ({ ...commit, ...shown[index] })) }
      if (shownPaths === named) {
        maskedHistories.set(found, masked)
        return masked
      }
      // How a path is shown depends on what else was shown before: the next change asks again.
      const nameOf = new Map(named.map((path, at) => [path, shownPaths[at] ?? path]))
      const renamed = masked.commits.map((commit) => ({
        ...commit,
        paths: commit.paths.map((path) => nameOf.get(path) ?? path),
      }))
      return { complete, commits: renamed }
    },
  }
}

async function maskDiff(
  { files, overflow, unlisted }: RawDiff,
  { base, head }: Pick<CollectedChange, 'base' | 'head'>,
  masks: BlobMasks,
  paths: ShownPaths,
): Promise<RawDiff> {
  const searched: SearchedFile[] = []
  for (let from = 0; from < files.length; from += filesAtOnce)
    searched.push(...(await searchFiles(files.slice(from, from + filesAtOnce), base, head, masks)))
  // A key that is only indented otherwise is the same.
  const unspaced = (value: string) => value.replace(/\s/g, '')
  const before = new Set(searched.flatMap(({ old }) => old.map(({ value }) => unspaced(value))))
  const isAdded = ({ value, local }: SecretMatch) => !local && !before.has(unspaced(value))
  const added = searched.flatMap(({ fresh }) => fresh.filter(isAdded))
  for (const value of await writtenBefore(added, base)) before.add(unspaced(value))
  return {
    overflow: overflow.map((path) => paths.shown(path)),
    ...(unlisted ? { unlisted } : {}),
    files: searched.map(({ file, fresh, text }) => {
      const secrets = fresh.filter(isAdded)
      return {
        ...file,
        path: paths.shown(file.path),
        oldPath: file.oldPath === null ? null : paths.shown(file.oldPath),
        ...(secrets.length > 0 ? { secrets: placesOf(secrets, text) } : {}),
      }
    }),
  }
}

/** The values that a file of the base has which the change leaves alone: whoever can read the repository has them already. */
async function writtenBefore(secrets: readonly SecretMatch[], base: RepoSnapshot): Promise<string[]> {
  const words = new Map(secrets.map(({ value }) => [value, longestWord(value)]))
  const wanted = [...new Set(words.values())].filter((word) => word.length >= shortestWord)
  if (wanted.length === 0) return []
  const files = await base.filesWithWords(wanted).catch(nowhere)
  const paths = [...new Set([...files.values()].flatMap((some) => some.slice(0, mostHolders)))]
  const texts = [...(await base.readMany(paths.slice(0, mostHolders))).values()]
  return [...words.keys()].filter((value) => texts.some(({ text }) => text.includes(value)))
}

/** A tree that is too large or incomplete to be searched is known to hold none of them; the review says of itself that it is. */
function nowhere(error: unknown): ReadonlyMap<string, string[]> {
  if (!(error instanceof UserError)) throw error
  return new Map()
}

/** Files of the base that are searched for values. */
const mostHolders = 50
const shortestWord = 8

function longestWord(value: string): string {
  const words = value.match(/[A-Za-z0-9_]{1,200}/g) ?? []
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')
}

type SearchedFile = {
  /** With the masked patch. */
  file: RawFileDiff
  old: readonly SecretMatch[]
  fresh: readonly SecretMatch[]
  /** Of the head; kept only where it holds secrets. */
  text: string
}

async function searchFiles(
  files: readonly RawFileDiff[],
  base: RepoSnapshot,
  head: RepoSnapshot,
  masks: BlobMasks,
): Promise<SearchedFile[]> {
  const shown = files.filter(({ patch }) => patch !== null)
  const [olds, news] = await Promise.all([
    base.readMany(shown.flatMap((file) => (file.oldBlob ? [pathOn('old', file)] : []))),
    head.readMany(shown.flatMap(({ path, newBlob }) => (newBlob ? [path] : []))),
  ])
  return files.map((file) => {
    if (file.patch === null) return { file, old: [], fresh: [], text: '' }
    const old = sideOf(file.oldBlob, olds.get(pathOn('old', file)), masks)
    const fresh = sideOf(file.newBlob, news.get(file.path), masks)
    return {
      file: { ...file, patch: maskPatch(file.patch, old.side, fresh.side) },
      old: old.secrets,
      fresh: fresh.secrets,
      text: fresh.secrets.length > 0 ? (fresh.side?.text ?? '') : '',
    }
  })
}

function sideOf(
  blob: string | null,
  file: FileText | undefined,
  masks: BlobMasks,
): { side: PatchSide; secrets: readonly SecretMatch[] } {
  if (blob === null) return { side: { text: '', masked: '' }, secrets: [] }
  if (!file) return { side: null, secrets: [] }
  return { side: { text: file.text, masked: masks.masked(file).text }, secrets: masks.secretsOf(file) }
}

/** The lines of each, as they are shown. */
function placesOf(secrets: readonly SecretMatch[], text: string): AddedSecret[] {
  const linesIn = (part: string) => part.split('\n').length
  return secrets.map(({ kind, certain, start, end }) => {
    const line = linesIn(text.slice(0, start))
    const endLine = line + linesIn(text.slice(start, end).trimEnd()) - 1
    return { line, ...(endLine > line ? { endLine } : {}), kind, certain }
  })
}

/** The difference of two trees as git prints it, complete or with the gaps named. */

import { UserError } from '../../base/errors.ts'
import { gitFailure } from '../../base/git/run.ts'
import { hugeFileBytes, type Shadow } from '../../base/git/shadow.ts'
import type { RawDiff, RawFileDiff } from '../contract.ts'
import { type PatchPart, PatchSplitter } from './patch-splitter.ts'
import { type RawChange, RawListParser } from './raw-list.ts'
import { reducedTrees } from './reduced-trees.ts'

export type DiffLimits = { changedFiles: number; fileBytes: number; treeEntries: number }

/** All patches of one change together; what comes after is named, not kept. */
const maxPatchBytes = 256 * 1024 * 1024

/** Copies are looked for among changed files only, as with `git diff -C`; git's own limit on pairs. */
const renames = ['-M', '-C', '-l1000']

/**
 * Compares two trees. No attribute of the repository applies, so a change cannot hide code behind `binary` or
 * `-diff` in .gitattributes: git decides from the content what is binary. Files whose objects are missing and
 * files too large to compare are named with `omitted`; those past `limits.changedFiles` are in `overflow`.
 */
export async function diffTrees(
  shadow: Shadow,
  base: string,
  head: string,
  limits: DiffLimits,
): Promise<RawDiff> {
  const all = await listChanges(shadow, [base, head], ['--no-renames', '--raw'], limits.treeEntries)
  const overflow = all.slice(limits.changedFiles).map(({ path }) => path)
  const { whole, gaps } = await separateGaps(shadow, all.slice(0, limits.changedFiles))
  const trees: [string, string] =
    overflow.length === 0 && gaps.length === 0 ? [base, head] : await reducedTrees(shadow, whole)
  const files = await compare(shadow, trees, limits, whole)
  return { files: [...files, ...pairMoves(gaps)].sort(byPath), overflow }
}

/** With renames; without them when git cannot; and with names only when it cannot do even that. */
async function compare(
  shadow: Shadow,
  trees: [string, string],
  limits: DiffLimits,
  plain: RawChange[],
): Promise<RawFileDiff[]> {
  if (plain.length === 0) return []
  let reason = ''
  for (const flags of [renames, ['--no-renames']]) {
    try {
      const changes = await listChanges(shadow, trees, [...flags, '--raw', '--numstat'], limits.treeEntries)
      return withPatches(changes, await patches(shadow, trees, flags, limits.fileBytes), limits)
    } catch (error) {
      shadow.signal?.throwIfAborted()
      if (!(error instanceof UserError)) throw error
      reason = error.message
    }
  }
  return plain.map((change) => ({ ...change, patch: null, omitted: `could not be compared: ${reason}` }))
}

async function listChanges(
  shadow: Shadow,
  trees: [string, string],
  flags: string[],
  maxChanges: number,
): Promise<RawChange[]> {
  const parser = new RawListParser()
  const args = ['diff-tree', '-r', '-z', '--no-abbrev', ...safe, ...flags, ...trees]
  const { code, stderr, stopped } = await shadow.stream(args, (chunk) => {
    parser.push(chunk)
    return parser.changes.length <= maxChanges
  })
  if (stopped) throw new UserError('tree-too-large', `more than ${maxChanges} files changed`)
  if (code === 0) return parser.changes
  if (/unable to read|bad object|not a tree|missing/i.test(stderr))
    throw new UserError('object-missing', stderr)
  throw gitFailure(args, stderr, code)
}

const safe = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-relative', '--submodule=short']

async function patches(
  shadow: Shadow,
  trees: [string, string],
  flags: string[],
  maxPart: number,
): Promise<PatchPart[]> {
  const splitter = new PatchSplitter(maxPart, maxPatchBytes)
  const shape = ['--src-prefix=a/', '--dst-prefix=b/', '--full-index', '-U3', '--inter-hunk-context=0']
  const args = ['diff-tree', '-r', '-p', ...safe, ...shape, ...flags, ...trees]
  const { code, stderr } = await shadow.stream(args, (chunk) => {
    splitter.push(chunk)
    return undefined
  })
  if (code !== 0) throw gitFailure(args, stderr, code)
  return splitter.finish()
}

/** Both lists are in the same order; a change of type (file to link) is printed as a deletion and an addition. */
function withPatches(changes: RawChange[], parts: PatchPart[], limits: DiffLimits): RawFileDiff[] {
  let next = 0
  const files = changes.map((change): RawFileDiff => {
    const mine = parts.slice(next, next + (isTypeChange(change) ? 2 : 1))
    next += mine.length
    const fits = mine.every(({ ids }) => ids === null || belongs(ids, change))
    if (mine.length === 0 || !fits) throw new UserError('git-failed', `git diff-tree left out ${change.path}`)
    const whole = mine.flatMap(({ bytes }) => (bytes ? [bytes] : []))
    if (whole.length === mine.length) return { ...change, patch: Buffer.concat(whole), omitted: null }
    return { ...change, patch: null, omitted: `its diff is larger than ${limits.fileBytes} bytes` }
  })
  if (next !== parts.length)
    throw new UserError('git-failed', 'git diff-tree printed more files than it listed')
  return files
}

function isTypeChange({ oldMode, newMode }: RawChange): boolean {
  return oldMode !== null && newMode !== null && oldMode.slice(0, 2) !== newMode.slice(0, 2)
}

function belongs(ids: { old: string; new: string }, { oldBlob, newBlob }: RawChange): boolean {
  const none = /^0+$/
  const old = ids.old === oldBlob || none.test(ids.old)
  return old && (ids.new === newBlob || none.test(ids.new))
}

/** Sets apart what git must not be asked to compare: blobs that are not here, and huge ones. */
async function separateGaps(shadow: Shadow, changes: RawChange[]) {
  const blobs = changes.flatMap((change) => sides(change).map(({ id }) => id))
  const headers = await shadow.objects.infoMany(blobs)
  const whole: RawChange[] = []
  const gaps: RawFileDiff[] = []
  for (const change of changes) {
    const sizes = sides(change).map(({ id }) => headers.get(id)?.size ?? null)
    const omitted = sizes.includes(null)
      ? 'object missing (partial clone)'
      : sizes.some((size) => size !== null && size > hugeFileBytes)
        ? `larger than ${hugeFileBytes} bytes`
        : null
    if (omitted === null) whole.push(change)
    else gaps.push({ ...change, patch: null, omitted })
  }
  return { whole, gaps }
}

/** The blobs of a change; the commit of a submodule is no object of this repository. */
function sides({ oldMode, oldBlob, newMode, newBlob }: RawChange): { id: string }[] {
  const both = [
    { mode: oldMode, id: oldBlob },
    { mode: newMode, id: newBlob },
  ]
  return both.flatMap(({ mode, id }) => (id !== null && mode !== '160000' ? [{ id }] : []))
}

/** A deletion and an addition of one and the same unread blob are a rename, which needs no reading. */
function pairMoves(gaps: RawFileDiff[]): RawFileDiff[] {
  const deleted = new Map(gaps.filter(({ status }) => status === 'D').map((gap) => [gap.oldBlob, gap]))
  const gone = new Set<RawFileDiff>()
  const kept = gaps.map((gap) => {
    const from = gap.status === 'A' ? deleted.get(gap.newBlob) : undefined
    if (!from || gone.has(from)) return gap
    gone.add(from)
    const { path: oldPath, oldMode, oldBlob } = from
    return { ...gap, status: 'R', similarity: 100, oldPath, oldMode, oldBlob, added: 0, removed: 0 }
  })
  return kept.filter((gap) => !gone.has(gap))
}

function byPath(a: RawFileDiff, b: RawFileDiff): number {
  return Buffer.compare(Buffer.from(a.path), Buffer.from(b.path))
}

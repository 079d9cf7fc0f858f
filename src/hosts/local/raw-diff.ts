/** The difference of two trees as git prints it, complete or with the gaps named. */
import { createHash } from 'node:crypto'
import { UserError } from '../../base/errors.ts'
import { isWithin } from '../../base/file-paths.ts'
import { compareTrees, type TreeChange } from '../../base/git/list-tree.ts'
import { gitFailure } from '../../base/git/run.ts'
import type { Shadow } from '../../base/git/shadow.ts'
import { decodeName } from '../../base/git/tree-walk.ts'
import type { RawDiff, RawFileDiff } from '../contract.ts'
import { isBinary } from './blob-text.ts'
import { type PatchPart, PatchSplitter, type RawChange, RawListParser } from './diff-output.ts'
import { reducedTrees, separateGaps, unread } from './unread-changes.ts'

export type DiffLimits = { changedFiles: number; fileBytes: number; treeEntries: number }

/** Changed files beyond the cap that are named; the others are counted. */
const overflowListed = 200

/** All patches of one change together; what comes after is named, not kept. */
const maxPatchBytes = 256 * 1024 * 1024

/** Git keeps some sixty bytes for each line of a file, and a few kilobytes unpack to ten million lines. */
const diffMemoryBytes = 256 * 1024 * 1024
const timeoutMs = 60_000

/** Copies are looked for among changed files only, as with `git diff -C`; git's own limit on pairs. */
const renames = ['-M', '-C', '-l1000']

/**
 * Compares two trees. No attribute of the repository applies, so a change cannot hide code behind `binary` or
 * `-diff` in .gitattributes: git decides from the content what is binary. Files whose objects are missing and
 * files too large to compare are named with `omitted`; those past `limits.changedFiles` are in `overflow` and
 * `unlisted`; those `within` named files and folders come before all others, and only they count as past it.
 * Throws `tree-too-large` when more than `limits.treeEntries` files changed.
 */
export async function diffTrees(
  shadow: Shadow,
  base: string,
  head: string,
  limits: DiffLimits,
  within?: readonly string[],
): Promise<RawDiff> {
  const changed = await compareTrees(shadow.objects, base, head, limits.treeEntries)
  const isNamed = ({ name }: TreeChange) => !within || isWithin(decodeName(name), within)
  const all = within ? [...changed.filter(isNamed), ...changed.filter((one) => !isNamed(one))] : changed
  const some = all.slice(0, limits.changedFiles)
  const { whole, large, gaps } = await separateGaps(shadow, some, limits.fileBytes)
  const trees: [string, string] | null = whole.length === all.length ? [base, head] : null
  const files = await compare(shadow, whole, large, limits, trees)
  const shown = await showHiddenText(shadow, files, whole, limits)
  return {
    files: [...shown, ...gaps].sort(byPath),
    ...overflowOf(all.slice(limits.changedFiles).filter(isNamed)),
  }
}

/** A change of megabytes can name a hundred thousand files, and a list of all of them helps no reader. */
function overflowOf(beyond: readonly TreeChange[]): Pick<RawDiff, 'overflow' | 'unlisted'> {
  const overflow = beyond.slice(0, overflowListed).map(({ name }) => decodeName(name))
  const others = beyond.slice(overflowListed)
  if (others.length === 0) return { overflow }
  const hash = createHash('sha256')
  for (const { name } of others) hash.update(`${name}\0`, 'latin1')
  return { overflow, unlisted: { files: others.length, sha256: hash.digest('hex') } }
}

/** What git takes for binary because of a stray byte, and any reader for text, is compared as the text that it is. */
async function showHiddenText(
  shadow: Shadow,
  files: RawFileDiff[],
  changes: readonly TreeChange[],
  limits: DiffLimits,
): Promise<RawFileDiff[]> {
  const hidden = new Map<string, RawFileDiff>()
  for (const file of files)
    if (file.added === null && file.omitted === null && (await isText(shadow, file, limits)))
      hidden.set(file.path, file)
  if (hidden.size === 0) return files
  const names = new Set([...hidden.values()].flatMap(({ path, oldPath }) => [path, oldPath ?? path]))
  const theirs = changes.filter(({ name }) => names.has(decodeName(name)))
  const flags = [...renames, '--text']
  const shown = await gitDiff(shadow, await reducedTrees(shadow, theirs), flags, limits)
  const byNames = new Map(
    shown.map((file) => [`${file.oldPath} ${file.path}`, { ...file, ...countLines(file) }]),
  )
  return files.map((file) =>
    hidden.has(file.path) ? (byNames.get(`${file.oldPath} ${file.path}`) ?? file) : file,
  )
}

/** Git gives no counts for what it takes for binary, even where it prints the lines. */
function countLines({ patch }: RawFileDiff): { added: number; removed: number } {
  const text = Buffer.from(patch ?? []).toString('latin1')
  const lines = text.slice(Math.max(0, text.indexOf('\n@@'))).split('\n')
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  return { added: count('+'), removed: count('-') }
}

async function isText(shadow: Shadow, file: RawFileDiff, { fileBytes }: DiffLimits): Promise<boolean> {
  if (file.oldMode === '160000' || file.newMode === '160000') return false
  const ids = [file.oldBlob, file.newBlob].flatMap((id) => id ?? [])
  const contents = await Promise.all(ids.map((id) => shadow.objects.read(id, fileBytes)))
  return contents.every((content) => content?.bytes && !isBinary(content.bytes))
}

/**
 * With renames; without them when git cannot; then without the files that are `large`; and with names only when it
 * cannot do even that. `trees` is null when the two differ by more than `changes`: git then compares trees that hold
 * nothing else.
 */
async function compare(
  shadow: Shadow,
  changes: TreeChange[],
  large: ReadonlySet<TreeChange>,
  limits: DiffLimits,
  trees: [string, string] | null,
): Promise<RawFileDiff[]> {
  const small = changes.filter((change) => !large.has(change))
  const tries = [
    { flags: renames, some: changes },
    { flags: ['--no-renames'], some: changes },
    ...(large.size > 0 ? [{ flags: renames, some: small }] : []),
  ]
  let reason = ''
  for (const { flags, some } of tries) {
    const named = () => changes.filter((change) => !some.includes(change)).map((one) => unread(one, reason))
    if (some.length === 0) return named()
    try {
      const own = some === changes ? trees : null
      const files = await gitDiff(shadow, own ?? (await reducedTrees(shadow, some)), flags, limits)
      return [...files, ...named()]
    } catch (error) {
      shadow.signal?.throwIfAborted()
      if (!(error instanceof UserError)) throw error
      reason = `could not be compared: ${error.message}`
    }
  }
  return changes.map((change) => unread(change, reason))
}

/** Names, counts and patches in one run, so that renames are searched for once. */
async function gitDiff(
  shadow: Shadow,
  trees: [string, string],
  flags: string[],
  limits: DiffLimits,
): Promise<RawFileDiff[]> {
  const list = new RawListParser()
  const splitter = new PatchSplitter(limits.fileBytes, maxPatchBytes)
  const args = ['diff-tree', '--stdin', '-r', '-z', '--raw', '--numstat', '-p', ...shape, ...flags]
  const input = `${trees.join(' ')}\n`
  // It says first what it was asked.
  let echo = input.length
  let inPatch = false
  const take = (chunk: Buffer): undefined => {
    const answer = chunk.subarray(Math.min(echo, chunk.length))
    echo -= chunk.length - answer.length
    const patch = inPatch ? answer : list.push(answer)
    if (!patch) return
    inPatch = true
    splitter.push(patch)
  }
  const { code, stderr } = await shadow.repeat(args, take, { input, memoryBytes: diffMemoryBytes, timeoutMs })
  if (code !== 0) throw gitFailure(args, stderr, code)
  return withPatches(list.changes, splitter.finish(), limits)
}

const shape = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-relative',
  '--submodule=short',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--full-index',
  '-U3',
  '--inter-hunk-context=0',
]

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

function byPath(a: RawFileDiff, b: RawFileDiff): number {
  return Buffer.compare(Buffer.from(a.path), Buffer.from(b.path))
}

/**
 * Reads the references of a foreign git directory as data, and writes them into the shadow. Those in the reftable format
 * are read by a git that knows it, in a directory that holds nothing else.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UserError } from '../errors.ts'
import type { Repository } from './discover.ts'
import { copyData, isFolder, linkStatOrNull, readData } from './read-data.ts'
import { type GitPlace, tryGit } from './run.ts'
import { gitVersion, isAtLeast } from './version.ts'

/** Loose references looked at; a repository with more keeps them packed, or is not an honest one. */
const maxLooseRefs = 50_000
const maxPackedBytes = 256 * 1024 * 1024
const maxRefBytes = 4096
const maxSymbolicRefs = 1000

const unborn = 'ref: refs/heads/unborn'

const pseudoRefs = ['ORIG_HEAD', 'FETCH_HEAD', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'REBASE_HEAD']

/** By name: an object id, or `ref: ` and another name. `HEAD` and git's passing ones (ORIG_HEAD …) are among them. */
export type Refs = Map<string, string>

/** All references of a repository that keeps them in files. What does not look like a reference is left out. */
export function readFileRefs({ gitDir, commonDir }: Repository): Refs {
  const refs = packedRefs(commonDir)
  for (const [name, value] of looseRefs(commonDir)) refs.set(name, value)
  for (const name of pseudoRefs) {
    const value = refValue(readData(join(gitDir, name), 1024 * 1024))
    if (value) refs.set(name, value)
  }
  return refs.set('HEAD', readHead(gitDir))
}

/** Writes references as files. Ids that are not `idLength` long belong to another kind of repository. */
export function writeRefs(refs: Refs, gitDir: string, idLength: number): void {
  const packed: string[] = []
  let loose = 0
  for (const [name, value] of refs) {
    if (!value.startsWith('ref: ') && value.length !== idLength) continue
    if (!name.startsWith('refs/')) writeFileSync(join(gitDir, name), `${value}\n`)
    else if (!value.startsWith('ref: ')) packed.push(`${value} ${name}\n`)
    else if (loose++ < maxSymbolicRefs) writeSymbolic(join(gitDir, name), value)
  }
  if (!refs.has('HEAD')) writeFileSync(join(gitDir, 'HEAD'), `${unborn}\n`)
  // Without the word "sorted" in a header git sorts the lines itself.
  writeFileSync(join(gitDir, 'packed-refs'), packed.join(''))
}

/** What HEAD of a git directory says: `ref: refs/heads/x` or a commit. A broken one counts as an unborn branch. */
export function readHead(gitDir: string): string {
  const path = join(gitDir, 'HEAD')
  const link = linkStatOrNull(path)?.isSymbolicLink() ? readlinkSync(path) : null
  if (link !== null && isRefName(link)) return `ref: ${link}`
  return refValue(readData(path, maxRefBytes)) ?? unborn
}

/** The commit that HEAD of `repository` points to, without running git; null when it has none. */
export function headCommit(repository: Repository): string | null {
  return commitOf(repository, readHead(repository.gitDir))
}

/** The same of any reference that is kept in a file: `refs/remotes/origin/HEAD`. */
export function refCommit(repository: Repository, name: string): string | null {
  return commitOf(repository, `ref: ${name}`)
}

/** The reference that a symbolic one leads to, of those that `writeRefs` wrote; null for an id, or none. At most `hops` on the way. */
export function symbolicRef(gitDir: string, name: string, hops = 5): string | null {
  const value = refValue(readData(join(gitDir, name), maxRefBytes))
  if (!value?.startsWith('ref: ') || hops === 0) return null
  const target = value.slice(5)
  return symbolicRef(gitDir, target, hops - 1) ?? target
}

function commitOf(repository: Repository, first: string): string | null {
  let value = first
  for (let hops = 0; value.startsWith('ref: '); hops++) {
    const name = value.slice(5)
    if (hops === 5) return null
    const loose = refValue(readData(join(repository.commonDir, name), maxRefBytes))
    value = loose ?? packedRefs(repository.commonDir).get(name) ?? ''
  }
  return value || null
}

/** The rules of `git check-ref-format`, a little stricter; what passes can be joined to a folder safely. */
export function isRefName(name: string): boolean {
  if (!name.startsWith('refs/') || name.length > 1000) return false
  return !/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.$|\/$|\.lock(\/|$)/u.test(name)
}

/** The first line of a loose reference when it is well formed, else null. */
function refValue(bytes: Buffer | null): string | null {
  const text = bytes?.toString('utf8') ?? ''
  const id = /^(?:[0-9a-f]{64}|[0-9a-f]{40})(?=\s|$)/.exec(text)
  if (id) return id[0]
  const name = /^ref:([^\n]*)/.exec(text)?.[1]?.trim() ?? ''
  return isRefName(name) ? `ref: ${name}` : null
}

/** Two names of which one is a folder of the other cannot both be files; the second is left out. */
function writeSymbolic(path: string, value: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${value}\n`)
  } catch {
    return
  }
}

function packedRefs(commonDir: string): Refs {
  const refs: Refs = new Map()
  const text = readData(join(commonDir, 'packed-refs'), maxPackedBytes)?.toString('utf8') ?? ''
  for (const line of text.split('\n')) {
    const [id = '', name = ''] = line.split(' ', 2)
    if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id) && isRefName(name)) refs.set(name, id)
  }
  return refs
}

function* looseRefs(commonDir: string): Generator<[string, string]> {
  let seen = 0
  const waiting = ['refs']
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of entriesOf(join(commonDir, folder))) {
      const name = `${folder}/${entry.name}`
      if (++seen > maxLooseRefs) return
      if (entry.isDirectory()) waiting.push(name)
      if (!entry.isFile() || !isRefName(name)) continue
      const value = refValue(readData(join(commonDir, name), maxRefBytes))
      if (value) yield [name, value]
    }
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

/** The first git that reads the format: https://github.com/git/git/blob/master/Documentation/RelNotes/2.45.0.txt */
const knowing = { major: 2, minor: 45 }
const maxTableBytes = 1024 * 1024 * 1024

export function hasReftable({ commonDir }: Repository): boolean {
  return isFolder(join(commonDir, 'reftable'))
}

/**
 * All references, and HEAD of this work tree. `place` must have its configuration and objects already; `root`
 * is a folder of ours for the copies. Throws `git-missing` when git is too old for it.
 */
export async function readReftable(root: string, place: GitPlace, repository: Repository): Promise<Refs> {
  if (!isAtLeast(await gitVersion(), knowing))
    throw new UserError(
      'git-missing',
      'references in the reftable format need git 2.45; `git refs migrate --ref-format=files` turns them into files',
    )
  const common = copyTables(root, 'reftable-common', place, repository.commonDir)
  const refs = await listRefs(common)
  const own =
    repository.gitDir === repository.commonDir
      ? common
      : copyTables(root, 'reftable-own', place, repository.gitDir)
  const head = await headOf(own)
  return head === null ? refs : refs.set('HEAD', head)
}

/** A git directory with copies of the tables in `from/reftable`; the form is that of gitrepository-layout(5). */
function copyTables(root: string, name: string, place: GitPlace, from: string): GitPlace {
  const gitDir = join(root, name)
  for (const part of ['refs', 'reftable', 'objects/info']) mkdirSync(join(gitDir, part), { recursive: true })
  const tables = join(from, 'reftable')
  for (const table of readdirSync(tables))
    if (/^(tables\.list|[\w-]+\.ref)$/.test(table))
      copyData(join(tables, table), join(gitDir, 'reftable', table), maxTableBytes)
  const config = readFileSync(join(place.gitDir, 'config'), 'utf8')
  writeFileSync(join(gitDir, 'config'), `${config}${asReftable}`)
  copyFileSync(join(place.gitDir, 'objects/info/alternates'), join(gitDir, 'objects/info/alternates'))
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/.invalid\n')
  writeFileSync(join(gitDir, 'refs/heads'), 'this repository uses the reftable format\n')
  return { gitDir, home: place.home }
}

/** Of two values of one key git takes the second. */
const asReftable = '[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n'

async function listRefs(place: GitPlace): Promise<Refs> {
  const format = '--format=%(refname)%00%(objectname)%00%(symref)'
  const { stdout } = await tryGit(place, ['for-each-ref', format])
  const refs: Refs = new Map()
  for (const line of stdout.toString('utf8').split('\n')) {
    const [name = '', id = '', target = ''] = line.split('\0')
    if (isRefName(name)) refs.set(name, target === '' ? id : `ref: ${target}`)
  }
  return refs
}

async function headOf(place: GitPlace): Promise<string | null> {
  const symbolic = await tryGit(place, ['symbolic-ref', '--quiet', 'HEAD'])
  const target = symbolic.stdout.toString('utf8').trim()
  if (symbolic.code === 0 && isRefName(target)) return `ref: ${target}`
  const direct = await tryGit(place, ['rev-parse', '--verify', '--quiet', 'HEAD'])
  return direct.code === 0 ? direct.stdout.toString('latin1').trim() : null
}

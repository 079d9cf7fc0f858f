/** Reads the references of a foreign git directory as data and writes them into the shadow. */
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UserError } from '../errors.ts'
import type { Repository } from './discover.ts'
import { isFolder, linkStatOrNull, readData } from './read-data.ts'

/** Loose references looked at; a repository with more keeps them packed, or is not an honest one. */
const maxLooseRefs = 50_000
const maxPackedBytes = 256 * 1024 * 1024
const maxRefBytes = 4096

const pseudoRefs = ['ORIG_HEAD', 'FETCH_HEAD', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'REBASE_HEAD']

/**
 * Writes HEAD, the references and git's passing ones (ORIG_HEAD …) of `repository` into `shadowGitDir`.
 * What does not look like a reference is left out. Throws `git-failed` for a format that is not files.
 */
export function copyRefs(repository: Repository, shadowGitDir: string): void {
  if (isFolder(join(repository.commonDir, 'reftable')))
    throw new UserError(
      'git-failed',
      'references in the reftable format cannot be read yet; `git refs migrate --ref-format=files` changes it',
    )
  writeFileSync(join(shadowGitDir, 'HEAD'), `${readHead(repository.gitDir)}\n`)
  for (const name of pseudoRefs) {
    const value = refValue(readData(join(repository.gitDir, name), 1024 * 1024))
    if (value) writeFileSync(join(shadowGitDir, name), `${value}\n`)
  }
  const refs = packedRefs(repository.commonDir)
  for (const [name, value] of looseRefs(repository.commonDir)) refs.set(name, value)
  const packed: string[] = []
  for (const [name, value] of refs) {
    if (!value.startsWith('ref: ')) packed.push(`${value} ${name}\n`)
    else {
      mkdirSync(dirname(join(shadowGitDir, name)), { recursive: true })
      writeFileSync(join(shadowGitDir, name), `${value}\n`)
    }
  }
  // Without the word "sorted" in a header git sorts the lines itself.
  writeFileSync(join(shadowGitDir, 'packed-refs'), packed.join(''))
}

/** What HEAD of a git directory says: `ref: refs/heads/x` or a commit. A broken one counts as an unborn branch. */
export function readHead(gitDir: string): string {
  const path = join(gitDir, 'HEAD')
  const link = linkStatOrNull(path)?.isSymbolicLink() ? readlinkSync(path) : null
  if (link !== null && isRefName(link)) return `ref: ${link}`
  return refValue(readData(path, maxRefBytes)) ?? 'ref: refs/heads/unborn'
}

/** The commit that HEAD of `repository` stands on, without running git; null when it has none. */
export function headCommit(repository: Repository): string | null {
  let value = readHead(repository.gitDir)
  for (let hops = 0; value.startsWith('ref: '); hops++) {
    const name = value.slice(5)
    if (hops === 5) return null
    const loose = refValue(readData(join(repository.commonDir, name), maxRefBytes))
    value = loose ?? packedRefs(repository.commonDir).get(name) ?? ''
  }
  return value || null
}

/** The rules of `git check-ref-format`, a little stricter; what passes can be joined to a folder safely. */
function isRefName(name: string): boolean {
  if (!name.startsWith('refs/') || name.length > 1000) return false
  if (/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.$|\/$|\.lock(\/|$)/u.test(name)) return false
  return name.split('/').length > 2
}

/** The first line of a loose reference when it is well formed, else null. */
function refValue(bytes: Buffer | null): string | null {
  const text = bytes?.toString('utf8') ?? ''
  const id = /^(?:[0-9a-f]{64}|[0-9a-f]{40})(?=\s|$)/.exec(text)
  if (id) return id[0]
  const name = /^ref:[ \t]*([^\n]*?)\s*(?:\n|$)/.exec(text)?.[1] ?? ''
  return isRefName(name) ? `ref: ${name}` : null
}

function packedRefs(commonDir: string): Map<string, string> {
  const refs = new Map<string, string>()
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

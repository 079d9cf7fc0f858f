/** Reads the references of a foreign git directory as data, and writes them into the shadow. */
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Repository } from './discover.ts'
import { linkStatOrNull, readData } from './read-data.ts'

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

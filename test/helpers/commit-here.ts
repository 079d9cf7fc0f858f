/**
 * Adds all files of a small plain repository and commits them as `git add -A` and `git commit` do, byte for byte but without
 * a process. What makes git do more than that (ignored files, attributes, hooks, other settings) is left to git.
 */
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  type BigIntStats,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { gitIdentity } from './git-identity.ts'

/** `path` is UTF-8, separated by `/`. */
export type TreeEntry = { path: string; mode: number; id: Buffer }
type Entry = TreeEntry & { stat: BigIntStats }

const plainConfig =
  '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n'
const maxFiles = 300
const maxBytes = 4 * 1024 * 1024
const [executable, folder] = [0o100755, 0o40000]
export const [plain, link, submodule] = [0o100644, 0o120000, 0o160000]

/** The id of the commit; null, with nothing changed, where only git knows what to do. `date` in seconds since 1970. */
export function commitHere(root: string, message: string, date: number): string | null {
  const git = join(root, '.git')
  const head = isPlain(git) && isTidy(message) ? readHead(git) : null
  const found = head === null ? null : filesBelow(root)
  if (head === null || found === null) return null
  const entries = found.map((file) => ({ ...file, id: writeObject(git, 'blob', file.bytes) }))
  const tree = writeTree(git, '', entries)
  const who = `${gitIdentity.GIT_AUTHOR_NAME} <${gitIdentity.GIT_AUTHOR_EMAIL}> ${date} +0000`
  const text = `${message.trimEnd()}\n`
  const parent = head.commit === null ? '' : `parent ${head.commit}\n`
  const object = `tree ${tree.toString('hex')}\n${parent}author ${who}\ncommitter ${who}\n\n${text}`
  const id = writeObject(git, 'commit', Buffer.from(object)).toString('hex')
  writeFileSync(join(git, 'index'), indexOf(entries))
  const kind = head.commit === null ? 'commit (initial)' : 'commit'
  const logged = `${head.commit ?? '0'.repeat(40)} ${id} ${who}\t${kind}: ${text.split('\n')[0]}\n`
  for (const name of new Set(['HEAD', head.ref])) appendBelow(join(git, 'logs', name), logged)
  mkdirSync(dirname(join(git, head.ref)), { recursive: true })
  writeFileSync(join(git, head.ref), `${id}\n`)
  return id
}

/** As `git init` made it, and nothing going on. */
function isPlain(git: string): boolean {
  const read = (name: string) => readOr(join(git, name), '')
  const names = lstatSync(git, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(git) : []
  const hooks = names.includes('hooks') ? readdirSync(join(git, 'hooks')) : []
  return (
    read('config') === plainConfig &&
    !names.some((name) =>
      /^(?:shallow|rebase-|sequencer|.*\.lock|(?:MERGE|CHERRY_PICK|REVERT)_)/.test(name),
    ) &&
    hooks.every((name) => name.endsWith('.sample')) &&
    !existsSync(join(git, 'info/attributes')) &&
    /^(?:#.*\n|\n)*$/.test(read('info/exclude')) &&
    isPlainIndex(join(git, 'index')) &&
    !Object.keys(process.env).some((name) => /^GIT_(?:DIR|INDEX|OBJECT|WORK|COMMON|CONFIG_[CP])/.test(name))
  )
}

/** Version 2, each path once, no entry with a bit that a person set, and no extension that changes the meaning of others. */
function isPlainIndex(path: string): boolean {
  if (!existsSync(path)) return true
  const bytes = readFileSync(path)
  if (bytes.readUInt32BE(4) !== 2) return false
  let at = 12
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flags = bytes.readUInt16BE(at + 60)
    const isGitlink = bytes.readUInt32BE(at + 24) >> 12 === 0o16
    if ((flags & 0xf000) !== 0 || (flags & 0xfff) === 0xfff || isGitlink) return false
    at += Math.ceil((62 + (flags & 0xfff) + 1) / 8) * 8
  }
  return at + 20 === bytes.length || bytes.toString('latin1', at, at + 4) === 'TREE'
}

/** What git would write as it is. */
function isTidy(message: string): boolean {
  return message.trim() !== '' && !/^\s|[^\S\n](?:\n|$)|\n\n\n|\0/.test(message)
}

function readHead(git: string): { ref: string; commit: string | null } | null {
  const head = readOr(join(git, 'HEAD'), '').trim()
  if (/^[0-9a-f]{40}$/.test(head)) return { ref: 'HEAD', commit: head }
  const [, ref] = /^ref: (refs\/heads\/[\w./-]+)$/.exec(head) ?? []
  if (ref === undefined) return null
  const commit = readOr(join(git, ref), '').trim()
  if (/^[0-9a-f]{40}$/.test(commit)) return { ref, commit }
  return commit === '' && !existsSync(join(git, 'packed-refs')) ? { ref, commit: null } : null
}

type Found = Omit<Entry, 'id'> & { bytes: Buffer }

/** Null where one needs git, or where there are many. */
function filesBelow(root: string): Found[] | null {
  const found: Found[] = []
  const folders = ['']
  let bytes = 0
  for (const inside of folders)
    for (const name of readdirSync(join(root, inside))) {
      if (inside === '' && name === '.git') continue
      if (/^(?:\.git(?!hub$|lab)|git~)|[\\:\ufffd\u200c-\u206f\ufeff]/i.test(name)) return null
      const path = `${inside}${name}`
      const stat = lstatSync(join(root, path), { bigint: true })
      bytes += Number(stat.size)
      if (found.length === maxFiles || bytes > maxBytes) return null
      if (stat.isDirectory()) folders.push(`${path}/`)
      else if (stat.isSymbolicLink())
        found.push({ path, mode: link, stat, bytes: readlinkSync(join(root, path), { encoding: 'buffer' }) })
      else if (stat.isFile())
        found.push({
          ...{ path, stat, bytes: readFileSync(join(root, path)) },
          mode: stat.mode & 0o100n ? executable : plain,
        })
      else return null
    }
  return sorted(found)
}

/** As git sorts whole paths. */
export function sorted<T extends { path: string }>(files: readonly T[]): T[] {
  return files.toSorted((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)))
}

/** `entries` are those below `inside`, sorted by their paths. */
export function writeTree(git: string, inside: string, entries: readonly TreeEntry[]): Buffer {
  const byName = Map.groupBy(entries, ({ path }) => path.slice(inside.length).split('/', 1)[0] ?? '')
  // Sorted by whole paths, a folder is where git puts it: as if its name ended with a slash.
  const records = [...byName].map(([name, below]) => {
    const [first] = below
    const file = first?.path === inside + name ? first : null
    const id = file?.id ?? writeTree(git, `${inside}${name}/`, below)
    return Buffer.concat([Buffer.from(`${(file?.mode ?? folder).toString(8)} ${name}\0`), id])
  })
  return writeObject(git, 'tree', Buffer.concat(records))
}

/** Its id. */
export function writeObject(git: string, type: string, bytes: Buffer): Buffer {
  const object = Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes])
  const id = createHash('sha1').update(object).digest()
  const hex = id.toString('hex')
  const path = join(git, 'objects', hex.slice(0, 2), hex.slice(2))
  if (existsSync(path)) return id
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, deflateSync(object, { level: 1 }), { mode: 0o444 })
  return id
}

function indexOf(entries: readonly Entry[]): Buffer {
  const header = Buffer.from('DIRC\0\0\0\u0002\0\0\0\0', 'latin1')
  header.writeUInt32BE(entries.length, 8)
  const body = Buffer.concat([header, ...entries.map(indexEntry)])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

function indexEntry({ path, mode, id, stat }: Entry): Buffer {
  const name = Buffer.from(path)
  const entry = Buffer.alloc(Math.ceil((62 + name.length + 1) / 8) * 8)
  const { ctimeNs, mtimeNs, dev, ino, uid, gid, size } = stat
  const second = 1_000_000_000n
  const times = [ctimeNs / second, ctimeNs % second, mtimeNs / second, mtimeNs % second]
  const fields = [...times, dev, ino, BigInt(mode), uid, gid, size]
  for (const [at, value] of fields.entries()) entry.writeUInt32BE(Number(value & 0xffff_ffffn), at * 4)
  id.copy(entry, 40)
  entry.writeUInt16BE(name.length, 60)
  name.copy(entry, 62)
  return entry
}

function appendBelow(path: string, line: string): void {
  mkdirSync(dirname(path), { recursive: true })
  appendFileSync(path, line)
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return otherwise
  }
}

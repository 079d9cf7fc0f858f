/**
 * Lays the text files of a snapshot out in a private folder, for one server. Nothing is taken from a work tree; no link
 * of the tree is made, no file is written twice, and the folder is removed in the end.
 */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isSafePath } from '../../base/git/tree-walk.ts'
import { filePathOf } from '../../base/places.ts'
import { makePrivateFolder } from '../../base/private-folders.ts'
import type { RepoSnapshot, TreeEntry } from '../../domain/snapshot.ts'
import { languageOf } from '../language-of.ts'
import type { Arrangement, LaidTree, LanguageServer, Limits } from './contract.ts'

export type Workspace = {
  /** Absolute real path of the folder that stands for the root. */
  root: string
  /** An empty folder beside it, for caches and temporary files. */
  home: string
  /** Files of the snapshot that lie there. */
  paths: ReadonlySet<string>
  openFirst: readonly string[]
  uriOf(path: string): string
  /** The snapshot's path for a URI; null for what lies elsewhere, or is of our own making. */
  pathOf(uri: string): string | null
  remove(): Promise<void>
}

const filesAtOnce = 500

/** Resolves to words when the tree is too large to be laid out. */
export async function layOut(
  snapshot: RepoSnapshot,
  server: LanguageServer,
  { program, environment }: Pick<LaidTree, 'program' | 'environment'>,
  limits: Limits,
): Promise<Workspace | string> {
  const chosen = await chooseFiles(snapshot, server, limits)
  if (typeof chosen === 'string') return chosen
  const { path: folder, remove } = await makePrivateFolder('tree')
  const [root, home] = [join(folder, 'root'), join(folder, 'home')]
  try {
    await mkdir(root)
    await mkdir(home)
    const paths = await writeAll(
      snapshot,
      chosen.map(({ path }) => path),
      root,
    )
    const read = async (path: string) => (await snapshot.read(path))?.text ?? null
    const arranged = await server.arrange({ root, program, environment, paths: [...paths], read })
    await place(arranged, root)
    return { root, home, paths, openFirst: arranged.openFirst, ...addresses(root, paths), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** The paths that were written. What cannot be (a name too long, one that differs only in case) is left out. */
async function writeAll(
  snapshot: RepoSnapshot,
  wanted: readonly string[],
  root: string,
): Promise<Set<string>> {
  const written = new Set<string>()
  for (let at = 0; at < wanted.length; at += filesAtOnce) {
    const batch = wanted.slice(at, at + filesAtOnce)
    for (const [path, { text }] of await snapshot.readMany(batch))
      if (await write(join(root, path), text, 'wx')) written.add(path)
  }
  return written
}

async function write(path: string, text: string, flag: 'w' | 'wx'): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(path, text, { flag, mode: 0o600 })
    return true
  } catch {
    return false
  }
}

async function place({ files, links }: Arrangement, root: string): Promise<void> {
  for (const [path, text] of files) await write(join(root, path), text, 'w')
  for (const { at, to } of links) {
    const from = join(root, at)
    await mkdir(dirname(from), { recursive: true, mode: 0o700 })
    const way = process.platform === 'win32' ? join(root, to) : relative(dirname(from), join(root, to))
    await symlink(way, from, 'junction').catch(() => {})
  }
}

function addresses(root: string, paths: ReadonlySet<string>): Pick<Workspace, 'uriOf' | 'pathOf'> {
  return {
    uriOf: (path) => pathToFileURL(join(root, path)).href,
    pathOf(uri) {
      const file = filePathOf(uri)
      if (file === null || !file.startsWith(`${root}${sep}`)) return null
      const path = file.slice(root.length + 1).replaceAll(sep, '/')
      return paths.has(path) ? path : null
    },
  }
}

// Which files of a snapshot a server gets to see: sources of its languages, and what it reads as data.

/** Files of the tree in path order; or why they are not laid out at all. */
async function chooseFiles(
  snapshot: RepoSnapshot,
  server: LanguageServer,
  limits: Pick<Limits, 'files' | 'bytes'>,
): Promise<readonly TreeEntry[] | string> {
  const chosen = (await snapshot.list()).filter((entry) => mayLie(entry) && isWanted(entry.path, server))
  const bytes = chosen.reduce((sum, { size }) => sum + (size ?? 0), 0)
  if (chosen.length > limits.files)
    return `the tree has ${chosen.length} files for it, more than may be laid out`
  if (bytes > limits.bytes)
    return `the tree has ${Math.round(bytes / 1e6)} MB for it, more than may be laid out`
  return chosen
}

/** Regular files with harmless names only. Folders that begin with a dot hold settings that tools run by. */
function mayLie({ path, mode, size }: TreeEntry): boolean {
  if (size === null || (mode !== '100644' && mode !== '100755')) return false
  if (!isSafePath(path, mode) || path.includes('\0') || path.length > 1000) return false
  if (process.platform === 'win32' && /[\\:*?"<>|]/.test(path)) return false
  return !path.split('/').some((part) => part.startsWith('.') || part === 'node_modules')
}

function isWanted(path: string, server: LanguageServer): boolean {
  const language = languageOf(path)
  // A header may turn out to be of the other of the two.
  const languages = /\.h$/i.test(path) ? ['c', 'cpp'] : [language]
  return languages.some((one) => one !== null && server.languages.includes(one)) || server.readsFile(path)
}

/** For a server that needs nothing but one open file to begin. */
export function openingFirst(isOne: (path: string) => boolean): LanguageServer['arrange'] {
  return async ({ paths }) => {
    const first = paths.find(isOne)
    return { files: new Map(), links: [], openFirst: first === undefined ? [] : [first] }
  }
}

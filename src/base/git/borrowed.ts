/**
 * Where a repository says that parts of it lie elsewhere: a `.git` file, `commondir`, alternates, symbolic links. In a
 * person's own linked work tree that is right, and the other place points back. A repository that came from elsewhere
 * could name any repository of this machine, whose code would then stand in a review of it.
 */
import { readdirSync, realpathSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { UserError } from '../errors.ts'
import { trimTrailing } from '../trim-text.ts'
import { type Repository, workTreeRepository } from './discover.ts'
import { readData, statOrNull } from './read-data.ts'

/** As deep as git itself follows alternates (`link_alt_odb_entry` in object-file.c). */
const mostAlternates = 5
const mostListBytes = 1024 * 1024
/** Fan-out folders, loose objects and packs looked at; honest repositories pack long before. */
const mostObjectFiles = 2_000_000

/**
 * Throws `repository-unsafe` when the repository uses what lies outside of it and neither points back nor is among
 * `allowed` (absolute folders), and when something in its object store would keep git waiting for ever.
 */
export function checkBorrowing(repository: Repository, allowed: readonly string[]): void {
  const { gitDir, commonDir, workTree } = repository
  const roots = allowed.map(realOf)
  const isOwn = (path: string) => roots.some((root) => isInside(root, path))
  if (workTree !== null) {
    roots.push(realOf(workTree))
    if (!isOwn(realOf(gitDir)) && !pointsBack(realOf(gitDir), workTree))
      throw refusal(join(workTree, '.git'), 'names a git directory elsewhere', gitDir)
  }
  roots.push(realOf(gitDir))
  // A linked work tree has its own folder inside the repository that it belongs to.
  const belongs = isInside(join(realOf(commonDir), 'worktrees'), realOf(gitDir))
  if (!isOwn(realOf(commonDir)) && !belongs)
    throw refusal(join(gitDir, 'commondir'), 'names a git directory elsewhere', commonDir)
  roots.push(realOf(commonDir))
  checkStore(join(commonDir, 'objects'), isOwn, mostAlternates)
}

function checkStore(objects: string, isOwn: (path: string) => boolean, depth: number): void {
  if (!isOwn(realOf(objects))) throw refusal(objects, 'is a link to objects elsewhere', realOf(objects))
  checkEntries(objects, isOwn, { left: mostObjectFiles }, 0)
  const list = join(objects, 'info/alternates')
  const bytes = readData(list, mostListBytes)
  // Git reads it whole, however long it is.
  if (bytes === null && statOrNull(list) !== null)
    throw refusal(list, 'borrows objects from elsewhere', `it has more than ${mostListBytes} bytes`)
  for (const line of bytes?.toString('utf8').split('\n') ?? []) {
    if (line === '' || line.startsWith('#')) continue
    const other = resolve(objects, line)
    if (line.startsWith('"') || depth === 0 || !isOwn(realOf(other)))
      throw refusal(list, 'borrows objects from elsewhere', line)
    if (statOrNull(other)?.isDirectory()) checkStore(other, isOwn, depth - 1)
  }
}

/** Git opens whatever has the name of an object, and a named pipe lets it wait for ever. */
function checkEntries(
  folder: string,
  isOwn: (path: string) => boolean,
  count: { left: number },
  depth: number,
): void {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (--count.left < 0)
      throw new UserError('repository-unsafe', `${folder} holds more than ${mostObjectFiles} files`)
    if (entry.isFile()) continue
    const stat = statOrNull(path)
    if (stat === null) continue
    if (entry.isSymbolicLink() && !isOwn(realOf(path)))
      throw refusal(path, 'is a link to objects elsewhere', realOf(path))
    if (stat.isDirectory()) {
      if (depth < 2 && !entry.isSymbolicLink()) checkEntries(path, isOwn, count, depth + 1)
    } else if (!stat.isFile())
      throw new UserError(
        'repository-unsafe',
        `${path} is not a regular file, and git would wait for it forever`,
      )
  }
}

/** True for a linked work tree whose entry names this very `.git` file, and for a submodule of an enclosing one. */
function pointsBack(gitDir: string, workTree: string): boolean {
  if (statOrNull(gitDir)?.uid !== statOrNull(workTree)?.uid) return false
  const dotGit = join(workTree, '.git')
  const named = readData(join(gitDir, 'gitdir'), 64 * 1024)?.toString('utf8')
  if (named !== undefined && realOf(resolve(gitDir, trimTrailing(named, '\r\n'))) === realOf(dotGit))
    return true
  for (let at = dirname(workTree); ; at = dirname(at)) {
    const around = workTreeRepository(at)
    if (around) {
      const places = [around.gitDir, around.commonDir].map((folder) => join(realOf(folder), 'modules'))
      const isKnown = isInside(realOf(at), realOf(around.gitDir)) || pointsBack(realOf(around.gitDir), at)
      return isKnown && places.some((place) => isInside(place, gitDir))
    }
    if (at === dirname(at)) return false
  }
}

function refusal(place: string, what: string, target: string): UserError {
  return new UserError('repository-unsafe', `${place} ${what}: ${target}`)
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

/** Without symbolic links; as it stands when nothing is there. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

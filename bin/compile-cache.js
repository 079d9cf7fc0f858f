// Folders in the user's own cache for code that is run: nobody else may be able to write to them.
import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'

/** Where Node may keep what it compiled; null as below. Then nothing is kept, and each start takes a little longer. */
export function compileCacheFolder(environment = process.env) {
  return ownCacheFolder('compiled', environment)
}

/**
 * The folder `name` in the user's own cache folder; null when it cannot be made, belongs to somebody else, or when others
 * may write to it or to a folder above it.
 */
export function ownCacheFolder(name, environment = process.env) {
  const named = environment.XDG_CACHE_HOME ?? ''
  const caches = isAbsolute(named) ? named : join(homedir(), '.cache')
  const folder = join(caches, 'sightline', name)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return isOurs(folder) && (statSync(folder).mode & 0o077) === 0 ? realpathSync(folder) : null
  } catch {
    return null
  }
}

/**
 * Whether only this user can decide what lies in `folder`: nobody else may write to it, owns it, or may exchange a folder above it
 * or a link that leads to it. Root may use a folder of somebody else, as containers do.
 */
export function isOurs(folder) {
  const path = realpathSync(folder)
  if (!isOwnWay(path, true)) return false
  for (let at = resolve(folder); at !== path && at !== dirname(at); at = dirname(at))
    if (!isOwnWay(realpathSync(dirname(at)), false)) return false
  return true
}

/** `path`: without links. `isLast`: it is the folder itself, and not one above it. */
function isOwnWay(path, isLast) {
  // Windows keeps the profiles of users apart by other means than modes.
  if (!process.getuid) return true
  const own = process.getuid()
  for (let at = path; ; at = dirname(at)) {
    const { uid, gid, mode } = statSync(at)
    const isLeaf = isLast && at === path
    if (own !== 0 && uid !== own && (isLeaf || uid !== 0)) return false
    // Many systems give each user a group of the same number, and containers the group of root.
    const isOwnGroup = gid === 0 || (gid === own && gid === process.getgid())
    const isSticky = !isLeaf && (mode & 0o1000) !== 0
    if ((mode & (isOwnGroup ? 0o002 : 0o022)) !== 0 && !isSticky) return false
    if (at === dirname(at)) return true
  }
}

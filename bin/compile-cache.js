// Folders in the user's own cache for code that is run: nobody else may be able to write to them.
import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'

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
    const path = realpathSync(folder)
    return isOurs(path) ? path : null
  } catch {
    return null
  }
}

function isOurs(folder) {
  // Windows keeps the profiles of users apart by other means than modes.
  if (!process.getuid) return true
  const own = process.getuid()
  const { uid, mode } = statSync(folder)
  if (uid !== own || (mode & 0o077) !== 0) return false
  for (let above = dirname(folder); ; above = dirname(above)) {
    const { uid: owner, mode: bits } = statSync(above)
    const isSticky = (bits & 0o1000) !== 0
    if (owner !== own && owner !== 0) return false
    if ((bits & 0o022) !== 0 && !isSticky) return false
    if (above === dirname(above)) return true
  }
}

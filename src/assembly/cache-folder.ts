/** Where what can be computed again is kept between runs. */
import { homedir } from 'node:os'
import { join } from 'node:path'

/** `$XDG_CACHE_HOME/sightline`, else `~/.cache/sightline`. */
export function defaultCacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const base = environment.XDG_CACHE_HOME || join(environment.HOME || homedir(), '.cache')
  return join(base, 'sightline')
}

/** Where what can be computed again is kept between runs. */
import { homedir } from 'node:os'
import { join } from 'node:path'

/** `$XDG_CACHE_HOME/sightline`, else `~/.cache/sightline`. */
export function defaultCacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sightline')
}

/** Files that cannot be read for their words, as they are too large or not here: what nothing is concluded from. */
import { isScript, languageOf } from '../language-of.ts'
import type { World } from '../resolve/contract.ts'
import type { CodeTree } from './contract.ts'

/** Bytes; no limit is set below. */
const smallest = 64 * 1024

/** Code that is written in one of the languages, or in one that shares names with it, the largest first. */
export function unreadCode(world: World, languages: Iterable<string>): Promise<readonly string[]> {
  const families = new Set([...languages].map(familyOf))
  const key = `unread ${[...families].sort().join(' ')}`
  return world.once(key, () => unreadFiles(world, (path) => families.has(familyOf(languageOf(path)))))
}

/** The same, and files of any kind that may hold one of the words. */
export async function unreadWith(
  { world, mentionsInLarge }: CodeTree,
  words: readonly string[],
  languages: Iterable<string>,
): Promise<readonly string[]> {
  const code = await unreadCode(world, languages)
  return code.length > 0 ? code : ((await mentionsInLarge?.(words)) ?? [])
}

/** Of those that are wanted; what is smaller than one that can be read can be read too. */
export async function unreadFiles(
  world: World,
  isWanted: (path: string) => boolean,
): Promise<readonly string[]> {
  const unread: string[] = []
  for (const path of world.paths.largerThan(smallest)) {
    if (!isWanted(path)) continue
    if ((await world.text(path)) !== null) break
    unread.push(path)
  }
  return unread
}

function familyOf(language: string | null): string | null {
  if (language === null) return null
  if (isScript(language)) return 'script'
  if (/^(?:c|cpp)$/.test(language)) return 'c'
  return /^(?:java|kotlin|scala)$/.test(language) ? 'jvm' : language
}

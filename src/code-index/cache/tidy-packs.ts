/** Throws packs away that nobody needs: those of older versions, unused for a month, and one that has grown too large. */
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const largestFile = 2 ** 30
const forgottenAfterMs = 30 * 24 * 3600 * 1000

/** Packs of newer versions are left alone, however old: whoever wrote them knows better. Throws when it cannot list. */
export function tidyPacks(folder: string, current: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.pack')) continue
    const path = join(folder, name)
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found) continue
    const isForgotten = isOlder(name, current) && Date.now() - found.mtimeMs > forgottenAfterMs
    // Processes that have the file open go on with what they have.
    if (isForgotten || (name === current && found.size > largestFile)) rmSync(path, { force: true })
  }
}

/** By the numbers in the names, from left to right. */
export function isOlder(name: string, current: string): boolean {
  const [mine, theirs] = [numbersIn(current), numbersIn(name)]
  for (const [at, number] of mine.entries()) if (theirs[at] !== number) return (theirs[at] ?? number) < number
  return false
}

function numbersIn(name: string): number[] {
  return [...name.matchAll(/\d+/g)].map(([digits]) => Number(digits))
}

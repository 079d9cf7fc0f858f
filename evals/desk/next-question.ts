/** Hands open questions of a desk to readers: one reader a case, so that nobody has seen another reader's thoughts. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type DeskRole, questionFolders } from './answer-desk.ts'

export const finishedFile = 'finished'

export type NextOptions = { role: DeskRole; reader: string; waitMs: number; signal: AbortSignal }

/**
 * Folders of questions without an answer in a case that is this reader's, or becomes it now. `finished` when the desk has
 * closed and nothing is open; `none` when none came in time.
 */
export async function nextQuestions(
  desk: string,
  options: NextOptions,
): Promise<string[] | 'finished' | 'none'> {
  const until = performance.now() + options.waitMs
  for (;;) {
    const open = openQuestions(desk, options)
    if (open.length > 0) return open
    if (existsSync(join(desk, finishedFile))) return 'finished'
    if (performance.now() >= until) return 'none'
    await pause(500, undefined, { signal: options.signal })
  }
}

function openQuestions(desk: string, { role, reader }: NextOptions): string[] {
  const waiting = casesIn(desk).flatMap((name) => {
    const base = join(desk, name, role)
    const folders = questionFolders(base).filter(
      (folder) => existsSync(join(folder, 'request.md')) && !existsSync(join(folder, 'answer.json')),
    )
    return folders.length > 0 ? [{ base, folders }] : []
  })
  const mine = waiting.find(({ base }) => ownerOf(base) === reader)
  if (mine) return mine.folders
  return waiting.find(({ base }) => ownerOf(base) === null && claim(base, reader))?.folders ?? []
}

function casesIn(desk: string): string[] {
  if (!existsSync(desk)) return []
  const folders = readdirSync(desk, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders.map(({ name }) => name).sort()
}

function ownerOf(base: string): string | null {
  const file = join(base, 'reader')
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** False when another reader was quicker. */
function claim(base: string, reader: string): boolean {
  mkdirSync(base, { recursive: true })
  try {
    writeFileSync(join(base, 'reader'), reader, { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

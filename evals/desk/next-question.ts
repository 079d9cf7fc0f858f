/** Hands open questions of a desk to readers: one reader a case, so that nobody has seen another reader's thoughts. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DeskRole, questionFolders } from './answer-desk.ts'

export const finishedFile = 'finished'

export type NextOptions = {
  /** A refuter is asked for second opinions too, of other cases than those it refutes. */
  role: 'reader' | 'refuter'
  reader: string
  waitMs: number
  signal: AbortSignal
}

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

const rolesOf: Record<NextOptions['role'], readonly DeskRole[]> = {
  reader: ['reader', 'other'],
  refuter: ['refuter', 'second'],
}

function openQuestions(desk: string, { role, reader }: NextOptions): string[] {
  const waiting = casesIn(desk).flatMap((name) =>
    rolesOf[role].flatMap((part) => {
      const base = join(desk, name, part)
      const folders = questionFolders(base).filter(
        (folder) => existsSync(join(folder, 'request.md')) && !existsSync(join(folder, 'answer.json')),
      )
      return folders.length > 0 ? [{ name, base, folders }] : []
    }),
  )
  const mine = waiting.find(({ base }) => ownerOf(base) === reader)
  if (mine) return mine.folders
  const free = waiting.filter(({ name, base }) => ownerOf(base) === null && !hasPart(desk, name, reader))
  return free.find(({ base }) => claim(base, reader))?.folders ?? []
}

/** Whoever had one part in a case has no other: nobody checks a finding of their own, or checks one twice. */
function hasPart(desk: string, name: string, reader: string): boolean {
  return DeskRole.options.some((part) => ownerOf(join(desk, name, part)) === reader)
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

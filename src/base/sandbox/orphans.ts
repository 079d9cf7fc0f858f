/**
 * What a killed bubblewrap leaves. It starts an inner process, prepares its user table and then gives it a word; killed in between,
 * `--die-with-parent` notwithstanding, the inner one waits for that word for ever (https://github.com/containers/bubblewrap/issues/633).
 */
import { readdirSync, statSync } from 'node:fs'
import { descendants, endProcess, readProc } from '../process-tree.ts'

/** Of this user. None where the system does not tell, and where no bubblewrap waits for one that has ended. */
export function findOrphans(): number[] {
  const own = process.getuid?.()
  return listed('/proc').flatMap((name) => {
    const pid = Number(name)
    return Number.isInteger(pid) && isOrphan(pid) && statSync(`/proc/${pid}`, quietly)?.uid === own
      ? [pid]
      : []
  })
}

/** Whoever is about to use bubblewrap ends them, so that they never gather. */
export function endOrphans(): void {
  for (const pid of findOrphans()) endProcess(pid)
}

const quietly = { throwIfNoEntry: false } as const

/**
 * One that was asked to die with its parent, leads no group, and whose group has lost its leader, which the outer process is where we
 * started it. Where somebody else did, whoever led the group may have ended for another reason, and the outer process is still its
 * parent. It has started nothing yet: a sandbox that works has.
 */
function isOrphan(pid: number): boolean {
  if (!isBubblewrap(pid)) return false
  const stat = readProc(`/proc/${pid}/stat`) ?? ''
  const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (
    state === 'S' &&
    Number(group) !== pid &&
    !isBubblewrap(Number(parent)) &&
    statSync(`/proc/${group}`, quietly) === undefined &&
    readProc(`/proc/${pid}/cmdline`)?.split('\0').includes('--die-with-parent') === true &&
    descendants(pid).length === 0
  )
}

function isBubblewrap(pid: number): boolean {
  return readProc(`/proc/${pid}/comm`) === 'bwrap\n'
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

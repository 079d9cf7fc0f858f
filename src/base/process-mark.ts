/**
 * Names a process so that another one can tell later whether it still runs. Process ids are given out again, so the
 * moment the process began is part of the mark where the system tells it; so is the machine, since folders are shared.
 */
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { once } from './remembered.ts'

export type ProcessMark = {
  pid: number
  /** In ticks since the system began, from Linux; `-` elsewhere. */
  began: string
  /** Eight hexadecimal digits: the machine and, in containers, the process table that `pid` is of. */
  machine: string
}

export function markOfThisProcess(): ProcessMark {
  return adopted ?? asBegun()
}

/** Always the same, so that what this process has marked is known again even if the system tells nothing any more. */
const asBegun = once(() => markOf(process.pid))

/** Of a process of the same process table. */
export function markOf(pid: number): ProcessMark {
  return { pid, began: beganAt(pid), machine: thisMachine() }
}

let adopted: ProcessMark | null = null

/**
 * For a process in a sandbox with a process table of its own: how those outside see it. Whoever started it says so; what it
 * leaves behind can then be told from what somebody still uses.
 */
export function adoptMark(mark: string): void {
  adopted = readMark(mark)
}

/** True also when it cannot be told: nothing is known of the processes of another machine. */
export function mayBeRunning({ pid, began, machine }: ProcessMark): boolean {
  if (machine !== thisMachine()) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    // Somebody else's process runs too.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const beganNow = beganAt(pid)
  return beganNow === '-' || began === '-' || beganNow === began
}

/** The mark of this process in one line. */
export function ownMark(): string {
  return inOneLine(markOfThisProcess())
}

export function inOneLine({ pid, began, machine }: ProcessMark): string {
  return `${pid} ${began} ${machine}`
}

/** `mark` begins as `ownMark` writes it; of what does not, nothing is known. */
export function ownerMayBeRunning(mark: string): boolean {
  const read = readMark(mark)
  return read !== null && mayBeRunning(read)
}

function readMark(mark: string): ProcessMark | null {
  const [pid = '', began = '', machine = ''] = mark.trim().split(' ')
  return /^\d{1,10}$/.test(pid) ? { pid: Number(pid), began, machine } : null
}

/** Whether the process of `mark` is of this machine, so that `ownerMayBeRunning` knows of it. */
export function isOfThisMachine(mark: string): boolean {
  return mark.trim().split(' ')[2] === thisMachine()
}

const thisMachine = once(() =>
  createHash('sha256').update(`${hostname()} ${processTable()}`).digest('hex').slice(0, 8),
)

/** Two containers may have one host name and one temporary folder, and each its own process 1. */
function processTable(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

function beganAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program stands in brackets and may hold anything; the 20th field behind it counts.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-'
  } catch {
    return '-'
  }
}

/** Tells a run that is on from one that was killed: beside its log, and in its claims, stands the mark of its process. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { remove, writeWhole } from '../../base/durable.ts'
import { markOfThisProcess, mayBeRunning } from '../../base/process-mark.ts'

export function markRunning(folder: string, name: string): void {
  writeWhole(markPath(folder, name), Buffer.from(`${ownMark()}\n`), { replace: true })
}

export function unmarkRunning(folder: string, name: string): void {
  remove(markPath(folder, name))
}

/** Of another machine that shares the folder nothing is known; its run counts as on until its mark is removed. */
export function isRunning(folder: string, name: string): boolean {
  return ownerMayBeRunning(readMark(folder, name))
}

/** The mark of this process in one line. */
export function ownMark(): string {
  const { pid, began, machine } = markOfThisProcess()
  return `${pid} ${began} ${machine}`
}

/** `mark` begins as `ownMark` writes it; of what does not, nobody is known. */
export function ownerMayBeRunning(mark: string): boolean {
  const [pid = '', began = '', machine = ''] = mark.trim().split(' ')
  return /^\d{1,10}$/.test(pid) && mayBeRunning({ pid: Number(pid), began, machine })
}

function markPath(folder: string, name: string): string {
  return join(folder, `${name}.pid`)
}

function readMark(folder: string, name: string): string {
  try {
    return readFileSync(markPath(folder, name), 'utf8')
  } catch {
    return ''
  }
}

/**
 * Tells a run that is on from one that was killed: beside its log lies the id of its process, with the moment the
 * process began where the system tells it, since ids are given again.
 */
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '../../base/canonical-json.ts'
import { codeOf, remove, writeWhole } from './durable.ts'

export function markRunning(folder: string, name: string): void {
  const mark = `${process.pid} ${beganAt(process.pid)} ${thisMachine()}\n`
  writeWhole(markPath(folder, name), Buffer.from(mark), { replace: true })
}

export function unmarkRunning(folder: string, name: string): void {
  remove(markPath(folder, name))
}

/** Of another machine that shares the folder nothing is known; its run counts as on until its mark is removed. */
export function isRunning(folder: string, name: string): boolean {
  const [pid = '', began = '', machine = ''] = readMark(folder, name).trim().split(' ')
  if (!/^\d{1,10}$/.test(pid)) return false
  if (machine !== thisMachine()) return true
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false
  }
  const beganNow = beganAt(Number(pid))
  return beganNow === '-' || began === '-' || beganNow === began
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

function thisMachine(): string {
  return sha256(hostname()).slice(0, 8)
}

/** In ticks since the system began, from Linux; `-` elsewhere. */
function beganAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program stands in brackets and may hold anything; the 20th field behind it counts.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-'
  } catch {
    return '-'
  }
}

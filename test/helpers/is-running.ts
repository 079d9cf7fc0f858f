/** Whether a process still runs; only Linux tells. One that has ended counts as gone before its parent has asked for its end. */
import { readProc } from '../../src/base/process-tree.ts'

export function isRunning(pid: number): boolean {
  const state = /^State:\s+(\w)/m.exec(readProc(`/proc/${pid}/status`) ?? '')?.[1]
  return state !== undefined && state !== 'Z' && state !== 'X'
}

/** Whether a process runs. One that has ended counts as gone before its parent has asked for its end, where the system tells. */
import { readProc } from '../../src/base/process-tree.ts'

export function isRunning(pid: number): boolean {
  const status = readProc(`/proc/${pid}/status`)
  if (status !== null) return !/^State:\s+[ZX]/m.test(status)
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/**
 * Roles of the server inside the test's process, where modules and parsers are warm: the same orders, bodies and reports. What
 * only a process of their own gives them, walls and limits, is a matter of `test/server/roles`.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { UserError } from '../../src/base/errors.ts'
import { carryOut } from '../../src/server/roles/carry-out.ts'
import { Report, RoleResult } from '../../src/server/roles/contract.ts'
import type { RoleEnd, RunRole } from '../../src/server/roles/run-role.ts'
import { sharedFacts } from './shared-facts.ts'

export const runRoleHere: RunRole = async (run) => {
  const startedAt = performance.now()
  const { order, signal, onReport, mayWrite = async () => false } = run
  for (const name of ['home', 'tmp']) mkdirSync(join(run.folder, name), { recursive: true, mode: 0o700 })
  const refreshes = new PassThrough({ objectMode: true })
  const line = {
    report: (report: Report) => onReport?.(Report.parse(structuredClone(report))),
    requireJob: async () => {
      if (!(await mayWrite())) throw new Error('the job is another worker’s by now; nothing was written')
    },
    ...{ refreshes, signal, facts: sharedFacts() },
  }
  run.onStart?.((words) => {
    if (words.type === 'refresh') refreshes.write(words)
  })
  // The gate would be the only way out of this whole process.
  const here = structuredClone(order.role === 'analyzer' ? { ...order, gate: null } : order)
  const end = await endOf(carryOut(here, line), signal)
  return { end, peakMegabytes: 0, cpuSeconds: 0, durationMs: Math.round(performance.now() - startedAt) }
}

async function endOf(work: Promise<RoleResult>, signal: AbortSignal): Promise<RoleEnd> {
  try {
    const result = RoleResult.parse(structuredClone(await work))
    return signal.aborted ? { kind: 'aborted' } : { kind: 'done', result }
  } catch (error) {
    if (signal.aborted) return { kind: 'aborted' }
    const code = error instanceof UserError ? error.code : null
    return { kind: 'failed', code, message: error instanceof Error ? error.message : String(error) }
  }
}

/** `eval run SET`: reviews a set, or goes on with one that was begun; then its scores. */
import { exitCodes, UserError } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import { readModelRoles } from '../input/model-roles.ts'
import type { EvalCall, EvalVerb } from './contract.ts'

export const runEvaluation: EvalVerb = {
  operands: ['SET'],
  async run({ values, operands: [set = ''], terminal, signal }) {
    const folder = folderOf(values)
    const { beginRunFolder, readCases, reportAsMarkdown, runSet, scoreRun, sightlineReviewer } = await import(
      '../../evaluation/index.ts'
    )
    const settings = await settingsOf(values)
    const run = beginRunFolder(folder, nameOf(set), await readCases(set), settings)
    const report = await runSet({
      run,
      reviewer: sightlineReviewer({ settings, fresh: values.fresh }),
      mirrors: values.mirrors ?? null,
      jobs: values.jobs ?? 2,
      budget: values.budget ?? null,
      signal,
      onCase: teller({ values, terminal }),
    })
    if (!values.quiet)
      terminal.note(
        `${report.reviewed} reviewed, ${report.kept} kept from before, ${report.failed.length} failed, ${report.unpaid} not begun for want of money; $${report.usd.toFixed(4)} spent\n`,
      )
    await terminal.result(reportAsMarkdown(scoreRun(run)))
    if (report.unpaid > 0) return exitCodes.budget
    return report.failed.length > 0 ? exitCodes.incomplete : exitCodes.clean
  },
}

export function folderOf({ out }: Pick<EvalCall['values'], 'out'>): string {
  if (out === undefined) throw new UserError('usage', 'an evaluation needs a folder: --out FOLDER')
  return out
}

export async function settingsOf(values: EvalCall['values']) {
  const { usualSettings } = await import('../../evaluation/index.ts')
  const roles = readModelRoles(values.model)
  const named = Object.entries(roles ?? {}).map(([role, models]) => [role, [...(models ?? [])]])
  return {
    ...usualSettings,
    depth: values.depth ?? usualSettings.depth,
    history: values.history ?? usualSettings.history,
    roles: roles ? (Object.fromEntries(named) as Record<string, string[]>) : null,
    skipPlanes: [...values.skip],
    onlyPlanes: [...values.only],
  }
}

/** One line a case on standard error. */
export function teller({ values, terminal }: Pick<EvalCall, 'values' | 'terminal'>) {
  return ({ done, total, id, words }: { done: number; total: number; id: string; words: string }) => {
    if (!values.quiet) terminal.note(`${done}/${total}  ${visibleLine(id)}  ${visibleLine(words)}\n`)
  }
}

export function nameOf(set: string): string {
  return (set.split(/[\\/]/).at(-1) ?? set).replace(/\.jsonl?$/, '')
}

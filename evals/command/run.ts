/** `run SET`: reviews a set, or continues an evaluation that was begun; then prints its scores. */
import { exitCodes, visibleLine } from '../../src/index.ts'
import { EvaluationError } from '../base/errors.ts'
import { readCases } from '../cases/read-cases.ts'
import { reportAsMarkdown } from '../report/markdown.ts'
import type { CaseProgress } from '../run/each-case.ts'
import { sightlineReviewer } from '../run/reviewer.ts'
import { beginRunFolder } from '../run/run-folder.ts'
import { runSet } from '../run/run-set.ts'
import { defaultSettings, type EvalSettings } from '../run/settings.ts'
import { scoreRun } from '../scores/score-run.ts'
import type { EvaluationCommand, Output } from './contract.ts'
import type { Values } from './options.ts'

export const runCommand: EvaluationCommand = {
  summary: 'Review a set of cases and score the reviews.',
  operands: ['SET'],
  async run({ values, operands: [set = ''], output, facts, signal }) {
    const folder = folderOf(values)
    const settings = settingsOf(values)
    const run = beginRunFolder(folder, nameOf(set), await readCases(set), settings)
    const { reviewed, kept, failed, unpaid, usd } = await runSet({
      run,
      reviewer: sightlineReviewer({ settings, facts, fresh: values.fresh }),
      mirrors: values.mirrors ?? null,
      jobs: values.jobs,
      budget: values.budget ?? null,
      signal,
      onCase: reportTo(output),
    })
    output.note(
      `${reviewed} reviewed, ${kept} kept from before, ${failed.length} failed, ${unpaid} over budget; $${usd.toFixed(4)} spent`,
    )
    output.result(reportAsMarkdown(scoreRun(run)))
    if (unpaid > 0) return exitCodes.budget
    return failed.length > 0 ? exitCodes.incomplete : exitCodes.clean
  },
}

export function folderOf({ out }: Pick<Values, 'out'>): string {
  if (out === undefined) throw new EvaluationError('usage', 'an evaluation needs a folder: --out FOLDER')
  return out
}

export function settingsOf({ depth, history, model, skip, only }: Values): EvalSettings {
  return {
    ...defaultSettings,
    depth: depth ?? defaultSettings.depth,
    history: history ?? defaultSettings.history,
    roles: readModelRoles(model) ?? null,
    skipPlanes: skip,
    onlyPlanes: only,
  }
}

const roleNames = ['scout', 'reviewer', 'judge'] as const
export type Roles = Partial<Record<(typeof roleNames)[number], string[]>>

/** `reviewer=anthropic/claude-sonnet-5-5`; a role that is given more than once has its models tried in this order. */
export function readModelRoles(typed: readonly string[]): Roles | undefined {
  if (typed.length === 0) return undefined
  const roles: Roles = {}
  for (const one of typed) {
    const [, name = 'reviewer', model] = /^(?:([a-z]+)=)?([a-z0-9][a-z0-9-]*\/\S+)$/.exec(one) ?? []
    const role = roleNames.find((known) => known === name)
    if (!role || model === undefined)
      throw new EvaluationError(
        'usage',
        `--model: \`${one}\` is not ROLE=PROVIDER/MODEL; roles are ${roleNames.join(', ')}`,
      )
    roles[role] = [...(roles[role] ?? []), model]
  }
  return roles
}

/** One line a case. */
export function reportTo(output: Output): (progress: CaseProgress) => void {
  return ({ done, total, id, words }) =>
    output.note(`${done}/${total}  ${visibleLine(id)}  ${visibleLine(words)}`)
}

export function nameOf(set: string): string {
  return (set.split(/[\\/]/).at(-1) ?? set).replace(/\.jsonl?$/, '')
}

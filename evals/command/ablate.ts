/** `ablate SET`: the same set without one part at a time: planes, sections of the bundle, checks of validation. */
import { ContextSection, checkNames, exitCodes, planesAt } from '../../src/index.ts'
import { ablate, type Parts, withoutEach } from '../ablation/ablate.ts'
import { readCases } from '../cases/read-cases.ts'
import { tableAsMarkdown } from '../report/markdown.ts'
import { sightlineReviewer } from '../run/reviewer.ts'
import type { EvalSettings } from '../run/settings.ts'
import type { EvaluationCommand } from './contract.ts'
import type { partKinds, Values } from './options.ts'
import { folderOf, nameOf, reportTo, settingsOf } from './run.ts'

export const ablateCommand: EvaluationCommand = {
  summary: 'Run a set once with everything and once without each part.',
  operands: ['SET'],
  async run({ values, operands: [set = ''], output, facts, signal }) {
    const folder = folderOf(values)
    const settings = settingsOf(values)
    const matrix = await ablate({
      folder,
      set: nameOf(set),
      cases: await readCases(set),
      variants: withoutEach(settings, partsOf(values.part, settings)),
      reviewerOf: (variant) => sightlineReviewer({ settings: variant, facts, fresh: values.fresh }),
      mirrors: values.mirrors ?? null,
      jobs: values.jobs,
      budget: values.budget ?? null,
      signal,
      onCase: reportTo(output),
    })
    output.result(`${tableAsMarkdown(matrix)}\n`)
    return exitCodes.clean
  },
}

/** What bears on a review of this depth: without a model there is no bundle around the change to take from. */
function partsOf(kind: Values['part'], { depth, skipPlanes }: EvalSettings): Parts {
  const wants = (one: (typeof partKinds)[number]) => kind === undefined || kind === one
  const hasBundle = depth === 'standard' || depth === 'deep'
  return {
    planes: wants('planes') ? planesAt(depth).filter((name) => !skipPlanes.includes(name)) : [],
    sections: wants('sections') && hasBundle ? [...ContextSection.options] : [],
    checks: wants('checks') ? checkNames : [],
  }
}

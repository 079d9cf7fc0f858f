/** `eval ablate SET`: the same set without one part at a time: planes, sections of the bundle, checks of validation. */
import { exitCodes } from '../../base/errors.ts'
import type { EvalSettings, Parts } from '../../evaluation/index.ts'
import type { EvalVerb } from './contract.ts'
import type { PartKind } from './options.ts'
import { folderOf, nameOf, settingsOf, teller } from './run-evaluation.ts'

export const ablateParts: EvalVerb = {
  operands: ['SET'],
  async run({ values, operands: [set = ''], terminal, signal }) {
    const folder = folderOf(values)
    const { ablate, readCases, sightlineReviewer, tableAsMarkdown, withoutEach } = await import(
      '../../evaluation/index.ts'
    )
    const settings = await settingsOf(values)
    const matrix = await ablate({
      folder,
      set: nameOf(set),
      cases: await readCases(set),
      variants: withoutEach(settings, await partsOf(values.part, settings)),
      reviewerOf: (variant) => sightlineReviewer({ settings: variant, fresh: values.fresh }),
      mirrors: values.mirrors ?? null,
      jobs: values.jobs ?? 2,
      budget: values.budget ?? null,
      signal,
      onCase: teller({ values, terminal }),
    })
    await terminal.result(`${tableAsMarkdown(matrix)}\n`)
    return exitCodes.clean
  },
}

/** What bears on a review of this depth: without a model there is no bundle around the change to take from. */
async function partsOf(kind: PartKind | undefined, { depth, skipPlanes }: EvalSettings): Promise<Parts> {
  const { ContextSection, checkNames, planesAt } = await import('../../index.ts')
  const wants = (one: PartKind) => kind === undefined || kind === one
  const looksAround = depth === 'standard' || depth === 'deep'
  return {
    planes: wants('planes') ? planesAt(depth).filter((name) => !skipPlanes.includes(name)) : [],
    sections: wants('sections') && looksAround ? [...ContextSection.options] : [],
    checks: wants('checks') ? checkNames : [],
  }
}

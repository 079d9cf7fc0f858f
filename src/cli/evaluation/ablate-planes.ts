/** `eval ablate SET`: the same set without one plane at a time. */
import { exitCodes } from '../../base/errors.ts'
import type { EvalVerb } from './contract.ts'
import { folderOf, nameOf, settingsOf, teller } from './run-evaluation.ts'

export const ablatePlanes: EvalVerb = {
  operands: ['SET'],
  async run({ values, operands: [set = ''], terminal, signal }) {
    const folder = folderOf(values)
    const { ablate, readCases, sightlineReviewer, tableAsMarkdown, withoutEachPlane } = await import(
      '../../evaluation/index.ts'
    )
    const { planeNames } = await import('../../index.ts')
    const settings = await settingsOf(values)
    const left = planeNames.filter((name) => !settings.skipPlanes.includes(name))
    const matrix = await ablate({
      folder,
      set: nameOf(set),
      cases: await readCases(set),
      variants: withoutEachPlane(settings, left),
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

/** The instructions plane: changes to what steers tools, agents and reviewers. */
import { pathOn } from '../../../domain/change-set.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import { addedText } from '../changed-lines.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'
import { oncePerCause } from '../one-cause.ts'
import { checkDependencies, packagesOf } from './dependencies.ts'
import { describeFiles, describeObservation } from './observation.ts'
import { checkReviewerText } from './reviewer-text.ts'
import { checkFiles, checkLines } from './steering-files.ts'
import { checkWorkflow } from './workflows.ts'

export const instructionsPlane: Plane = {
  name: 'instructions',
  description: 'changes to files that steer tools, agents, workflows and this reviewer',
  wrongIf: 'somebody who answers for this repository wanted it so',
  look,
}

async function look({ context, base, head, keep }: PlaneInput): Promise<PlaneReport> {
  const { change } = context
  const candidates: CandidateDraft[] = checkFiles(change.files).map(describeFiles)
  keep?.({ candidates, limits: [] })
  const added = addedText(change)
  const workflows = added.filter(({ file }) => /\.ya?ml$/.test(file.path)).map(({ file }) => file)
  const texts = await head.readMany(workflows.map(({ path }) => path))
  const baseTexts = await base.readMany(workflows.map((file) => pathOn('old', file)))
  const own = await packagesOf(change.files, head)
  for (const one of added) {
    const headLines = texts.get(one.file.path)?.text.split('\n')
    const baseLines = baseTexts.get(pathOn('old', one.file))?.text.split('\n') ?? []
    const observations = [
      ...checkLines(one),
      ...(headLines ? checkWorkflow(one, headLines, baseLines) : []),
      ...checkReviewerText(one),
      ...(await checkDependencies(one, head, own)),
    ]
    candidates.push(...observations.map((observation) => describeObservation(one.file, observation)))
  }
  return { candidates: oncePerCause(candidates, causeOf), limits: [] }
}

/** What several lock files lack for the same reason is named after the path of each. */
function causeOf({ rule, title }: CandidateDraft): string {
  return rule === 'instructions/lock-out-of-step' ? title.replace(/^`[^`]*`/, rule) : `${rule}\n${title}`
}

/** The instructions plane: changes to what steers tools, agents and reviewers. */
import type { FileChange } from '../../../domain/change-set.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import { addedText } from '../added-lines.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'
import { sightFile } from './instruction-files.ts'
import { sightReviewerText } from './reviewer-text.ts'
import { sightLines } from './running-lines.ts'
import { describeSighting } from './sighting.ts'
import { sightWorkflow } from './workflows.ts'

export const instructionsPlane: Plane = {
  name: 'instructions',
  description: 'changes to files that steer tools, agents, workflows and this reviewer',
  look,
}

async function look({ context, base, head, keep }: PlaneInput): Promise<PlaneReport> {
  const { change } = context
  const candidates: CandidateDraft[] = change.files.flatMap((file) =>
    sightFile(file).map((sighting) => describeSighting(file, sighting)),
  )
  keep?.({ candidates, limits: [] })
  const added = addedText(change)
  const workflows = added.filter(({ file }) => /\.ya?ml$/.test(file.path)).map(({ file }) => file)
  const texts = await head.readMany(workflows.map(({ path }) => path))
  const baseTexts = await base.readMany(workflows.map(basePathOf))
  for (const one of added) {
    const headLines = texts.get(one.file.path)?.text.split('\n')
    const baseLines = baseTexts.get(basePathOf(one.file))?.text.split('\n') ?? []
    const sightings = [
      ...sightLines(one),
      ...(headLines ? sightWorkflow(one, headLines, baseLines) : []),
      ...sightReviewerText(one),
    ]
    candidates.push(...sightings.map((sighting) => describeSighting(one.file, sighting)))
  }
  return { candidates, limits: [] }
}

function basePathOf({ path, oldPath }: FileChange): string {
  return oldPath ?? path
}

/** The instructions plane: changes to what steers tools, agents and reviewers. */
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

async function look({ context, head }: PlaneInput): Promise<PlaneReport> {
  const { change } = context
  const candidates: CandidateDraft[] = change.files.flatMap((file) =>
    sightFile(file).map((sighting) => describeSighting(file, sighting)),
  )
  const added = addedText(change)
  const workflows = added.filter(({ file }) => /\.ya?ml$/.test(file.path)).map(({ file }) => file.path)
  const texts = await head.readMany(workflows)
  for (const one of added) {
    const headLines = texts.get(one.file.path)?.text.split('\n')
    const sightings = [
      ...sightLines(one),
      ...(headLines ? sightWorkflow(one, headLines) : []),
      ...sightReviewerText(one),
    ]
    candidates.push(...sightings.map((sighting) => describeSighting(one.file, sighting)))
  }
  return { candidates, limits: [] }
}

/**
 * Blind sheets: the findings of several reviewers of one case, shuffled into one list, so that whoever judges them cannot
 * tell whose they are. `CASE/sheet.md` is for the judge, `keys/CASE.json` says whose finding each is, and the judge writes
 * `CASE/judgement.json`.
 */
import { join } from 'node:path'
import { z } from 'zod'
import type { EvalCase, KnownFault } from '../cases/eval-case.ts'
import { writeWhole } from '../run/records.ts'
import { seededRandom } from '../scores/random.ts'
import { type ArmFinding, ArmFinding as ArmFindingSchema } from './arms.ts'

/** A finding of an arm under the name that the judge sees. */
export const SheetKey = z.object({
  case: z.string(),
  known: z.number().int(),
  findings: z.array(
    z.object({ name: z.string(), arm: z.string(), at: z.number().int(), finding: ArmFindingSchema }),
  ),
})
export type SheetKey = z.infer<typeof SheetKey>

/** What a finding is: `pre-existing` is true and not caused by the change; `speculative` could not be settled. */
export const Truth = z.enum(['important', 'minor', 'pre-existing', 'speculative', 'false'])

export const SheetJudgement = z.object({
  /** Every known fault, since lists of them hold matters of taste and errors too. */
  faults: z.array(
    z.object({ known: z.number().int().positive(), truth: z.enum([...Truth.options, 'taste']) }),
  ),
  findings: z.array(
    z.object({
      finding: z.string(),
      /** The number of the known fault it describes, from 1; null for none. */
      known: z.number().int().positive().nullable(),
      truth: Truth,
      /** An earlier finding on the sheet that says the same; null for none. */
      same_as: z.string().nullable(),
      /** Other findings on the sheet, each of which is a part of what it says; none where it says one thing. */
      also: z.array(z.string()).default([]),
    }),
  ),
})
export type SheetJudgement = z.input<typeof SheetJudgement>

/** A name that every file system takes. */
export function fileNameOf(id: string): string {
  return id.replaceAll(/[^\w.-]+/g, '_')
}

/** Writes one sheet and its key. The same seed gives the same order. */
export function writeSheet(
  folder: string,
  one: EvalCase,
  findings: ReadonlyMap<string, readonly ArmFinding[]>,
  seed: number,
): void {
  const random = seededRandom(seed)
  const shuffled = [...findings]
    .flatMap(([arm, list]) => list.map((finding, at) => ({ arm, at, finding, order: random() })))
    .sort((a, b) => a.order - b.order)
    .map(({ arm, at, finding }, index) => ({ name: `F${index + 1}`, arm, at, finding }))
  const key: SheetKey = { case: one.id, known: one.expected.length, findings: shuffled }
  writeWhole(join(folder, 'keys', `${fileNameOf(one.id)}.json`), `${JSON.stringify(key, null, 1)}\n`)
  writeWhole(join(folder, fileNameOf(one.id), 'sheet.md'), sheetText(one, shuffled))
}

function sheetText({ id, repo, base, head, expected }: EvalCase, findings: SheetKey['findings']): string {
  const known = expected.map(
    (fault, at) => `- **K${at + 1}** ${placeText(fault)}: ${oneLine(fault.description)}`,
  )
  const shown = findings.map(
    ({ name, finding: { file, startLine, endLine, title, explanation } }) =>
      `### ${name} ${file}:${startLine}${endLine === startLine ? '' : `-${endLine}`}\n${title}\n\n${explanation}`,
  )
  return [
    `# ${id}`,
    `Repository ${repo}, change ${base}..${head}.`,
    guide,
    `## Known faults\n${known.length > 0 ? known.join('\n') : 'None is known.'}`,
    `## Findings\n${shown.length > 0 ? shown.join('\n\n') : 'There are none.'}`,
  ].join('\n\n')
}

const guide = `Judge each finding and each known fault below against the code at both commits. Write \`judgement.json\` beside this file:

    {"faults": [{"known": 1, "truth": "…"}, …],
     "findings": [{"finding": "F1", "known": 2 or null, "truth": "…", "same_as": "F3" or null, "also": ["F4", "F7"] or []}, …]}

- \`known\`: the number of the known fault that the finding describes: whoever acts on the finding would also fix that fault
  (same cause, or same failure from the same code; same lines or same topic do not suffice).
- \`truth\`: \`important\` (true, caused by this change, and a careful team would want it fixed before merging), \`minor\` (true, of
  little consequence), \`pre-existing\` (true, and not caused by this change), \`speculative\` (cannot be settled from the code),
  \`false\`. Look into the code before you decide; the list of known faults is not complete. Of a known fault also \`taste\`: it
  names no defect but a wish (style, naming, another structure, a comment, general advice).
- \`same_as\`: an earlier finding on this sheet that says the same (fixing one fixes the other).
- \`also\`: where it states several defects that others on this sheet state one by one: all of these, earlier or later ones
  (whoever acts on it would fix them too). Then \`same_as\` is null.`

function placeText({ place }: KnownFault): string {
  return place === null ? 'no place named' : `${place.file}:${place.start}-${place.end}`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** The tests plane: tests that a change weakens, skips or deletes although what they tested stays. */
import type { CandidateDraft } from '../../../domain/finding.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'
import { findRemovedAssertions } from './assertions-removed.ts'
import { type DeletedTest, findDeletedTests } from './deleted.ts'
import { describeDeletedTest, describeRemovedAssertions, describeSkippedTest } from './describe.ts'
import { findSkippedTests } from './skips.ts'
import { openStillThere } from './still-there.ts'
import { readTestFiles } from './test-files.ts'

/** Of one rule; a change that does more than that has said so. */
const mostFindings = 5

export const testsPlane: Plane = {
  name: 'tests',
  description: 'assertions removed, tests skipped, tests deleted while the code they tested stays',
  look,
}

async function look({ context, base, head, facts, keep }: PlaneInput): Promise<PlaneReport> {
  const { change, symbols } = context
  const tests = await readTestFiles({ change, base, head, facts })
  const skipped = tests.flatMap(findSkippedTests).slice(0, mostFindings).map(describeSkippedTest)
  keep?.({ candidates: skipped, limits: [] })
  const weakened = tests.flatMap(findRemovedAssertions)
  const asked = weakened.map(({ lines, test }) => ({ lines, language: test.language }))
  const isStillThere = await openStillThere(change, head, asked)
  const removed = weakened
    .filter(({ lines, test }) => isStillThere(lines, test.language))
    .slice(0, mostFindings)
    .map(describeRemovedAssertions)
  keep?.({ candidates: [...skipped, ...removed], limits: [] })
  const deleted = await findDeletedTests(tests, { change, symbols, head })
  return {
    candidates: [...skipped, ...removed, ...(await describeDeleted(deleted.slice(0, mostFindings), head))],
    limits: [],
  }
}

async function describeDeleted(
  deleted: readonly DeletedTest[],
  head: RepoSnapshot,
): Promise<CandidateDraft[]> {
  const texts = await head.readMany(deleted.map(({ stillIn }) => stillIn))
  return deleted.flatMap((found) => {
    const file = texts.get(found.stillIn)
    const lines = file?.text.split('\n') ?? []
    const index = lines.findIndex((text) => text.includes(found.name))
    if (!file || index < 0) return []
    const place = { path: found.stillIn, blob: file.blob, line: index + 1, text: lines[index] ?? '' }
    return [describeDeletedTest(found, place)]
  })
}

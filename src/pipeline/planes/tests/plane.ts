/** The tests plane: tests that a change weakens, skips or deletes although what they tested stays. */
import { count } from '../../../base/count.ts'
import { visibleLine } from '../../../base/visible-text.ts'
import type { ChangeSet } from '../../../domain/change-set.ts'
import type { EvidenceDraft } from '../../../domain/evidence.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import { formatFileTag, tagOf } from '../../../domain/line-tag.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { nearestTag } from '../changed-lines.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'
import { withPlaces } from '../one-cause.ts'
import { type DeletedTest, findDeletedTests } from './deleted-tests.ts'
import { findRemovedAssertions, openSubjectCheck, type RemovedAssertions } from './removed-assertions.ts'
import { findSkippedTests, type SkippedTest } from './skipped-tests.ts'
import { readTestFiles, type TestFile, type TestSide } from './test-files.ts'

/** Of each rule. */
const mostFindings = 5

export const testsPlane: Plane = {
  name: 'tests',
  description: 'assertions removed, tests skipped, tests deleted while the code they tested stays',
  wrongIf: 'another test holds what this one no longer does',
  look,
}

async function look({ context, base, head, facts, keep }: PlaneInput): Promise<PlaneReport> {
  const { change, symbols } = context
  const tests = await readTestFiles({ change, base, head, facts })
  const skipped = together(tests.flatMap(findSkippedTests), describeSkippedTest)
  keep?.({ candidates: skipped, limits: [] })
  const weakened = tests.flatMap(findRemovedAssertions)
  const removedLines = weakened.map(({ lines, test }) => ({ lines, language: test.language }))
  const stillExists = await openSubjectCheck(change, head, removedLines)
  const removed = together(
    weakened.filter(
      ({ lines, test, isSilenced }) =>
        (isSilenced || isOnlyChange(test, change)) && stillExists(lines, test.language),
    ),
    describeRemovedAssertions,
  )
  keep?.({ candidates: [...skipped, ...removed], limits: [] })
  const deleted = await findDeletedTests(tests, { change, symbols, head })
  return {
    candidates: [...skipped, ...removed, ...(await describeDeleted(deleted.slice(0, mostFindings), head))],
    limits: [],
  }
}

/** With other code, what an assertion checked may have changed on purpose; one that is commented out is told anyway. */
function isOnlyChange({ file }: TestFile, { files }: ChangeSet): boolean {
  return files.every((other) => other === file || other.role === 'test' || other.role === 'docs')
}

/** What a change does to several tests has one reason. */
function together<Found>(
  all: readonly Found[],
  describe: (one: Found, others: number) => CandidateDraft,
): CandidateDraft[] {
  const [first, ...others] = all
  if (first === undefined) return []
  return [
    withPlaces(
      describe(first, others.length),
      others.map((one) => describe(one, 0)),
    ),
  ]
}

/** ` and 4 more tests`. */
function andMore(others: number): string {
  return others === 0 ? '' : ` and ${count(others, 'more test')}`
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

/** Lines of a test that are shown as evidence. */
const shownLines = 20

const common = {
  plane: 'tests',
  category: 'tests',
  severity: 'medium',
  suggestion: null,
  preExisting: false,
} as const

function describeRemovedAssertions(found: RemovedAssertions, others: number): CandidateDraft {
  const { test, pair, lines, isSilenced, left } = found
  const [first] = lines
  const line = first?.old ?? pair.before.nameLine
  const name = nameOf(pair.after)
  const rest =
    left === 0 ? 'It checks nothing any more' : `${left} of its assertions ${left === 1 ? 'is' : 'are'} left`
  return {
    ...common,
    rule: 'tests/assertion-removed',
    confidence: 'likely',
    title:
      others === 0
        ? `The test \`${name}\` stays, and ${isSilenced ? 'an assertion of it is commented out' : 'loses an assertion'}`
        : `The test \`${name}\`${andMore(others)} stay, and lose assertions`,
    explanation: `${rest}. It was not replaced, and the code that it checked still exists, so this code is now tested less than before.`,
    remedy: 'Put the assertion back, or say in the test why it no longer holds.',
    anchor: { path: test.file.path, tags: lines.map(tagOf) },
    claims: [
      { kind: 'line-contains', side: 'old', path: test.file.path, line, text: (first?.text ?? '').trim() },
    ],
    evidence: [
      ...cite(test.before, 'old', `what \`${name}\` asserted`, line, line),
      ...cite(test.after, 'new', 'the test that stays', pair.after.startLine, pair.after.endLine),
    ],
  }
}

function describeSkippedTest({ test, before, line, range }: SkippedTest, others: number): CandidateDraft {
  const name = nameOf(before)
  return {
    ...common,
    rule: 'tests/skipped',
    confidence: 'likely',
    title: `\`${name}\`${andMore(others)} ran before this change, and ${others === 0 ? 'is' : 'are'} skipped now`,
    explanation: 'A skipped test counts as passed. Whatever it would have found goes in unseen.',
    remedy: 'Fix the test, or delete it together with the code that it tests.',
    anchor: { path: test.file.path, tags: [tagOf(line)] },
    claims: [
      {
        kind: 'line-contains',
        side: 'new',
        path: test.file.path,
        line: line.new ?? range.from,
        text: line.text.trim(),
      },
    ],
    evidence: [
      ...cite(test.before, 'old', 'the test as it ran', before.startLine, before.endLine),
      ...cite(test.after, 'new', 'the skipped test', range.from, range.to),
    ],
  }
}

/** `place` is the location at the head of the code that lost its test. */
function describeDeletedTest(
  { test, symbol, name }: DeletedTest,
  place: { path: string; blob: string; line: number; text: string },
): CandidateDraft {
  const { startLine, endLine, nameLine } = symbol
  const tag = nearestTag(test.file, 'old', { from: startLine, to: endLine, near: nameLine })
  const item: EvidenceDraft = {
    source: 'file',
    trust: 'foreign',
    title: `\`${visibleLine(name)}\` is still there`,
    path: place.path,
    blob: place.blob,
    side: 'new',
    startLine: place.line,
    endLine: place.line,
    text: place.text,
  }
  return {
    ...common,
    rule: 'tests/deleted',
    confidence: 'likely',
    title: `The test of \`${visibleLine(name)}\` is deleted, and no other mentions it`,
    explanation: `\`${nameOf(symbol)}\` called \`${visibleLine(name)}\`, which stays in \`${visibleLine(place.path)}\`. At the head no test file holds that name.`,
    remedy: `Keep the test, or delete \`${visibleLine(name)}\` too if it is no longer needed.`,
    anchor: { path: test.file.path, tags: [tag ?? formatFileTag(test.file.path)] },
    claims: [{ kind: 'no-test-calls', symbol: name, path: place.path, line: place.line }],
    evidence: [{ item, quote: name }, ...cite(test.before, 'old', 'the deleted test', startLine, endLine)],
  }
}

/** The first lines of a range of a file, quoted by the first non-empty one. */
function cite(
  side: TestSide | null,
  of: 'old' | 'new',
  title: string,
  from: number,
  to: number,
): CandidateDraft['evidence'] {
  if (!side) return []
  const endLine = Math.min(to, from + shownLines - 1, side.lines.length)
  const lines = side.lines.slice(from - 1, endLine)
  const quote = lines.find((line) => line.trim() !== '')
  if (quote === undefined) return []
  const item: EvidenceDraft = {
    source: 'file',
    trust: 'foreign',
    title,
    path: side.path,
    blob: side.blob,
    side: of,
    startLine: from,
    endLine,
    text: lines.join('\n'),
  }
  return [{ item, quote }]
}

function nameOf({ name }: { name: string }): string {
  return visibleLine(name).replaceAll('`', "'").slice(0, 120)
}

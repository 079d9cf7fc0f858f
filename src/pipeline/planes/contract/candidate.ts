/** One finding for each cause and rule, anchored to a changed line, with the broken uses as evidence. */
import { compareText } from '../../../base/compare-text.ts'
import { itemsBy } from '../../../base/grouped.ts'
import type { ChangeSet, FileChange, Side } from '../../../domain/change-set.ts'
import type { Claim } from '../../../domain/claim.ts'
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import type { Anchor, CandidateDraft } from '../../../domain/finding.ts'
import { formatFileTag, tagOf } from '../../../domain/line-tag.ts'
import type { Severity } from '../../../domain/severity.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { nearestTag } from '../changed-lines.ts'
import { citeLines, type Place } from '../cite-lines.ts'
import { type BrokenUse, isMisfit, ruleFor, type Subject, subjectKey } from './breakage.ts'
import { describe, mostNamed } from './describe.ts'
import { basePath } from './find-subjects.ts'

type Draft = CandidateDraft

export async function candidatesFor(
  found: readonly BrokenUse[],
  change: ChangeSet,
  head: RepoSnapshot,
  isTest: (path: string) => boolean,
): Promise<Draft[]> {
  const groups = Map.groupBy(
    found,
    ({ subject, failure }) => `${causeOf(subject)}\n${ruleFor(subject, failure)}`,
  )
  const drafts: Draft[] = []
  for (const [, group] of [...groups].sort(([a], [b]) => compareText(a, b))) {
    const left = onePerLine(group)
    const [first] = left
    const anchor = first && anchorFor(first, change)
    // Without a line of the diff to anchor to, it is not a finding about this change.
    if (first && anchor) drafts.push(await candidate(first, left, anchor, head, isTest))
  }
  return drafts
}

/** What a change removes from one type, or from the top level of one file, it removes for one reason. */
function causeOf(subject: Subject): string {
  return subject.kind === 'symbol' && subject.fate === 'removed'
    ? `removed ${subject.path}\n${subject.symbol.scope}`
    : subjectKey(subject)
}

async function candidate(
  { subject, failure }: BrokenUse,
  left: readonly BrokenUse[],
  anchor: Anchor,
  head: RepoSnapshot,
  isTest: (path: string) => boolean,
): Promise<Draft> {
  // Product code first, since it breaks for users.
  const ordered = [...left.filter(({ path }) => !isTest(path)), ...left.filter(({ path }) => isTest(path))]
  const certain = ordered.some((item) => item.certain)
  return {
    plane: 'contract',
    rule: ruleFor(subject, failure),
    severity: severityFor(ordered, certain, isTest),
    category: 'contract',
    confidence: certain ? 'certain' : 'likely',
    ...describe(subject, failure, ordered),
    anchor,
    claims: ordered.slice(0, mostNamed).map((item) => claimFor(item)),
    suggestion: null,
    preExisting: false,
    evidence: await citeLines(ordered.slice(0, mostNamed).map(placeOf), head),
  }
}

function severityFor(
  left: readonly BrokenUse[],
  certain: boolean,
  isTest: (path: string) => boolean,
): Severity {
  return certain && left.some(({ path }) => !isTest(path)) ? 'high' : 'medium'
}

function placeOf({ path, line, endLine, name, words }: BrokenUse): Place {
  return { path, line, endLine, title: `\`${name}\` not updated: ${words}` }
}

function claimFor({ subject, failure, path, line, name }: BrokenUse): Claim {
  if (subject.kind === 'module') return { kind: 'missing-path', target: subject.path, path, line }
  if (failure === 'export' && subject.kind !== 'duty')
    return { kind: 'not-exported', name, from: subject.path, path, line }
  // A Go type does not name what it implements, so only its own line can be checked.
  if (failure === 'implement' && path.endsWith('.go'))
    return { kind: 'line-contains', side: 'new', text: name, path, line }
  if (failure === 'name') return { kind: 'undefined', name, path, line }
  const symbol = 'symbol' in subject ? subject.symbol.name : subject.name
  return { kind: 'caller-not-updated', symbol, definedIn: subject.path, path, line }
}

function onePerLine(left: readonly BrokenUse[]): BrokenUse[] {
  const byPlace = new Map(left.toReversed().map((item) => [`${item.path}\n${item.line}`, item]))
  return [...byPlace.values()].sort((a, b) =>
    a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1,
  )
}

function anchorFor({ subject, failure }: BrokenUse, change: ChangeSet): Anchor | null {
  if (subject.kind === 'module') return anchorFile(change, subject.path)
  if (subject.kind === 'export' || subject.kind === 'import')
    return anchorLine(change, 'old', subject.path, subject.line)
  if (subject.kind === 'duty') {
    const { after, before } = subject.change
    if (after) return anchorSymbol(change, 'new', after.path, after.symbol)
    return before && anchorSymbol(change, 'old', before.path, before.symbol)
  }
  const { after } = subject
  const old = anchorSymbol(change, 'old', subject.path, subject.symbol)
  const inPlace =
    isMisfit(failure) ||
    failure === 'order' ||
    failure === 'type' ||
    failure === 'hidden' ||
    subject.fate === 'renamed'
  const fresh = after && inPlace ? anchorSymbol(change, 'new', after.path, after.symbol) : null
  return fresh ?? old ?? (after && anchorSymbol(change, 'new', after.path, after.symbol))
}

/** The symbol's name line if it changed, else its nearest changed line; null when none of it is in the diff. */
function anchorSymbol(change: ChangeSet, side: Side, path: string, symbol: CodeSymbol): Anchor | null {
  const file = fileOn(change, side, path)
  if (!file) return null
  return anchorLines(file, side, symbol.nameLine, symbol.startLine, symbol.endLine)
}

function anchorLine(change: ChangeSet, side: Side, path: string, line: number): Anchor | null {
  const file = fileOn(change, side, path)
  return file && anchorLines(file, side, line, line, line)
}

/** The first changed line of a file, or the file as a whole when it has none. */
function anchorFile(change: ChangeSet, path: string): Anchor | null {
  const file = fileOn(change, 'old', path)
  if (!file) return null
  const first =
    file.status === 'deleted' ? file.hunks[0]?.lines.find(({ kind }) => kind === 'removed') : undefined
  return { path: file.path, tags: [first ? tagOf(first) : formatFileTag(file.path)] }
}

function fileOn(change: ChangeSet, side: Side, path: string): FileChange | null {
  const at = itemsBy(change.files, side === 'old' ? basePath : headPath, path)
  return at.find((file) => file.status !== 'copied') ?? null
}

const headPath = (file: FileChange): string => file.path

function anchorLines(file: FileChange, side: Side, line: number, from: number, to: number): Anchor | null {
  const near = nearestTag(file, side, { from, to, near: line })
  if (near !== null) return { path: file.path, tags: [near] }
  // A pure move: the lines are unchanged in a renamed file.
  return file.status === 'renamed' ? { path: file.path, tags: [formatFileTag(file.path)] } : null
}

/** One finding for each subject and way of failing, anchored to the changed line, with those left behind as evidence. */
import type { ChangeSet } from '../../../domain/change-set.ts'
import type { Claim } from '../../../domain/claim.ts'
import type { Anchor, CandidateDraft } from '../../../domain/finding.ts'
import type { Severity } from '../../../domain/severity.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { anchorFile, anchorLine, anchorSymbol } from './anchor.ts'
import { describe, mostNamed } from './describe.ts'
import { ruleFor } from './rules.ts'
import { isMisfit, type LeftBehind } from './sides.ts'
import { subjectKey } from './subject.ts'

type Draft = CandidateDraft
type Cited = Draft['evidence'][number]

/** Lines of a call that are quoted. */
const longestCall = 8
/** Text longer than this is no evidence that anyone reads. */
const longestText = 600

export async function candidatesFor(
  found: readonly LeftBehind[],
  change: ChangeSet,
  head: RepoSnapshot,
  isTest: (path: string) => boolean,
): Promise<Draft[]> {
  const groups = Map.groupBy(
    found,
    ({ subject, failure }) => `${subjectKey(subject)}\n${ruleFor(subject, failure)}`,
  )
  const drafts: Draft[] = []
  for (const [, group] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const left = onePerLine(group)
    const [first] = left
    const anchor = first && anchorFor(first, change)
    // Without a line of the diff to hang on there is no finding about this change.
    if (first && anchor) drafts.push(await candidate(first, left, anchor, head, isTest))
  }
  return drafts
}

async function candidate(
  { subject, failure }: LeftBehind,
  left: readonly LeftBehind[],
  anchor: Anchor,
  head: RepoSnapshot,
  isTest: (path: string) => boolean,
): Promise<Draft> {
  // Product code first: it is what breaks for users.
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
    evidence: await evidenceFor(ordered.slice(0, mostNamed), head),
  }
}

function severityFor(
  left: readonly LeftBehind[],
  certain: boolean,
  isTest: (path: string) => boolean,
): Severity {
  return certain && left.some(({ path }) => !isTest(path)) ? 'high' : 'medium'
}

function claimFor({ subject, failure, path, line, name }: LeftBehind): Claim {
  if (subject.kind === 'module') return { kind: 'missing-path', target: subject.path, path, line }
  if (failure === 'export' && subject.kind !== 'duty')
    return { kind: 'not-exported', name, from: subject.path, path, line }
  // A Go type names nowhere what it implements; its line can only be checked to be its own.
  if (failure === 'implement' && path.endsWith('.go'))
    return { kind: 'line-contains', side: 'new', text: name, path, line }
  if (failure === 'name') return { kind: 'undefined', name, path, line }
  const symbol = subject.kind === 'export' ? subject.name : subject.symbol.name
  return { kind: 'caller-not-updated', symbol, definedIn: subject.path, path, line }
}

async function evidenceFor(left: readonly LeftBehind[], head: RepoSnapshot): Promise<Cited[]> {
  const files = await head.readMany([...new Set(left.map(({ path }) => path))])
  return left.flatMap(({ path, line, endLine: end, name, words }): Cited[] => {
    const file = files.get(path)
    const endLine = Math.min(end, line + longestCall - 1)
    const text = file?.text
      .split('\n')
      .slice(line - 1, endLine)
      .join('\n')
    const quote = text?.split('\n')[0]?.trim()
    if (!file || !text || !quote || text.length > longestText) return []
    const item = {
      source: 'file' as const,
      trust: 'foreign' as const,
      title: `\`${name}\` not updated: ${words}`.slice(0, 200),
      path,
      blob: file.blob,
      side: 'new' as const,
      startLine: line,
      endLine,
      text,
    }
    return [{ item, quote }]
  })
}

function onePerLine(left: readonly LeftBehind[]): LeftBehind[] {
  const byPlace = new Map(left.toReversed().map((item) => [`${item.path}\n${item.line}`, item]))
  return [...byPlace.values()].sort((a, b) =>
    a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1,
  )
}

function anchorFor({ subject, failure }: LeftBehind, change: ChangeSet): Anchor | null {
  if (subject.kind === 'module') return anchorFile(change, subject.path)
  if (subject.kind === 'export') return anchorLine(change, 'old', subject.path, subject.line)
  if (subject.kind === 'duty') {
    const { after, before } = subject.change
    if (after) return anchorSymbol(change, 'new', after.path, after.symbol)
    return before && anchorSymbol(change, 'old', before.path, before.symbol)
  }
  const { after } = subject
  const old = anchorSymbol(change, 'old', subject.path, subject.symbol)
  const inPlace = isMisfit(failure) || failure === 'hidden' || subject.fate === 'renamed'
  const fresh = after && inPlace ? anchorSymbol(change, 'new', after.path, after.symbol) : null
  return fresh ?? old ?? (after && anchorSymbol(change, 'new', after.path, after.symbol))
}

/** The co-change plane: files that nearly always change with the changed ones, and did not now. */
import { count as counted } from '../../../base/count.ts'
import { isTestPath } from '../../../base/file-paths.ts'
import { visibleLine } from '../../../base/visible-text.ts'
import { countBeyond, type FileChange, unreadRoles } from '../../../domain/change-set.ts'
import type { EvidenceDraft } from '../../../domain/evidence.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import { formatFileTag } from '../../../domain/line-tag.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'
import { type ChangedFile, defaultThresholds, findPartners, isBulkPath, type Partner } from './partners.ts'

const mostFindings = 3

const ignoredRoles: ReadonlySet<string> = new Set(['test', ...unreadRoles])

export const coChangePlane: Plane = {
  name: 'co-change',
  description: 'files that nearly always change together with these, and did not',
  look,
}

async function look({ context, head, history, keep }: PlaneInput): Promise<PlaneReport> {
  const { files } = context.change
  const changed = files.filter(mayHavePartners).map(namesOf)
  const nothing = { candidates: [], limits: [] }
  if (changed.length === 0 || files.length + countBeyond(context.change) > defaultThresholds.filesOfChange)
    return nothing
  const { commits } = await history.recent(defaultThresholds.commits)
  const inChange = new Set(files.flatMap((file) => namesOf(file).names))
  const tied = findPartners(changed, commits, defaultThresholds).filter(
    ({ partner }) => !inChange.has(partner) && !isBulkPath(partner) && !isTestPath(partner),
  )
  const missing: Partner[] = []
  const gone = new Map<string, readonly string[]>()
  for (const one of tied) {
    if (missing.length === mostFindings) break
    const { path, partner } = one
    const texts = gone.get(path) ?? (await textGoneFrom(path, files, head))
    gone.set(path, texts)
    const other = texts.length > 0 ? ((await head.readMany([partner])).get(partner)?.text ?? '') : ''
    if (!texts.some((text) => other.includes(text))) continue
    missing.push(one)
    keep?.({ candidates: missing.map(describePartner), limits: [] })
  }
  return { candidates: missing.map(describePartner), limits: [] }
}

/** A brace or a keyword stands in any two files. Characters. */
const shortestLine = 15

/**
 * The lines and the strings that the change took out of a file. A partner that still has one is a copy, is made from the
 * file, or means the same thing by it; names are in both for many reasons.
 */
async function textGoneFrom(
  path: string,
  files: readonly FileChange[],
  head: PlaneInput['head'],
): Promise<readonly string[]> {
  const left = (await head.readMany([path])).get(path)?.text ?? ''
  const hunks = files.find((file) => file.path === path)?.hunks ?? []
  const removed = hunks
    .flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'removed'))
    .map(({ text }) => text.trim())
  const strings = removed.flatMap((line) => line.match(/(?<=["'`])[^"'`\s]{4,100}(?=["'`])/g) ?? [])
  const lines = removed.filter((line) => line.length >= shortestLine && !/^(?:\/\/|\/\*|\*|#)/.test(line))
  return [...new Set([...lines, ...strings])].filter((text) => !left.includes(text))
}

/** Not for new files without history, deleted files, and tests, which change alone for good reasons. */
function mayHavePartners({ path, status, role }: FileChange): boolean {
  return (status === 'modified' || status === 'renamed') && !ignoredRoles.has(role) && !isBulkPath(path)
}

function namesOf({ path, oldPath }: FileChange): ChangedFile {
  return { path, names: oldPath === null ? [path] : [path, oldPath] }
}

/** Commits named in the evidence, the newest ones. */
const shownCommits = 5

/** From these counts on, a missing partner is more than a hint. */
const strong = { together: 20, share: 0.95 }

function describePartner(tie: Partner): CandidateDraft {
  const { path, partner, together, total } = tie
  const isStrong = together >= strong.together && together / total >= strong.share
  const [here, there] = [visibleLine(path), visibleLine(partner)]
  const evidence = evidenceOf(tie)
  return {
    plane: 'co-change',
    rule: 'co-change/missing-partner',
    severity: isStrong ? 'medium' : 'low',
    category: 'maintainability',
    confidence: isStrong ? 'likely' : 'possible',
    title: `\`${lastPart(there)}\` usually changes with \`${lastPart(here)}\`, and did not now`,
    explanation: `${together} of the last ${counted(total, 'small commit')} that changed \`${here}\` also changed \`${there}\`. This change leaves it as it was, and it still has text that is taken out here, so one half of something may be missing.`,
    remedy: `See whether \`${there}\` needs the same change.`,
    anchor: { path, tags: [formatFileTag(path)] },
    claims: [{ kind: 'changes-together', path, partner, together, total }],
    suggestion: null,
    preExisting: false,
    evidence: [{ item: evidence, quote: evidence.text.split('\n')[0] ?? '' }],
  }
}

/** The count is ours, but subjects of commits are other people's words, so the whole is foreign. */
function evidenceOf({ path, partner, together, total, commits }: Partner): EvidenceDraft {
  const newest = commits.slice(0, shownCommits)
  const lines = newest.map(
    ({ commit, subject }) => `${commit.slice(0, 10)} ${visibleLine(subject).slice(0, 100)}`,
  )
  const more = together > newest.length ? [`and ${together - newest.length} earlier ones`] : []
  const count = `${together} of ${counted(total, 'commit')} that changed ${visibleLine(path)} changed ${visibleLine(partner)} too`
  return {
    source: 'history',
    trust: 'foreign',
    title: 'commits that changed both',
    path: partner,
    blob: null,
    side: null,
    startLine: null,
    endLine: null,
    text: [count, ...lines, ...more].join('\n'),
  }
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).slice(0, 100)
}

/** The across plane: what a change takes away from other repositories of the workspace that use it. */
import { count } from '../../../base/count.ts'
import { visibleLine } from '../../../base/visible-text.ts'
import { type FileChange, pathOn, type Side } from '../../../domain/change-set.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import { otherUseEvidence, readAt, withheldEvidence } from '../../../domain/other-use-evidence.ts'
import { type Confidence, type Severity, surestOf } from '../../../domain/severity.ts'
import type { SharedBreak, SharedPlace } from '../../../domain/shared-contract.ts'
import type { OtherUse, UsedBreak, WithheldUses, WorkspaceView } from '../../../domain/workspace.ts'
import { nearestTag } from '../changed-lines.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'

export const acrossPlane: Plane = {
  name: 'across',
  description: 'what other repositories of the workspace use and the change takes away',
  wrongIf: 'the other repository no longer uses it, or changes at the same time',
  applies: ({ workspace }) => workspace !== undefined,
  look,
}

async function look({ context }: PlaneInput): Promise<PlaneReport> {
  const { workspace } = context.request
  if (!workspace) return { candidates: [], limits: [] }
  const candidates = workspace.breaks.flatMap((broken) => {
    const place = placeOf(broken, context.change.files)
    return place === null ? [] : [describe(broken, place, workspace.repositories)]
  })
  return { candidates, limits: [...workspace.repositories.flatMap(troubleOf), ...hiddenOf(workspace)] }
}

function troubleOf({ name, commit, trouble }: WorkspaceView['repositories'][number]): string[] {
  if (trouble === null) return []
  const what = commit === null ? 'was not read' : `was read as of ${commit.slice(0, 12)}`
  return [`the repository ${visibleLine(name)} ${what}: ${visibleLine(trouble)}`]
}

function hiddenOf({ hidden }: WorkspaceView): string[] {
  if (hidden === 0) return []
  const [which, them] = [count(hidden, 'repository', 'repositories'), hidden === 1 ? 'it' : 'them']
  return [
    `${which} of the workspace ${hidden === 1 ? 'was' : 'were'} not searched, since not everybody who can read this one may read ${them}`,
  ]
}

type Placed = { path: string; tag: string }

/** Where the diff shows it: what became of it at the head, else what was there. */
function placeOf({ after, before }: SharedBreak, files: readonly FileChange[]): Placed | null {
  return (after && placed(after, 'new', files)) ?? (before && placed(before, 'old', files)) ?? null
}

function placed(
  { path, line, endLine }: SharedPlace,
  side: Side,
  files: readonly FileChange[],
): Placed | null {
  const file = files.find((one) => pathOn(side, one) === path)
  if (!file) return null
  const tag =
    nearestTag(file, side, { from: line, to: endLine, near: line }) ??
    nearestTag(file, side, { from: 1, to: Number.MAX_SAFE_INTEGER, near: line })
  return tag === null ? null : { path: file.path, tag }
}

/** By how sure it is that the other side fails; `certain` takes the format's own proof. */
const severities: Readonly<Record<Confidence, Severity>> = {
  certain: 'high',
  likely: 'medium',
  possible: 'low',
}

function describe(
  broken: UsedBreak,
  { path, tag }: Placed,
  repositories: WorkspaceView['repositories'],
): CandidateDraft {
  const { kind, name, how, what, uses, withheld, more, renamedTo } = broken
  const open = uses.filter(({ settledOn }) => settledOn === undefined)
  const isSettled = open.length + withheld.length + more === 0
  // Uses without a companion come first: those are what is shown.
  const counted = [...open, ...uses.filter(({ settledOn }) => settledOn !== undefined)]
  const confidence = surestOf([...counted, ...withheld])
  const users = usersOf([...counted, ...withheld])
  const listed = counted.slice(0, mostListed)
  const rest = uses.length + more - listed.length
  const others = othersOf(uses)
  const title = isSettled
    ? `${users.words} ${users.verb} \`${ticks(name)}\` until ${others.words} ${others.verb} merged: ${visibleLine(what)}`
    : `${users.words} still ${users.verb} \`${ticks(name)}\`: ${visibleLine(what)}`
  return {
    plane: 'across',
    rule: `across/${kind}-${how}`,
    severity: isSettled ? 'low' : severities[confidence],
    category: 'contract',
    confidence,
    title: title.slice(0, 300),
    explanation: [
      `${confidence === 'possible' ? 'It may stop working' : 'It stops working'} where this change is deployed or released:`,
      ...listed.map((use) => useLine(use, readAt(use, repositories))),
      ...(rest > 0 ? [`And ${count(rest, 'more use')}.`] : []),
      ...withheld.map(withheldLine),
    ]
      .join('\n\n')
      .slice(0, 4000),
    remedy: isSettled
      ? `Merge ${others.words}${others.of(users.words)} first.`
      : `Keep ${renamedTo === undefined ? 'it' : `the old name beside \`${ticks(renamedTo)}\``} until ${users.words} no longer ${users.verb} it.`,
    anchor: { path, tags: [tag] },
    claims: [],
    suggestion: null,
    preExisting: false,
    evidence: [
      ...listed.flatMap((use) => evidenceOf(use, repositories)),
      ...withheld.map(withheldEvidence).map((item) => ({ item, quote: item.text })),
    ],
  }
}

function usersOf(uses: readonly Pick<OtherUse, 'repository'>[]): { words: string; verb: string } {
  const [first = '', ...others] = new Set(uses.map(({ repository }) => repository))
  return others.length === 0
    ? { words: `\`${ticks(first)}\``, verb: 'uses' }
    : { words: count(others.length + 1, 'other repository', 'other repositories'), verb: 'use' }
}

/** What settles them: change requests of hosts, which say where they are, or branches, all called as that of the change. */
function othersOf(uses: readonly OtherUse[]): { words: string; verb: string; of(users: string): string } {
  const named = uses.flatMap(({ repository, settledBy }) =>
    settledBy === undefined ? [] : [`\`${ticks(repository + settledBy)}\``],
  )
  const [first, ...more] = new Set(named)
  const branch = uses.find(({ settledBy }) => settledBy === undefined)?.settledOn
  const ofBranch = branch === undefined ? [] : [`the branch \`${ticks(branch)}\``]
  const words = [...(first === undefined ? [] : [first]), ...more, ...ofBranch]
  return {
    words: words.join(' and '),
    verb: words.length > 1 ? 'are' : 'is',
    of: (users) => (branch !== undefined && first === undefined ? ` of ${users}` : ''),
  }
}

/** Uses that a finding shows. */
const mostListed = 5

function useLine({ repository, path, line, how, pin, settledOn, settledBy }: OtherUse, at: string): string {
  const version =
    pin === null ? '' : `, which has version ${visibleLine(pin.version)} by \`${ticks(pin.path)}\``
  const by =
    settledBy === undefined
      ? `on its branch \`${ticks(settledOn ?? '')}\``
      : `with \`${ticks(repository + settledBy)}\``
  const settled = settledOn === undefined ? '' : `; no longer ${by}`
  return `\`${ticks(repository)}\` at \`${ticks(path)}:${line}\` (${at}): ${visibleLine(how)}${version}${settled}`
}

/** Not everybody who reads this is known to be allowed to read more. */
function withheldLine({ repository, uses }: WithheldUses): string {
  return `\`${ticks(repository)}\`: ${count(uses, 'use')}.`
}

function evidenceOf(use: OtherUse, repositories: WorkspaceView['repositories']): CandidateDraft['evidence'] {
  const quote = use.text.split('\n').find((one) => one.trim() !== '')
  return quote === undefined ? [] : [{ item: otherUseEvidence(use, repositories), quote: quote.trim() }]
}

function ticks(text: string): string {
  return visibleLine(text).replaceAll('`', "'").slice(0, 200)
}

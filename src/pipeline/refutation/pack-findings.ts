/**
 * Which findings share a question. Most reviews find several things in few places, so that questions about one finding each
 * would repeat the same dossier; but a judge must see of each finding all that it would see alone.
 */
import type { Finding } from '../../domain/finding.ts'
import { isLikeProblem, likeness } from '../../domain/same-problem.ts'
import { type DossierDraft, joinDossiers } from './dossier.ts'

/** A finding and what it is judged by alone. */
export type Case = { finding: Finding; dossier: DossierDraft }

/** What one question is about. */
export type Pack = {
  /** In the order of the code, so that their numbers say nothing of how severe they are. */
  findings: readonly Finding[]
  /** By finding, for whoever has to be asked about alone. */
  cases: readonly Case[]
  dossier: DossierDraft
}

/**
 * Reviews have four or five findings on average, so more would save little; and with each more, a judge goes back to the
 * beginning of the message less carefully, and an answer that is lost loses more.
 */
export const mostTogether = 5

/**
 * Takes them in their order, the most severe first: each begins a question, which is then filled with what may tell the same as it, with
 * findings of the same definition, of the same file and of other files. What may tell one problem is judged side by side: it comes along,
 * or stays together; of more than a question holds, what is most alike. `room`: bytes of a joint dossier. The same cases give the same packs.
 */
export function packFindings(cases: readonly Case[], room: number): Pack[] {
  const packs: Pack[] = []
  const families = familiesOf(cases)
  let waiting = [...cases]
  for (let first = waiting.shift(); first; first = waiting.shift()) {
    const pack = filled(first, waiting, families, room)
    packs.push(pack)
    waiting = waiting.filter((one) => !pack.cases.includes(one))
  }
  return packs
}

/** A question about this one and nothing else. */
export function packAlone(only: Case): Pack {
  return { findings: [only.finding], cases: [only], dossier: only.dossier }
}

type Families = ReadonlyMap<Case, ReadonlySet<Case>>

function filled(first: Case, others: readonly Case[], families: Families, room: number): Pack {
  let pack = packAlone(first)
  const own = families.get(first)
  const strangers = others.filter((one) => !own?.has(one))
  let relatives = others.filter((one) => own?.has(one))
  while (relatives.length > 0 && pack.cases.length < mostTogether) {
    const next = closestTo(pack.cases, relatives)
    pack = withCases(pack, next, room) ?? pack
    relatives = relatives.filter((one) => !next.includes(one))
  }
  const byDistance = Map.groupBy(strangers, (one) => distance(first, one))
  for (const next of distances.flatMap((far) => byDistance.get(far) ?? [])) {
    if (pack.cases.length === mostTogether) break
    if (pack.cases.includes(next)) continue
    const family = families.get(next)
    const whole = strangers.filter((one) => family?.has(one))
    pack = withCases(pack, whole, room) ?? pack
  }
  return pack
}

/** The one that is most like one of the pack, and what is even more like it. */
function closestTo(pack: readonly Case[], relatives: readonly Case[]): Case[] {
  const [next] = byLikeness(relatives, pack)
  if (!next) return []
  const [twin] = byLikeness(
    relatives.filter((one) => one !== next),
    [next],
  )
  return twin && nearness(twin, [next]) > nearness(next, pack) ? [next, twin] : [next]
}

function byLikeness(cases: readonly Case[], others: readonly Case[]): Case[] {
  const near = new Map(cases.map((one) => [one, nearness(one, others)]))
  return cases.toSorted((a, b) => (near.get(b) ?? 0) - (near.get(a) ?? 0))
}

function nearness({ finding }: Case, others: readonly Case[]): number {
  return Math.max(...others.map((other) => likeness(finding, other.finding)))
}

/** By case, all that may tell the same as it, or as another of them, and itself. */
function familiesOf(cases: readonly Case[]): Families {
  const families = new Map<Case, ReadonlySet<Case>>()
  for (const first of cases) {
    if (families.has(first)) continue
    const family = new Set([first])
    // Grows while it is walked.
    for (const one of family)
      for (const other of cases)
        if (!families.has(other) && !family.has(other) && isLikeProblem(one.finding, other.finding))
          family.add(other)
    for (const one of family) families.set(one, family)
  }
  return families
}

/** All of them or none: null where that is too many, or too much to read. */
function withCases(pack: Pack, added: readonly Case[], room: number): Pack | null {
  const cases = [...pack.cases, ...added].sort(byPlace)
  const dossier =
    cases.length <= mostTogether
      ? joinDossiers(
          cases.map((one) => one.dossier),
          room,
        )
      : null
  return dossier && { findings: cases.map(({ finding }) => finding), cases, dossier }
}

const distances = [1, 2, 3] as const

/** 1: in the same definition; 2: in the same file; 3: elsewhere. */
function distance(a: Case, b: Case): (typeof distances)[number] {
  if (a.dossier.piece === b.dossier.piece) return 1
  return a.finding.anchor.path === b.finding.anchor.path ? 2 : 3
}

function byPlace({ finding: a }: Case, { finding: b }: Case): number {
  if (a.anchor.path !== b.anchor.path) return a.anchor.path < b.anchor.path ? -1 : 1
  return a.startLine - b.startLine || a.id.length - b.id.length || (a.id < b.id ? -1 : 1)
}

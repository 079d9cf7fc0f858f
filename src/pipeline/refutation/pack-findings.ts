/**
 * Which findings share a question. Most reviews find several things in few places, so that questions about one finding each
 * would repeat the same dossier; but a judge must see of each finding all that it would see alone.
 */
import type { Finding } from '../../domain/finding.ts'
import { isSamePlace } from '../../domain/same-problem.ts'
import { compareTerms, termsOf } from '../../domain/wording.ts'
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
 * Takes them in their order, the most severe first: each begins a question, which is then filled with findings around the same lines
 * or in much the same words, of the same definition, of the same file and of other files. So what two readers say of one thing is
 * judged side by side. `room`: bytes of a joint dossier. The same cases give the same packs.
 */
export function packFindings(cases: readonly Case[], room: number): Pack[] {
  const packs: Pack[] = []
  let waiting = [...cases]
  for (let first = waiting.shift(); first; first = waiting.shift()) {
    const pack = filled(first, waiting, room)
    packs.push(pack)
    waiting = waiting.filter((one) => !pack.cases.includes(one))
  }
  return packs
}

/** A question about this one and nothing else. */
export function packAlone(only: Case): Pack {
  return { findings: [only.finding], cases: [only], dossier: only.dossier }
}

function filled(first: Case, others: readonly Case[], room: number): Pack {
  let pack = packAlone(first)
  const byDistance = Map.groupBy(others, (one) => distance(first, one))
  for (const next of distances.flatMap((far) => byDistance.get(far) ?? [])) {
    if (pack.cases.length === mostTogether) break
    const cases = [...pack.cases, next].sort(byPlace)
    const dossier = joinDossiers(
      cases.map((one) => one.dossier),
      room,
    )
    if (dossier) pack = { findings: cases.map(({ finding }) => finding), cases, dossier }
  }
  return pack
}

const distances = [0, 1, 2, 3] as const

/** 0: around the same lines, or much the same words of one file; 1: in the same definition; 2: in the same file; 3: elsewhere. */
function distance(a: Case, b: Case): (typeof distances)[number] {
  const isSameFile = a.finding.anchor.path === b.finding.anchor.path
  if (isSamePlace(a.finding, b.finding) || (isSameFile && areAlike(a.finding, b.finding))) return 0
  if (a.dossier.piece === b.dossier.piece) return 1
  return isSameFile ? 2 : 3
}

/** Of 24 pairs in one file that told the same, all had so much of the shorter telling in common; of 160 that did not, 23. */
const alike = 0.35

function areAlike(a: Finding, b: Finding): boolean {
  const wordsOf = ({ title, explanation }: Finding) => termsOf(`${title}. ${explanation}`)
  return compareTerms(wordsOf(a), wordsOf(b)).ofShorter >= alike
}

function byPlace({ finding: a }: Case, { finding: b }: Case): number {
  if (a.anchor.path !== b.anchor.path) return a.anchor.path < b.anchor.path ? -1 : 1
  return a.startLine - b.startLine || a.id.length - b.id.length || (a.id < b.id ? -1 : 1)
}

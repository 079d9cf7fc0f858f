/**
 * How well a finding is proven, told from what was checked. Of two findings that contradict each other the better
 * proven keeps its word, and what code confirmed no model's word can undo.
 */
import type { Evidence } from './evidence.ts'
import type { Finding } from './finding.ts'

/**
 * From weakest to strongest. `quote`: it quotes its own lines; `evidence`: it quotes other places as well; `upheld`: a
 * second look did not refute it; `index`: code confirmed a claim, or code found it; `checker`: a compiler or language
 * server confirmed a claim; `reproduced`: a test that ran fails because of it.
 */
export const proofs = ['quote', 'evidence', 'upheld', 'index', 'checker', 'reproduced'] as const
export type Proof = (typeof proofs)[number]

/** What `verifiedBy` says of a finding that somebody tried to refute in vain. */
export const upheldWords = 'an independent check could not refute it'

/** What it says where the main claim was not refuted, and a side claim was cut. */
export const mainClaimWords = 'an independent check could not refute its main claim'

/** What it says of a finding of code whose names were read twice, by means that know nothing of each other. */
export const secondWitnessWords = 'a second witness: the types, or a text that can mean nothing else'

/** What it says where that check quotes words for it that it does not quote itself. */
export const supportedWords = 'words beyond its own quotes support it'

/** What it says of a finding that two readers reported. */
export const bothReadersWords = 'two readers found it independently'

/** What `verifiedBy` says of a finding that a run showed. */
export const reproducedWords = 'reproduced: a test fails because of it'

/** What it says where a test that was to show it ran and passed. */
export const notShownWords = 'a test that was to show it passes'

/** What `verifiedBy` says of nearly every finding. */
export const citedWords = 'every cited line is in the diff as cited'
export const quotedWords = 'word for word in the evidence'

/** What was checked of this finding beyond its lines and its quotes, which nothing is published without. */
export function ownChecks({ verifiedBy }: Pick<Finding, 'verifiedBy'>): string[] {
  return verifiedBy.filter((words) => words !== citedWords && !words.endsWith(quotedWords))
}

const confirmation = / claims? confirmed by (.*)$/s

/** True of any line: that a text stands there, or is new, says nothing of harm. */
const trivialMeans = ['the text']

/** What this program looks up itself; whatever else confirms a claim is a compiler or a language server. */
const ownMeans = ['the code index', 'the tree', 'a search of', 'comparing both', 'counting over']

export function proofOf(finding: Finding, evidence: ReadonlyMap<string, Evidence>): Proof {
  if (finding.verifiedBy.includes(reproducedWords)) return 'reproduced'
  const means = confirmations(finding)
  if (means.some(namesChecker)) return 'checker'
  if (means.length > 0 || finding.byModel !== true) return 'index'
  if (isUpheld(finding)) return 'upheld'
  return finding.evidence.some((citation) => isElsewhere(evidence.get(citation.evidence), finding))
    ? 'evidence'
    : 'quote'
}

/** A claim about its own place holds, by a check of code, or the whole finding, by a run of it. */
export function isConfirmedByCode(finding: Finding): boolean {
  return finding.verifiedBy.includes(reproducedWords) || confirmations(finding).length > 0
}

/** More than one reading of the code shows it: a second witness, a compiler, or a run. */
export function isConclusive(finding: Finding): boolean {
  return (
    finding.verifiedBy.includes(secondWitnessWords) ||
    finding.verifiedBy.includes(reproducedWords) ||
    confirmations(finding).some(namesChecker)
  )
}

/** An independent check tried to refute it, or its main claim, in vain. */
export function isUpheld({ verifiedBy }: Pick<Finding, 'verifiedBy'>): boolean {
  return verifiedBy.includes(upheldWords) || verifiedBy.includes(mainClaimWords)
}

export function compareProofs(a: Proof, b: Proof): number {
  return proofs.indexOf(a) - proofs.indexOf(b)
}

function confirmations({ verifiedBy }: Finding): string[] {
  return verifiedBy.flatMap((words) => {
    const [, means] = confirmation.exec(words) ?? []
    return means === undefined || startsWithAny(means, trivialMeans) ? [] : [means]
  })
}

/** `the code index and pyright 1.1`; behind a colon stand details, which may hold any words. */
function namesChecker(means: string): boolean {
  const [named = ''] = means.split(':')
  return named.split(' and ').some((one) => !startsWithAny(one, ownMeans))
}

function startsWithAny(text: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => text.startsWith(beginning))
}

function isElsewhere(item: Evidence | undefined, { anchor, side, startLine, endLine }: Finding): boolean {
  if (!item || item.path === null) return false
  if (item.path !== anchor.path || (item.side ?? 'new') !== side) return true
  const from = item.startLine ?? 1
  return (item.endLine ?? from) < startLine || from > endLine
}

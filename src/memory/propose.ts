/**
 * Proposes notes: from what people decided about findings, from findings that came again and again, and from documents.
 * A proposal has no effect; people test, accept and commit it. Pure.
 */

import { sha256 } from '../base/canonical-json.ts'
import { count } from '../base/count.ts'
import { folderWithSlash } from '../base/file-paths.ts'
import { matchGlobs } from '../base/globs.ts'
import { redactStrings } from '../base/secrets/redact.ts'
import { findInjectionSigns } from '../base/untrusted/injection-signs.ts'
import { visibleLine } from '../base/visible-text.ts'
import { type MemoryNote, memoryFolder } from '../domain/memory.ts'
import type { Review } from '../domain/review.ts'
import type { Ledger, LedgerFinding } from '../ledger/fold.ts'
import { outcomeOf } from '../ledger/outcomes.ts'
import { readNote, writeNote } from './note-file.ts'

export const proposalSources = ['dismissals', 'reactions', 'repeated', 'documents'] as const
export type ProposalSource = (typeof proposalSources)[number]

export type ProposalInput = {
  ledger: Ledger
  /** Newest first. */
  reviews: readonly { run: string; review: Review }[]
  /** Documents of the last commit. */
  documents: readonly { path: string; text: string }[]
  /** Notes that are there already, in whatever state. */
  known: readonly MemoryNote[]
  sources: readonly ProposalSource[]
  /** Last day of a proposal that is accepted: `2027-11-23`. */
  expires: string
}

export type Proposal = {
  source: ProposalSource
  note: MemoryNote
  /** What in its text looks as if it were written for a model, in words. */
  suspicions: string[]
}

/** So many decisions about one rule in one folder, or reviews with one finding, are more than chance. */
const fewest = 3
const mostOfSource = 10
const mostEvidence = 10
const longestText = 600

/** The best supported first within each source; nothing that a note, in any state, says already. */
export function proposeNotes(input: ProposalInput): Proposal[] {
  const makers: Readonly<Record<ProposalSource, (input: ProposalInput) => Draft[]>> = {
    dismissals: fromDismissals,
    reactions: fromReactions,
    repeated: fromRepeated,
    documents: fromDocuments,
  }
  const taken = new Set(input.known.map(contentOf))
  const names = new Set(input.known.map(({ name }) => name))
  return input.sources.flatMap((source) =>
    makers[source](input)
      .flatMap((draft) => {
        const note = noteOf(draft, input.expires)
        if (!note || taken.has(contentOf(note))) return []
        taken.add(contentOf(note))
        const named = { ...note, ...freeName(note.name, names) }
        const suspicions = findInjectionSigns(named.text, 5).map(({ sign, excerpt }) => `${sign}: ${excerpt}`)
        return [{ source, note: named, suspicions }]
      })
      .slice(0, mostOfSource),
  )
}

type Draft = Pick<MemoryNote, 'scope' | 'paths' | 'effect' | 'origin' | 'evidence' | 'text'> & {
  name: string
}

/** Only what its own file says: what could not be read back is not proposed. */
function noteOf(drafted: Draft, expires: string): MemoryNote | null {
  // It quotes reasons of people and documents of the repository.
  const { name, ...draft } = redactStrings(drafted)
  const text = draft.text.slice(0, longestText).split('\n').map(visibleLine).join('\n').trim()
  const slug = slugOf(name)
  const note: MemoryNote = {
    ...draft,
    name: slug,
    path: `${memoryFolder}/${slug}.md`,
    symbols: [],
    origin: visibleLine(draft.origin).slice(0, 300),
    evidence: draft.evidence.slice(0, mostEvidence).map((one) => visibleLine(one).slice(0, 300)),
    state: 'proposed',
    expires,
    tested: null,
    because: null,
    text,
  }
  return readNote(note.path, writeNote(note), expires).note
}

function contentOf({ scope, paths, symbols, effect, text }: MemoryNote): string {
  // Two notes about findings of one rule in one place say the same, whatever their words.
  return JSON.stringify([
    scope,
    paths,
    symbols,
    effect,
    effect ? '' : text.toLowerCase().replace(/\s+/g, ' '),
  ])
}

function freeName(name: string, taken: Set<string>): Pick<MemoryNote, 'name' | 'path'> {
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name}-${number}`
  taken.add(free)
  return { name: free, path: `${memoryFolder}/${free}.md` }
}

function slugOf(words: string): string {
  const slug = words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 50)
    .replace(/-$/, '')
  return slug === '' ? `note-${sha256(words).slice(0, 8)}` : slug
}

type Decided = { finding: LedgerFinding; outcome: 'right' | 'wrong' | 'unimportant' }

function decidedIn(ledger: Ledger): Decided[] {
  return [...ledger.findings.values()].flatMap((finding) => {
    const outcome = outcomeOf(ledger, finding)
    return outcome === null || outcome === 'undecided' ? [] : [{ finding, outcome }]
  })
}

/** Rules that people dismissed again and again in one place, and that were never right there. */
function fromDismissals({ ledger }: ProposalInput): Draft[] {
  const people = decidedIn(ledger).filter(
    ({ finding }) => finding.dismissal?.by.kind === 'person' && finding.dismissal.kind !== 'accepted',
  )
  return placesOf(people, decidedIn(ledger)).map(({ rule, glob, own }) => ({
    name: `${rule} ${glob}`,
    scope: 'paths',
    paths: [glob],
    effect: { kind: 'dismiss', rule },
    origin: `${count(own.length, 'dismissal')} under this rule`,
    evidence: own.map(({ finding }) => `finding ${finding.id}`),
    text: reasonsIn(own, `Findings of \`${rule}\` do not count in \`${glob}\``),
  }))
}

/** Rules whose findings people disliked in one place without dismissing them. */
function fromReactions({ ledger }: ProposalInput): Draft[] {
  const all = decidedIn(ledger)
  const disliked = all.filter(({ finding, outcome }) => outcome === 'wrong' && finding.dismissal === null)
  return placesOf(disliked, all).map(({ rule, glob, own }) => ({
    name: `minor ${rule} ${glob}`,
    scope: 'paths',
    paths: [glob],
    effect: { kind: 'minor', rule },
    origin: `${count(own.length, 'reaction')} against this rule`,
    evidence: own.map(({ finding }) => `finding ${finding.id}`),
    text: `Findings of \`${rule}\` are of little use in \`${glob}\`.`,
  }))
}

/** Findings of one rule that were right in one place in several changes: a trap that people should know. */
function fromRepeated({ ledger }: ProposalInput): Draft[] {
  const right = decidedIn(ledger).filter(({ outcome }) => outcome === 'right')
  const places = Map.groupBy(
    right,
    ({ finding: { record } }) => `${record.rule}\0${folderWithSlash(record.path)}`,
  )
  return [...places.values()]
    .filter((own) => new Set(own.map(({ finding }) => finding.change)).size >= fewest)
    .sort((a, b) => b.length - a.length)
    .flatMap((own): Draft[] => {
      const [first] = own
      if (!first) return []
      const { rule, path } = first.finding.record
      const glob = globOf(folderWithSlash(path))
      const titles = [...new Set(own.map(({ finding }) => finding.record.title))].slice(0, 3)
      return [
        {
          name: `again ${rule} ${glob}`,
          scope: 'paths',
          paths: [glob],
          effect: null,
          origin: `${count(own.length, 'finding')} that were right, in ${new Set(own.map(({ finding }) => finding.change)).size} changes`,
          evidence: own.map(({ finding }) => `finding ${finding.id}`),
          text: `Changes in \`${glob}\` often have findings of \`${rule}\` that are right, such as:\n${titles.map((title) => `- ${title}`).join('\n')}`,
        },
      ]
    })
}

const everywhere = { scope: 'repository' as const, paths: [] }
const demands = /\b(?:must(?: not| never)?|never|always|do not|don't|only|shall|required?)\b/i
const longestDemand = 400

/** Items of lists in documents that ask for something of code. */
function fromDocuments({ documents }: ProposalInput): Draft[] {
  return documents.flatMap(({ path, text }) => {
    const folder = folderWithSlash(path.replace(/^(?:docs|\.github)\//, ''))
    const scope = folder === '' ? everywhere : { scope: 'paths' as const, paths: [globOf(folder)] }
    return text.split('\n').flatMap((line, at): Draft[] => {
      const item = /^\s{0,6}(?:[-*+]|\d{1,2}\.)\s+(\S.*)$/.exec(line.slice(0, longestDemand))?.[1] ?? ''
      // What names code can be checked against code.
      if (item.length < 20 || !demands.test(item) || !/`[^`]+`/.test(item)) return []
      return [
        {
          name: item.split(' ').slice(0, 6).join(' '),
          ...scope,
          effect: null,
          origin: `a document of the repository`,
          evidence: [`${path}:${at + 1}`],
          text: item,
        },
      ]
    })
  })
}

type Place = { rule: string; glob: string; own: Decided[] }

/** By rule, the folder that holds at least three of the decisions; none where one of them was right. */
function placesOf(decisions: readonly Decided[], all: readonly Decided[]): Place[] {
  const byRule = Map.groupBy(decisions, ({ finding }) => finding.record.rule)
  return [...byRule]
    .flatMap(([rule, own]) => {
      const folder = commonFolder(own.map(({ finding }) => finding.record.path))
      const whole = { rule, glob: globOf(folder), own }
      const groups = [whole, ...byFolder(rule, own)]
      const usable = groups.filter((place) => place.own.length >= fewest && !hasRight(place, all))
      return usable.slice(0, usable[0] === whole ? 1 : undefined)
    })
    .sort((a, b) => b.own.length - a.own.length || (a.rule < b.rule ? -1 : 1))
}

function byFolder(rule: string, own: readonly Decided[]): Place[] {
  const folders = Map.groupBy(own, ({ finding }) => folderWithSlash(finding.record.path))
  return [...folders].map(([folder, some]) => ({ rule, glob: globOf(folder), own: some }))
}

function hasRight({ rule, glob }: Place, all: readonly Decided[]): boolean {
  const matches = matchGlobs([glob])
  return all.some(
    ({ finding: { record }, outcome }) => outcome === 'right' && record.rule === rule && matches(record.path),
  )
}

function commonFolder(paths: readonly string[]): string {
  const [first = '', ...rest] = paths.map((path) => path.split('/').slice(0, -1))
  const parts = [...first]
  let length = parts.length
  for (const other of rest) while (parts.slice(0, length).some((part, at) => other[at] !== part)) length--
  return length === 0 ? '' : `${parts.slice(0, length).join('/')}/`
}

function globOf(folder: string): string {
  return `${folder}**`
}

function reasonsIn(own: readonly Decided[], words: string): string {
  const reasons = [...new Set(own.flatMap(({ finding }) => finding.dismissal?.because ?? []))].slice(0, 3)
  return reasons.length === 0 ? `${words}.` : `${words}: ${reasons.map(visibleLine).join('; ')}`
}

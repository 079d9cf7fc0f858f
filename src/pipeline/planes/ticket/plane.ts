/**
 * The ticket plane: ties acceptance criteria to changed lines by their words. Precision first: a criterion is tied by a
 * name that few files have, or by most of its words in one file. It proposes no findings, since code that uses other words
 * may fulfil a criterion as well.
 */
import { identifiersOf, partsOf, stemOf, stemsOf } from '../../../code-index/lexical/terms.ts'
import type { ChangeSet, DiffLine, FileChange } from '../../../domain/change-set.ts'
import { tagOf } from '../../../domain/line-tag.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import type { CriterionTie, Ticket, TiedLines } from '../../../domain/ticket.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'

export const ticketPlane: Plane = {
  name: 'ticket',
  description: 'which acceptance criteria of the ticket have code in this change',
  look,
}

/** Tickets come with the request at every depth, even where the bundle holds the diff alone. */
async function look({ context, head, config }: PlaneInput): Promise<PlaneReport> {
  const isLeftOut = config.context.leaveOut.includes('tickets')
  const tickets = isLeftOut ? [] : (context.request.tickets ?? [])
  return { candidates: [], limits: [], ties: await tieCriteria(tickets, context.change, head) }
}

/** A name in more files than this says little about any of them. */
const fewFiles = 8
/** At least this many words of a criterion, and this share of them, in one file. */
const enough = { words: 3, share: 0.6 }
const mostLines = 5
const mostFiles = 3

type Read = {
  file: FileChange
  lines: { line: DiffLine; names: ReadonlySet<string>; stems: ReadonlySet<string> }[]
}

/** One for each criterion of each ticket, in their order. Pure except for one search of the head. */
export async function tieCriteria(
  tickets: readonly Ticket[],
  change: ChangeSet,
  head: RepoSnapshot,
): Promise<CriterionTie[]> {
  const listed = tickets.flatMap(({ id: ticket, criteria }) =>
    criteria.map(({ id, text }) => ({ ticket, id, words: criterionWords(text) })),
  )
  if (listed.length === 0) return []
  const files = change.files.filter(isCode).map(readAdded)
  const present = new Set(files.flatMap(({ lines }) => lines.flatMap(({ names }) => [...names])))
  const asked = [...new Set(listed.flatMap(({ words }) => words.names))].filter((name) => present.has(name))
  const holders = asked.length > 0 ? await head.filesWithWords(asked) : new Map<string, readonly string[]>()
  const isRare = (name: string) => (holders.get(name)?.length ?? 0) <= fewFiles
  return listed.map(({ ticket, id, words }) => ({ ticket, id, ...tie(words, files, isRare) }))
}

function tie(
  words: CriterionWords,
  files: readonly Read[],
  isRare: (name: string) => boolean,
): Omit<CriterionTie, 'ticket' | 'id'> {
  const found = files
    .map((read) => ({ read, ...matches(words, read) }))
    .filter(({ names, stems }) => names.length + stems.length > 0)
    .sort((a, b) => b.names.length - a.names.length || b.stems.length - a.stems.length)
  const strong = found.filter(({ names, stems }) => {
    const number = names.length + stems.length
    const all = words.names.length + words.stems.length
    return names.some(isRare) || (number >= enough.words && number / all >= enough.share)
  })
  const shown = (strong.length > 0 ? strong : found).slice(0, mostFiles)
  return {
    isStrong: strong.length > 0,
    words: [...new Set(shown.flatMap(({ names, stems }) => [...names, ...stems]))],
    lines: shown.map(({ read, names, stems }) => linesOf(read, names, stems)),
  }
}

function matches(words: CriterionWords, { lines }: Read): { names: string[]; stems: string[] } {
  return {
    names: words.names.filter((name) => lines.some((line) => line.names.has(name))),
    stems: words.stems.filter((stem) => lines.some((line) => line.stems.has(stem))),
  }
}

/** The lines with the most words, in the order of the file. */
function linesOf({ file, lines }: Read, names: readonly string[], stems: readonly string[]): TiedLines {
  const weighed = lines
    .map(({ line, ...has }, at) => ({
      line,
      at,
      weight:
        2 * names.filter((name) => has.names.has(name)).length +
        stems.filter((stem) => has.stems.has(stem)).length,
    }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.at - b.at)
    .slice(0, mostLines)
  return { path: file.path, tags: weighed.sort((a, b) => a.at - b.at).map(({ line }) => tagOf(line)) }
}

function isCode({ kind, role }: FileChange): boolean {
  return kind === 'text' && (role === 'source' || role === 'test' || role === 'config')
}

function readAdded(file: FileChange): Read {
  const added = file.hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'added'))
  return {
    file,
    lines: added.map((line) => {
      const names = identifiersOf(line.text.slice(0, 1_000))
      return { line, names: new Set(names), stems: new Set(names.flatMap(stemsOf)) }
    }),
  }
}

type CriterionWords = {
  /** Names of code: between backticks or quotes, in camel or snake case, in capitals, with a dot inside. */
  names: readonly string[]
  /** Stems of the other significant words. */
  stems: readonly string[]
}

const longestText = 500
const mostNames = 20
const shortestName = 3
const shortestWord = 4

/** Words that occur in nearly every criterion. */
const common: ReadonlySet<string> = new Set(
  `about above after again also always another because been before being below between both cannot could does done down
  each either else ensure even every from given have having here into just like made make many more most must need needs
  never none only other over same shall should show shows since some such take than that their them then there these
  they this those through true under until upon used user users uses using very want well were what when where whether
  which while will with within without would your able allow allows available case cases change changes code correct
  correctly criteria feature handle handles implement implemented include includes method page return returns screen
  support supports system test tests value values work works false`
    .split(/\s+/)
    .map(stemOf),
)

export function criterionWords(text: string): CriterionWords {
  const shown = text.slice(0, longestText)
  const names = [...new Set([...quotedIn(shown), ...shapedIn(shown)])].slice(0, mostNames)
  const named = new Set(names.flatMap((name) => [name.toLowerCase(), ...partsOf(name)]).map(stemOf))
  const words = (shown.match(/[\p{L}][\p{L}\p{N}]+/gu) ?? []).map((word) => word.toLowerCase())
  const stems = words
    .filter((word) => word.length >= shortestWord)
    .map(stemOf)
    .filter((stem) => !common.has(stem) && !named.has(stem))
  return { names, stems: [...new Set(stems)] }
}

/** Only single names, not quoted sentences. */
function quotedIn(text: string): string[] {
  return [...text.matchAll(/[`"'“”]([\p{L}_$][\p{L}\p{N}_$]*)(?:\(\))?[`"'“”]/gu)].flatMap(([, name]) =>
    name !== undefined && name.length >= shortestName ? [name] : [],
  )
}

/** `retryLimit`, `max_size`, `HTTP_TIMEOUT`: not words of prose. */
function shapedIn(text: string): string[] {
  return (text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).filter(
    (word) => word.length >= shortestName && /\p{Ll}\p{Lu}|[\p{L}\p{N}]_[\p{L}\p{N}]/u.test(word),
  )
}

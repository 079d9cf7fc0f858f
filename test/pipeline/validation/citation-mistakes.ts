/**
 * The ways in which models cite a wrong place, each as a transformation of a right citation. What is meant is known:
 * it is the line the citation was made for.
 */
import type { ChangeSet, DiffLine, FileChange, Side } from '../../../src/domain/change-set.ts'
import { formatTag } from '../../../src/domain/line-tag.ts'
import type { Random } from '../../helpers/random.ts'

/** A citation as it reaches validation: a file, a tag, and the words that are quoted. */
export type Cite = { path: string; tag: string; quote: string }

export type Meant = { change: ChangeSet; file: FileChange; line: DiffLine; side: Side }

/** Null where the error is not possible, as with the first of identical lines where there is no other. */
export type CitationError = (cite: Cite, meant: Meant, random: Random) => Cite | null

export const citationErrors: Readonly<Record<string, CitationError>> = {
  none: (cite) => cite,
  'off by one': (cite, meant, random) => renumber(cite, meant, numberOf(meant) + random.pick([-1, 1])),
  'number of the other side': (cite, meant) =>
    renumber(cite, meant, meant.line[otherSide(meant)] ?? numberBeside(meant)),
  'position in the diff': (cite, meant) => renumber(cite, meant, linesOf(meant.file).indexOf(meant.line) + 1),
  'first of identical lines': firstOfIdentical,
  'number of an earlier version': staleNumber,
  'wrong file': (cite, { change, file }, random) => {
    const others = change.files.filter(({ path }) => path !== file.path)
    return others.length === 0 ? null : { ...cite, path: random.pick(others).path }
  },
  'hash cut short': (cite, { line, side }, random) => ({
    ...cite,
    tag: formatTag(side, line[side] ?? 0, line.hash.slice(0, random.between(0, 2))).replace(/#$/, ''),
  }),
  'hash of a neighbour': (cite, meant, random) => {
    const lines = linesOf(meant.file)
    const neighbour = lines[lines.indexOf(meant.line) + random.pick([-1, 1])]
    if (!neighbour || neighbour.text === meant.line.text) return null
    return { ...cite, tag: formatTag(meant.side, numberOf(meant), neighbour.hash) }
  },
  'brackets and signs': (cite, _, random) => ({
    ...cite,
    tag: random.pick([
      `[${cite.tag}]`,
      `[${cite.tag}] +`,
      `\`${cite.tag}\``,
      `+${cite.tag}`,
      cite.tag.toUpperCase(),
      `${cite.tag}:`,
    ]),
  }),
  'white space in the quote': (cite, _, random) => ({ ...cite, quote: respace(cite.quote, random) }),
  'off by one, white space': (cite, meant, random) => {
    const wrong = renumber(cite, meant, numberOf(meant) + random.pick([-1, 1]))
    return wrong && { ...wrong, quote: respace(wrong.quote, random) }
  },
}

export function linesOf(file: FileChange): DiffLine[] {
  return file.hunks.flatMap(({ lines }) => lines)
}

function numberOf({ line, side }: Meant): number {
  return line[side] ?? 0
}

function renumber(cite: Cite, { line, side }: Meant, number: number | null): Cite | null {
  return number === null || number < 1 || number === line[side]
    ? null
    : { ...cite, tag: formatTag(side, number, line.hash) }
}

function otherSide({ side }: Meant): Side {
  return side === 'new' ? 'old' : 'new'
}

/** An added line has no old number: the model counts on from the last line that has one. */
function numberBeside(meant: Meant): number | null {
  const lines = linesOf(meant.file)
  const before = lines.slice(0, lines.indexOf(meant.line)).reverse()
  return before.find((one) => one[otherSide(meant)] !== null)?.[otherSide(meant)] ?? null
}

function firstOfIdentical(cite: Cite, meant: Meant): Cite | null {
  const first = linesOf(meant.file).find((one) => one.text === meant.line.text && one[meant.side] !== null)
  return first && first !== meant.line ? renumber(cite, meant, first[meant.side]) : null
}

/** The number the line had when some of the other hunks were not there yet; or before the branch was moved on. */
function staleNumber(cite: Cite, meant: Meant, random: Random): Cite | null {
  let shift = 0
  for (const hunk of meant.file.hunks) {
    if (hunk.lines.includes(meant.line)) break
    if (random.chance(0.5)) shift += hunk.newLines - hunk.oldLines
  }
  if (shift === 0) shift = random.pick([-1, 1]) * random.between(2, 40)
  return renumber(cite, meant, numberOf(meant) - shift)
}

function respace(quote: string, random: Random): string {
  return random.pick([
    quote
      .split('\n')
      .map((line) => line.trim())
      .join('\n'),
    quote.replace(/[ \t]+/g, ' '),
    quote.replace(/^[ \t]+/gm, (space) => space.replaceAll('\t', '    ').repeat(2)),
    quote.replace(/, /g, ','),
  ])
}

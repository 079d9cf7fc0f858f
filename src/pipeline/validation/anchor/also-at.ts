/**
 * The further places of a finding: each must be a line of the diff or of evidence, with the quoted words on it. One that
 * fails is left out with the reason; the finding itself is kept.
 */
import { type FileChange, pathOn } from '../../../domain/change-set.ts'
import { linesFromTag } from '../../../domain/diff-lines.ts'
import type { Evidence } from '../../../domain/evidence.ts'
import type { AlsoAt, FurtherPlace } from '../../../domain/finding.ts'
import { tagOf } from '../../../domain/line-tag.ts'
import { findQuote, linesOfWords } from '../../../domain/quoted-words.ts'
import { findUntruth } from '../check-evidence.ts'
import {
  type CandidateState,
  type DiffLocation,
  type Dropped,
  drop,
  isDropped,
  locationOf,
  type StepResult,
  type ValidationContext,
  type ValidationStep,
} from '../contract.ts'
import { locateTag } from './locate-tag.ts'
import { readQuotes } from './quotes.ts'

export const placeSteps: readonly ValidationStep[] = [
  { name: 'further places', step: 'anchor', run: checkPlaces },
]

async function checkPlaces(state: CandidateState, context: ValidationContext): Promise<StepResult> {
  const { alsoAt = [], ...candidate } = state.candidate
  if (alsoAt.length === 0) return {}
  const places: FurtherPlace[] = []
  const demotions: string[] = []
  for (const named of alsoAt) {
    const place = await findPlace(named, context)
    if (isDropped(place)) demotions.push(`one place left out: ${place.dropped}`)
    else if (!isOwn(place, locationOf(state)) && !places.some((one) => isSame(one, place))) places.push(place)
  }
  return {
    candidate,
    places,
    demotions,
    verifiedBy:
      places.length === 0
        ? []
        : [
            places.length === 1
              ? '1 further place has the quoted words'
              : `${places.length} further places have the quoted words`,
          ],
  }
}

async function findPlace(
  { path, cited, quote }: AlsoAt,
  { evidence, sources, bundle }: ValidationContext,
): Promise<FurtherPlace | Dropped> {
  if (quote.trim() === '') return drop('it quotes nothing')
  const item = evidence.get(cited)
  if (item) {
    const untruth = await findUntruth(item, sources)
    return untruth === null
      ? placeInEvidence(item, quote)
      : drop(`${item.id} is not what the repository says: ${untruth}`)
  }
  const file = bundle.change.files.find((one) => one.path === path)
  return file
    ? placeInDiff(file, cited, quote)
    : drop(`\`${cited.slice(0, 20)}\` is neither evidence nor a line of a changed file`)
}

function placeInEvidence(
  { id, path, side, startLine, text }: Evidence,
  quote: string,
): FurtherPlace | Dropped {
  if (path === null || startLine === null) return drop(`${id} is not from lines of a file`)
  const words = findQuote(text, quote, true)
  const at = words === null ? -1 : text.indexOf(words)
  if (words === null || at < 0) return drop(`the quoted words are not in ${id}`)
  if (text.indexOf(words, at + 1) >= 0) return drop(`the quoted words occur more than once in ${id}`)
  return { path, side: side ?? 'new', ...linesOfWords({ text, startLine }, at, words), quote: words }
}

function placeInDiff(file: FileChange, tag: string, quote: string): FurtherPlace | Dropped {
  const located = locateTag(tag, file, readQuotes([quote], file))
  if (isDropped(located)) return located
  const side = located.spot.line.new !== null ? 'new' : 'old'
  const lines = linesFromTag(file, tagOf(located.spot.line), quote.trim().split('\n').length)
  const words = findQuote(lines.map(({ text }) => text).join('\n'), quote.trim(), true)
  const numbers = lines.flatMap((line) => line[side] ?? [])
  const [startLine, endLine] = [numbers[0], numbers.at(-1)]
  if (words === null || startLine === undefined || endLine === undefined)
    return drop(`the quoted words are not at \`${tag.slice(0, 20)}\``)
  return {
    path: pathOn(side, file),
    side,
    startLine,
    endLine,
    quote: words,
  }
}

function isOwn({ path, side, startLine, endLine }: FurtherPlace, location: DiffLocation): boolean {
  return (
    path === location.file.path &&
    side === location.side &&
    location.startLine <= startLine &&
    endLine <= location.endLine
  )
}

function isSame(a: FurtherPlace, b: FurtherPlace): boolean {
  return a.path === b.path && a.side === b.side && a.startLine === b.startLine && a.endLine === b.endLine
}

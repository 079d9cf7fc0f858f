/**
 * Finds secrets in a text. Only the text decides, not the path or a comment in it, so that the same blob is masked alike
 * wherever it lies. Linear in the length of the text: a few passes over all of it, and the many forms only over the few
 * lines that could hold one.
 */
import type { SecretForm, SecretMatch, TextRange } from './contract.ts'
import { findKeyBlocks } from './key-blocks.ts'
import { findAddressPasswords, findAwsPairs, findLoginPasswords } from './known-places.ts'
import { isMadeUp } from './placeholder.ts'
import { tokenForms } from './token-forms.ts'
import { valueForms } from './value-forms.ts'

/** Goes up when the same text may be masked in another way, so that nothing cached from it is used any more. */
export const secretsVersion = 6

/** Characters of a token that stay, so that its owner can tell which one it is. */
const shownCharacters = 4
/** What a form may look at on either side of a match. */
const aroundCharacters = 200

const forms: readonly SecretForm[] = [...tokenForms, ...valueForms]
const allHints = [...new Set(forms.flatMap(({ hints }) => hints.map((hint) => hint.toLowerCase())))]
/** The longest at each place; whatever it begins with is there as well. */
const hintPattern = new RegExp(
  `(?=(${allHints
    .sort((a, b) => b.length - a.length)
    .map((hint) => hint.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|')}))`,
  'g',
)

/** In order of place, without overlaps. Never throws. */
export function findSecrets(text: string): SecretMatch[] {
  const byForm = findByForms(text)
  const awsIds = byForm.filter(({ kind }) => kind === 'AWS access key id')
  return withoutOverlaps([
    ...findKeyBlocks(text),
    ...findAddressPasswords(text),
    ...findLoginPasswords(text),
    ...byForm,
    ...findAwsPairs(text, awsIds),
  ])
}

function findByForms(text: string): SecretMatch[] {
  const lines = candidateLines(text)
  if (lines.text === '') return []
  const found = new Set<string>()
  for (const [, hint = ''] of lines.text.toLowerCase().matchAll(hintPattern)) found.add(hint)
  if (found.size === 0) return []
  const isThere = (hint: string) => found.has(hint) || [...found].some((one) => one.startsWith(hint))
  return forms
    .filter(({ hints }) => hints.some((hint) => isThere(hint.toLowerCase())))
    .flatMap((form) => findByForm(form, lines.text, lines.offsetOf))
}

function findByForm(form: SecretForm, lines: string, offsetOf: (at: number) => number): SecretMatch[] {
  const { kind, pattern, group = 0, certain, accept } = form
  return [...lines.matchAll(pattern)].flatMap((match) => {
    const [whole] = match
    const value = match[group] ?? ''
    const at = match.index + whole.lastIndexOf(value)
    const last = match.index + whole.length
    const around = {
      before: lines.slice(Math.max(0, match.index - aroundCharacters), match.index),
      whole,
      after: lines.slice(last, last + aroundCharacters),
    }
    if (value === '' || isMadeUp(value) || accept?.(value, around) === false) return []
    const start = offsetOf(at)
    const end = start + value.length
    // A password has no beginning that tells whose it is.
    const shown = group === 0 ? Math.min(shownCharacters, value.length) : 0
    return [{ kind, value, start, end, certain, local: false, hidden: [{ start: start + shown, end }] }]
  })
}

/** Of two that overlap the surer one gives the name; both are masked. */
function withoutOverlaps(matches: SecretMatch[]): SecretMatch[] {
  matches.sort((a, b) => a.start - b.start || b.end - a.end || Number(b.certain) - Number(a.certain))
  const kept: SecretMatch[] = []
  for (const match of matches) {
    const last = kept.at(-1)
    if (!last || match.start >= last.end) {
      kept.push(match)
      continue
    }
    const named = match.certain && !last.certain ? match : last
    // Sorted so that the surer of two in one place comes first: its beginning may stay.
    if (match.start === last.start && match.end === last.end && last.certain) continue
    kept[kept.length - 1] = {
      ...named,
      start: last.start,
      end: Math.max(last.end, match.end),
      local: last.local && match.local,
      hidden: joined([...last.hidden, ...match.hidden]),
    }
  }
  return kept
}

function joined(ranges: TextRange[]): TextRange[] {
  ranges.sort((a, b) => a.start - b.start)
  const kept: TextRange[] = []
  for (const range of ranges) {
    const last = kept.at(-1)
    if (last && range.start <= last.end)
      kept[kept.length - 1] = { start: last.start, end: Math.max(last.end, range.end) }
    else kept.push(range)
  }
  return kept
}

/**
 * The few lines that could hold a token: those with a long run of characters that tokens are made of, or a shorter one behind
 * the name of a password. Reading every character once in a table is several times cheaper than asking every
 * form of every line.
 */

/** Long enough to be a token, or part of an assignment that gives one. */
const leastRun = 12
/** A shorter run without a digit is a word. */
const leastWithoutDigit = 20
/** Behind the name of a password: without quotes and white space, the name and its value are one run. */
const leastPassword = 8
const nameOfPassword = /(?:pass|passwd|password|secret)["'`]?[^\S\n]{0,3}(?:=>|:=|=|:)[^\S\n]{0,3}["'`]?$/i
const longestName = 20
/** Of a long line so much is taken on either side of a run: minified files have a single line. */
const reach = 300

const lineFeed = 10

const other = 0
const character = 1
const digit = 2

const kinds = new Uint8Array(128)
for (let code = 33; code < 127; code++)
  kinds[code] = '"\'`()<>{}[],;|'.includes(String.fromCharCode(code)) ? other : character
for (let code = 48; code < 58; code++) kinds[code] = digit

type CandidateLines = {
  /** Joined by line feeds. */
  text: string
  /** Where an offset of `text` stands in the whole. */
  offsetOf(at: number): number
}

function candidateLines(whole: string): CandidateLines {
  const [starts, offsets, parts]: [number[], number[], string[]] = [[], [], []]
  let length = 0
  let taken = 0
  let lineStart = 0
  const take = (runStart: number, runEnd: number): void => {
    const start = Math.max(lineStart, runStart - reach, taken)
    const newline = whole.slice(runEnd, runEnd + reach).indexOf('\n')
    const end = newline < 0 ? Math.min(whole.length, runEnd + reach) : runEnd + newline
    if (end <= taken) return
    // What goes on where the last piece ended is joined to it without a break.
    const separator = start === taken && parts.length > 0 ? '' : '\n'
    length += separator.length
    parts.push(separator, whole.slice(start, end))
    starts.push(length)
    offsets.push(start)
    length += end - start
    taken = end
  }
  let run = 0
  let digits = 0
  for (let at = 0; at <= whole.length; at++) {
    const code = at < whole.length ? whole.charCodeAt(at) : lineFeed
    const kind = kinds[code] ?? other
    if (kind !== other) {
      run++
      if (kind === digit) digits++
      continue
    }
    const isLong = run >= leastWithoutDigit || (run >= leastRun && digits > 0)
    if (isLong || (run >= leastPassword && digits > 0 && isPassword(whole, at - run))) take(at - run, at)
    run = 0
    digits = 0
    if (code === lineFeed) lineStart = at + 1
  }
  return {
    text: parts.join(''),
    offsetOf(at) {
      let [low, high] = [0, starts.length - 1]
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((starts[middle] ?? 0) <= at) low = middle
        else high = middle - 1
      }
      return (offsets[low] ?? 0) + at - (starts[low] ?? 0)
    },
  }
}

function isPassword(text: string, start: number): boolean {
  return nameOfPassword.test(text.slice(Math.max(0, start - longestName), start))
}

/**
 * Finds secrets in a text, by what they are: tokens by their form, keys by their frame, values by the names that they are given
 * to. Each is looked for in the text as it is written and as it is meant (`decoded-views.ts`), so that no escape hides
 * one. Only the text decides, not the path or a comment in it, so that the same blob is masked alike wherever it lies.
 *
 * Linear in the length of the text: one pass finds where something may begin, and bounded patterns are tried there.
 */
import { findAssigned } from './assignments.ts'
import type { SecretForm, SecretMatch, TextRange } from './contract.ts'
import { decodedViews, type TextView } from './decoded-views.ts'
import { findEncoded } from './encoded-runs.ts'
import { createHintScanner } from './hint-scanner.ts'
import { findIssued } from './issued-tokens.ts'
import { issuers } from './issuers/registry.ts'
import { findKeyBlocks, holdsKeyFrame } from './key-blocks.ts'
import { findAddressPasswords, findAwsPairs, findLoginPasswords } from './known-places.ts'
import { isMadeUp } from './placeholder.ts'
import { nameHints } from './secret-names.ts'
import { valueForms } from './value-forms.ts'

/** Goes up when the same text may be masked in another way, so that nothing cached from it is used any more. */
export const secretsVersion = 11

/** What a form may look at on either side of a match, and as far as that is in the same string or line. */
const nearCharacters = 200
const farCharacters = 2000

const valueHints = valueForms.flatMap((form) => form.hints.map((hint) => ({ form, hint })))
const scan = createHintScanner([
  ...issuers.map(({ hint }) => hint),
  ...valueHints.map(({ hint }) => hint),
  ...nameHints,
])

/** In order of place, without overlaps. Never throws. */
export function findSecrets(text: string): SecretMatch[] {
  return withoutOverlaps(search(text))
}

/** Base64 in base64 is decoded once more. */
const mostDecoding = 2

function search(text: string, depth = 0): SecretMatch[] {
  const views = decodedViews(text)
  // Of a key whose frame a decoded view shows, the lines without an escape are read there too.
  const keyViews = views.some((view) => holdsKeyFrame(view.text)) ? decodedViews(text, true) : []
  return [
    ...findAsWritten(text),
    ...findKeyBlocks(text),
    ...views.flatMap((view) => throughView(view, findAsWritten)),
    ...keyViews.flatMap((view) => throughView(view, findKeyBlocks)),
    ...(depth < mostDecoding ? findEncoded(text, (decoded) => search(decoded, depth + 1)) : []),
  ]
}

function throughView(view: TextView, find: (text: string) => SecretMatch[]): SecretMatch[] {
  return find(view.text).flatMap((match) => {
    const source = view.sourceOf(match)
    const [first, last] = [source[0], source.at(-1)]
    if (!first || !last) return []
    const hidden = joined(match.hidden.flatMap(view.sourceOf))
    return [{ ...match, hidden, start: first.start, end: last.end }]
  })
}

function findAsWritten(text: string): SecretMatch[] {
  const found: SecretMatch[] = []
  const seenNames = { until: 0 }
  scan(text, (word, start) => {
    const issuer = issuers[word]
    const value = valueHints[word - issuers.length]
    if (issuer) {
      const match = findIssued(text, issuer, start)
      if (match) found.push(match)
    } else if (value) found.push(...findByForm(text, value.form, start))
    else found.push(...findAssigned(text, start, seenNames))
  })
  const awsIds = found.filter(({ kind }) => kind === 'AWS access key id')
  return [
    ...found,
    ...findAddressPasswords(text),
    ...findLoginPasswords(text),
    ...findAwsPairs(
      text,
      awsIds.sort((a, b) => a.start - b.start),
    ),
  ]
}

function findByForm(text: string, form: SecretForm, hit: number): SecretMatch[] {
  const { kind, pattern, group = 0, certain, accept } = form
  pattern.lastIndex = hit
  const match = pattern.exec(text)
  if (!match) return []
  const [whole] = match
  const value = match[group] ?? ''
  const start = match.index + whole.lastIndexOf(value)
  const around = () => textAround(text, match.index, match.index + whole.length)
  if (isMadeUp(value) || accept?.(value, around) === false) return []
  const end = start + value.length
  return [{ kind, value, start, end, certain, local: false, hidden: [{ start, end }] }]
}

function textAround(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - farCharacters), start)
  const after = text.slice(end, end + farCharacters)
  const ends = /["'`\n]/
  const own = [before.split(ends).at(-1), after.split(ends)[0]]
  return [before.slice(-nearCharacters), ...own, after.slice(0, nearCharacters)].join('\n')
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

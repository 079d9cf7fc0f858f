/**
 * Finds secrets in a text. Only the text decides, not the path or a comment in it, so that the same blob is masked alike
 * wherever it lies. Linear in the length of the text: a few passes over all of it, and the many forms only over the few
 * lines that could hold one.
 */
import { candidateLines } from './candidate-lines.ts'
import type { SecretForm, SecretMatch, TextRange } from './contract.ts'
import { findKeyBlocks } from './key-blocks.ts'
import { findAddressPasswords, findAwsPairs, findLoginPasswords } from './known-places.ts'
import { isMadeUp } from './placeholder.ts'
import { tokenForms } from './token-forms.ts'
import { valueForms } from './value-forms.ts'

/** Goes up when the same text may be masked in another way, so that nothing cached from it is used any more. */
export const secretsVersion = 2

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

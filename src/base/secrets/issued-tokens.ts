/** Tokens that tell who issued them, also where a string is put together from pieces or goes on in the next line. */
import type { SecretMatch, TextRange } from './contract.ts'
import { PieceList } from './decoded-views.ts'
import type { IssuedForm } from './issuers/issued-form.ts'
import { entropy, isMadeUp } from './placeholder.ts'

/** Characters of a token that stay, so that its owner can tell which one it is. */
const shownCharacters = 4
/** Of a token in pieces so much is put together. */
const longestJoined = 1200
/** Characters that a form looks at to the left of its beginning. */
const farthestBefore = 12

export function findIssued(text: string, form: IssuedForm, hit: number): SecretMatch | null {
  const start = hit - form.lead
  const isHint = form.pattern.ignoreCase || text.startsWith(form.hint, hit)
  if (start < 0 || !isHint) return null
  form.pattern.lastIndex = start
  const match = form.pattern.exec(text)
  if (match) return matchOf(form, match, (range) => [range])
  return joinedAt(text, form, start)
}

function matchOf(
  { kind, group, certain, isMixed }: IssuedForm,
  match: RegExpExecArray,
  sourceOf: (range: TextRange) => TextRange[],
): SecretMatch | null {
  const value = match[group] ?? ''
  if (isMadeUp(value) || (isMixed && !isMixture(value))) return null
  const start = match.index + match[0].indexOf(value)
  const end = start + value.length
  // A part of an address has no beginning that tells whose it is.
  const shown = group === 0 ? Math.min(shownCharacters, value.length) : 0
  const hidden = sourceOf({ start: start + shown, end })
  const [first] = sourceOf({ start, end })
  return {
    kind,
    value,
    start: first?.start ?? start,
    end: hidden.at(-1)?.end ?? end,
    certain,
    local: false,
    hidden,
  }
}

const isMixture = (value: string): boolean => /\d/.test(value) && /[A-Za-z]/.test(value) && entropy(value) > 3

/** The end of one piece and the begin of the next: a sign that joins strings, a line end, what stands before a line. */
const seam =
  /["'`]?[ \t]{0,8}(?:[+.&,\\]|\.\.|<>|\|\|)?[ \t]{0,8}(?:(?:\r?\n|\r)[ \t]{0,80}(?:\d{1,6}[ \t]{0,4}[|:│.]?[ \t]{1,4})?(?:(?:\/\/|#|\*|>|--|;|\||[+-](?=["'`\t ]))[ \t]{0,8}){0,2}(?:[+.&]|\.\.|<>|\|\|)?[ \t]{0,8}["'`]?|["'`])/y
const tokenRun = /[\w.~+/=:%$!-]{1,1200}/y

/** Null where the token does not go on behind a seam. */
function joinedAt(text: string, form: IssuedForm, start: number): SecretMatch | null {
  const pieces = new PieceList()
  // The characters before a token decide whether it begins there.
  const before = Math.min(start, farthestBefore)
  pieces.copy(text, start - before, start)
  let seams = 0
  for (let at = start; at < start + longestJoined; ) {
    tokenRun.lastIndex = at
    const run = tokenRun.exec(text)?.[0]
    if (run === undefined) break
    pieces.copy(text, at, at + run.length)
    seam.lastIndex = at + run.length
    const gap = seam.exec(text)?.[0]
    if (gap === undefined) break
    seams++
    at += run.length + gap.length
  }
  if (seams === 0) return null
  form.pattern.lastIndex = before
  const match = form.pattern.exec(pieces.text())
  return match ? matchOf(form, match, (range) => pieces.sourceOf(range)) : null
}

/** Which symbols the words of a finding name, and of which it says that nothing uses, calls or tests them. */
import type { Finding } from '../../domain/finding.ts'

/** More names than this are no explanation of one defect. */
const mostNames = 12
const longestText = 6_000

/** Words that code spans hold and that no definition is looked for. */
const keywords: ReadonlySet<string> = new Set(
  `async await bool boolean break case catch class const continue def default delete do else enum except export extends
  false finally float fn for from func function get go if implements import in int interface let match module mut
  namespace new nil none null number object package private protected public raise readonly return self set static
  str string struct super switch this throw throws trait true try type typeof undefined unknown use using val var void
  while with yield`.split(/\s+/),
)

const span = /`[^`\n]{1,200}`/g
const qualified = /[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*)*/gu

/** Says that a use, a call or a test does not exist. */
const denial =
  /\b(?:unused|uncalled|untested|unreferenced|dead code|never (?:called|used|read|referenced|tested|invoked|exercised)|not (?:called|used|referenced|tested|covered|exercised)|no (?:callers?|calls?|uses?|usages?|references?|tests?)|nothing (?:calls|uses|reads|tests|references))\b/i

/** `Store.load` is about `load`. */
export function lastName(symbol: string): string {
  return symbol.split(/\.|::|#/).at(-1) ?? symbol
}

/** In the order of the words: names in code spans, and names that are called or written like code in prose. */
export function namedSymbols(finding: Finding): string[] {
  return [...new Set(namesIn(wordsOf(finding)))].slice(0, mostNames)
}

/** The symbols that it says are unused, uncalled or untested, perhaps none by name; null when it says nothing of the kind. */
export function absentSymbols(finding: Finding): string[] | null {
  const claimed = finding.claims.flatMap((claim) =>
    claim.kind === 'unused' ? [claim.name] : claim.kind === 'no-test-calls' ? [claim.symbol] : [],
  )
  const sentences = wordsOf(finding)
    .split(/\n|[.!?] /)
    .filter((sentence) => denial.test(sentence))
  if (claimed.length === 0 && sentences.length === 0) return null
  return [...new Set([...claimed, ...sentences.flatMap(namesIn)])]
}

function wordsOf({ title, explanation, remedy }: Finding): string {
  return [title, explanation, remedy ?? ''].join('\n').slice(0, longestText)
}

function namesIn(words: string): string[] {
  const spans = (words.match(span) ?? []).flatMap((code) => code.match(qualified) ?? [])
  const prose = (words.replace(span, ' ').match(qualified) ?? []).filter(looksLikeCode)
  return [...spans, ...prose].filter((name) => name.length > 1 && !keywords.has(name.toLowerCase()))
}

/** `readAll`, `read_all`: letters of both cases after the first, or an underscore. */
function looksLikeCode(word: string): boolean {
  return /\p{Ll}\p{Lu}/u.test(word) || /[\p{L}\p{N}]_[\p{L}\p{N}]/u.test(word)
}

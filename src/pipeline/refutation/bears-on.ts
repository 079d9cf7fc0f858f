/**
 * Whether a quote can refute a finding at all. Code cannot tell what words mean, but it can tell two ways in which true
 * words prove nothing: they only repeat what the finding itself quotes, which its author had read and judged; or they
 * name nothing that the finding is about, like any import or bracket of the file.
 */
import type { DiffLine } from '../../domain/change-set.ts'
import type { Finding } from '../../domain/finding.ts'
import { namesIn } from './names.ts'

/** `diff`: lines around the finding. */
export function bearsOn(quote: string, finding: Finding, diff: readonly DiffLine[]): boolean {
  const subjects = subjectsOf(finding, diff)
  const isAboutIt = [...namesIn(quote)].some((name) => subjects.has(name))
  return isAboutIt && !finding.evidence.some((own) => repeats(quote, own.quote))
}

/** Names on its lines, in what it quotes and claims, and in the code its words speak of. */
function subjectsOf(finding: Finding, diff: readonly DiffLine[]): Set<string> {
  const { title, explanation, remedy, evidence, claims, side, startLine, endLine } = finding
  const own = diff.filter((line) => {
    const number = line[side]
    return number !== null && startLine <= number && number <= endLine
  })
  const claimed = claims.flatMap((claim) =>
    'symbol' in claim ? [claim.symbol] : 'name' in claim ? [claim.name] : [],
  )
  const code = [title, explanation, remedy ?? ''].flatMap((words) => words.match(/`[^`\n]{1,200}`/g) ?? [])
  return namesIn(
    [...own.map(({ text }) => text), ...evidence.map(({ quote }) => quote), ...claimed, ...code].join('\n'),
  )
}

/** Part of it, or all of it with nothing around it that names anything. */
function repeats(quote: string, own: string): boolean {
  const [words, known] = [quote, own].map((text) => text.replace(/\s+/g, ' ').trim())
  if (!words || !known) return false
  if (known.includes(words)) return true
  return words.includes(known) && namesIn(words.replaceAll(known, ' ')).size === 0
}

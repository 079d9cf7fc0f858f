/** Identifies a finding across pushes: made of what it is about, never of line numbers. */
import { canonicalJson, sha256 } from '../../base/canonical-json.ts'
import { lastAround } from '../../base/line-ranges.ts'
import { type FileFacts, fullName } from '../../code-index/contract.ts'
import { subjectOf } from '../../domain/claim.ts'
import type { CodeSymbol } from '../../domain/code-symbol.ts'
import type { Candidate } from '../../domain/finding.ts'
import { lastName } from './claims/names.ts'
import type { DiffLocation } from './contract.ts'

/** SHA-256 (hex) of rule, path, the shown line's text, the symbol around it, and the names its claims are about. */
export function fingerprintOf(candidate: Candidate, location: DiffLocation, facts: FileFacts | null): string {
  return sha256(
    canonicalJson({
      rule: candidate.rule,
      path: location.file.path,
      text: location.shown?.text.trim() ?? '',
      symbol: facts ? enclosingSymbol(facts, location.startLine) : '',
      subjects: subjectsOf(candidate),
    }),
  )
}

/** The innermost symbol around the line, with its containers; empty at top level. */
function enclosingSymbol(facts: FileFacts, line: number): string {
  let find = innermost.get(facts)
  if (!find) {
    const lengthOf = ({ startLine, endLine }: CodeSymbol) => endLine - startLine
    const symbols = facts.symbols.toSorted((a, b) => lengthOf(b) - lengthOf(a))
    const at = lastAround(symbols, facts.lineCount)
    find = (asked) => symbols[at(asked)] ?? null
    innermost.set(facts, find)
  }
  const symbol = find(line)
  return symbol ? fullName(symbol) : ''
}

const innermost = new WeakMap<FileFacts, (line: number) => CodeSymbol | null>()

/**
 * What the claims are about, sorted, each once: two findings on one line about two symbols are two findings. The text of
 * the line itself is in the fingerprint already.
 */
export function subjectsOf({ claims }: Candidate): string[] {
  const subjects = claims.flatMap((claim) => {
    const subject = subjectOf(claim)
    if (subject === null) return []
    return ['symbol' in claim ? lastName(subject) : subject]
  })
  return [...new Set(subjects)].sort()
}

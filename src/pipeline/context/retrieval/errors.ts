/**
 * Errors of production that ran through the functions of a change. A frame names a line of the release that was running,
 * so the name of the function decides, and the line only where the frame has no usable name.
 */

import type { SymbolChange } from '../../../domain/code-symbol.ts'
import type { EvidenceDraft } from '../../../domain/evidence.ts'
import { nowhere } from '../../../domain/evidence.ts'
import { describeError, type ErrorFrame, type ProductionError } from '../../../domain/production-error.ts'

const mostErrors = 5

/** The most frequent ones, each with the changed functions that it ran through. */
export function retrieveErrors(
  errors: readonly ProductionError[],
  symbols: readonly SymbolChange[],
): { evidence: EvidenceDraft[]; trimmed: number } {
  const through = errors.flatMap((error) => {
    const names = new Set(error.frames.flatMap((frame) => changedAt(frame, symbols)))
    return names.size > 0 ? [{ error, names: [...names] }] : []
  })
  const kept = through.slice(0, mostErrors)
  return {
    evidence: kept.map(({ error, names }) => draftOf(error, names)),
    trimmed: through.length - kept.length,
  }
}

function changedAt(
  { path, line, function: written }: ErrorFrame,
  symbols: readonly SymbolChange[],
): string[] {
  const name = nameIn(written)
  return symbols.flatMap(({ before, after }) => {
    const place = before ?? after
    const here = place !== null && (after ?? before)?.path === path
    if (!here || !callable.has(place.symbol.kind)) return []
    const { symbol } = place
    const isIn =
      name === null
        ? line !== null && line >= symbol.startLine && line <= symbol.endLine
        : name === symbol.name
    return isIn ? [symbol.scope === '' ? symbol.name : `${symbol.scope}.${symbol.name}`] : []
  })
}

const callable: ReadonlySet<string> = new Set([
  'function',
  'method',
  'class',
  'constant',
  'variable',
  'field',
])

/** `decode` of `TokenService.decode`, `async Object.decode [as run]`, `pkg.(*T).decode`; null for a function without a name. */
function nameIn(written: string | null): string | null {
  const [called = ''] = (written ?? '').split(' [as ')
  const plain = called.split(/[\s.:#$]+/).findLast((part) => part !== '') ?? ''
  const name = /^[\p{L}_][\p{L}\p{N}_]*/u.exec(plain.replace(/^\(\*?|\)$/g, ''))?.[0] ?? null
  return name === 'anonymous' || name === 'lambda' || name === 'module' ? null : name
}

function draftOf(error: ProductionError, names: readonly string[]): EvidenceDraft {
  return {
    source: 'tool',
    trust: 'foreign',
    title: `error in production that ran through ${names.join(', ')}`,
    ...nowhere,
    text: describeError(error).join('\n'),
  }
}

/** Which symbols of the syntactic diff may leave callers behind. */
import { languageOf } from '../../../code-index/resolve/languages/registry.ts'
import type { SignatureDelta, SymbolChange } from '../../../domain/code-symbol.ts'
import { isConstructor } from './candidate-files.ts'
import { type Fate, type SymbolSubject, symbolKey } from './subject.ts'

/** By base key. Members of something that is gone itself are left out: they go with it. */
export function symbolSubjects(changes: readonly SymbolChange[]): Map<string, SymbolSubject> {
  const subjects = new Map<string, SymbolSubject>()
  for (const { kind, language, before, after, delta } of changes) {
    if (kind === 'added' && after && isConstructor(after.symbol.name)) {
      // A class that could be made without arguments may need some now.
      const { path, symbol } = after
      subjects.set(symbolKey(path, symbol), {
        kind: 'symbol',
        fate: 'changed',
        language,
        path,
        symbol,
        after,
      })
    }
    if (!before || before.symbol.isTest || before.symbol.kind === 'impl' || !languageOf(language)) continue
    const fate = fateOf(kind, delta)
    if (!fate) continue
    const key = symbolKey(before.path, before.symbol)
    // Of several overloads the one that still stands somewhere says most.
    if (subjects.has(key) && after === null) continue
    subjects.set(key, { kind: 'symbol', fate, language, path: before.path, symbol: before.symbol, after })
  }
  return new Map([...subjects].filter(([, subject]) => !containerGone(subject, subjects)))
}

export function isGone(fate: Fate): boolean {
  return fate !== 'changed'
}

function fateOf(kind: SymbolChange['kind'], delta: SignatureDelta | null): Fate | null {
  if (kind === 'removed' || kind === 'renamed' || kind === 'moved') return kind
  if (kind !== 'signature-changed' || !delta) return null
  const reshaped =
    delta.reordered ||
    delta.parametersAdded.length > 0 ||
    delta.parametersRemoved.length > 0 ||
    delta.parametersChanged.some(
      ({ before, after }) =>
        before.optional !== after.optional ||
        before.variadic !== after.variadic ||
        before.keywordOnly !== after.keywordOnly,
    )
  return reshaped || delta.visibility ? 'changed' : null
}

function containerGone(subject: SymbolSubject, subjects: ReadonlyMap<string, SymbolSubject>): boolean {
  const names = subject.symbol.scope === '' ? [] : subject.symbol.scope.split('.')
  return names.some((name, depth) => {
    const container = subjects.get(symbolKey(subject.path, { scope: names.slice(0, depth).join('.'), name }))
    return container !== undefined && isGone(container.fate)
  })
}

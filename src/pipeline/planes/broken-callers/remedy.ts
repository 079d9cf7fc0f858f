/** The way out of a broken use, as far as its language has one: not every language has default parameters. */
import type { Parameter } from '../../../domain/code-symbol.ts'
import { type Failure, isMisfit } from './sides.ts'
import type { DutySubject, Subject, SymbolSubject } from './subject.ts'

export function remedyFor(subject: Subject, failure: Failure): string | null {
  if (subject.kind === 'module')
    return subject.movedTo
      ? `Point the imports at \`${subject.movedTo}\`.`
      : 'Remove the imports, or keep the file.'
  if (subject.kind === 'duty') return dutyRemedy(subject)
  if (isMisfit(failure)) return callRemedy(subject)
  if (subject.kind !== 'symbol' || !subject.after || subject.fate === 'changed') return null
  const { after } = subject
  if (after.symbol.name !== subject.symbol.name)
    return `Use \`${after.symbol.name}\`, or keep the old name as an alias.`
  if (after.path === subject.path) return null
  return handsOn.has(subject.language)
    ? `Import it from \`${after.path}\`, or re-export it from \`${subject.path}\`.`
    : `Use it from its new place, \`${after.path}\`.`
}

const handsOn: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript', 'python', 'rust'])

/** How callers that do not pass a new parameter can go on as they are, where the language knows a way. */
const sparingCallers: Readonly<Record<string, (its: string) => string>> = {
  typescript: (its) => `make ${its} optional`,
  tsx: (its) => `make ${its} optional`,
  javascript: (its) => `give ${its} a default value`,
  python: (its) => `give ${its} a default value`,
  java: () => 'keep an overload with the old parameters',
  go: () => 'keep the old function beside the new one',
  rust: () => 'keep the old function beside the new one',
}

/** Told by what became of the parameters, since one finding may hold calls that pass too few and too many. */
function callRemedy(subject: Subject): string {
  const general = 'Update these calls to the new parameters.'
  if (subject.kind !== 'symbol' || !subject.after) return general
  const { added, removed, renamed, isReordered } = changedParameters(subject)
  if (renamed) return `Pass ${named([renamed.to])} instead of ${named([renamed.from])}, or keep the old name.`
  if (added.length > 0 && removed.length > 0)
    return `Update these calls: ${named(removed)} ${removed.length === 1 ? 'is' : 'are'} gone, and ${named(added)} must be passed now.`
  if (removed.length > 0)
    return `Remove the ${removed.length === 1 ? 'argument' : 'arguments'} for ${named(removed)} from these calls, or keep the ${removed.length === 1 ? 'parameter' : 'parameters'}.`
  if (added.length > 0) {
    const its = added.length === 1 ? 'it' : 'them'
    const spare = sparingCallers[subject.language]?.(its)
    const byName = added.every(({ keywordOnly }) => keywordOnly) ? ' by name' : ''
    return `Pass ${named(added)}${byName} in these calls${spare ? `, or ${spare}` : ''}.`
  }
  return isReordered ? 'Update these calls to the new order of the parameters.' : general
}

/** `added`: callers must pass it and need not have before. `removed`: callers could pass it and cannot any more. */
function changedParameters({ symbol, after }: SymbolSubject) {
  const now = after?.symbol.signature.parameters ?? []
  // A constructor that was not there before took nothing.
  const before = after?.symbol === symbol ? [] : (symbol.signature.parameters ?? [])
  const had = new Map(before.map((parameter) => [parameter.name, parameter]))
  const has = new Set(now.map(({ name }) => name))
  const removed = before.filter(({ name }) => !has.has(name))
  const [from] = removed
  const to = from && now[before.indexOf(from)]
  const isRenamed = removed.length === 1 && before.length === now.length && to && !had.has(to.name)
  return {
    renamed: isRenamed ? { from, to } : null,
    added: now.filter(
      ({ name, optional, keywordOnly }) =>
        !optional && (had.get(name)?.optional !== false || had.get(name)?.keywordOnly !== keywordOnly),
    ),
    removed,
    isReordered:
      before.length === now.length && before.some(({ name }, position) => now[position]?.name !== name),
  }
}

/** `a`, `b` and `c`; a parameter that is taken apart where it stands has no name to call it by. */
function named(parameters: readonly Parameter[]): string {
  const names = parameters.map(({ name }) => `\`${name.replaceAll('`', "'")}\``)
  if (parameters.some(({ name }) => !/^[\p{L}\p{N}_$*&]+$/u.test(name)))
    return parameters.length === 1 ? 'the parameter' : `the ${parameters.length} parameters`
  const last = names.pop() ?? ''
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`
}

function dutyRemedy({ duty, change }: DutySubject): string | null {
  if (duty === 'override') return null
  const spare = sparingImplementers[change.language]
  return `Add the member to these types${spare ? `, or ${spare}` : ''}.`
}

const sparingImplementers: Readonly<Record<string, string>> = {
  typescript: 'make it optional',
  tsx: 'make it optional',
  java: 'give it a default body',
  rust: 'give it a default body',
  python: 'give it a body where it is declared',
}

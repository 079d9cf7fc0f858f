/** The text of a finding: what changed, which uses are broken and how, and how to fix them. */
import { count } from '../../../base/count.ts'
import { takes } from '../../../code-index/resolve/fit-call.ts'
import type { Parameter } from '../../../domain/code-symbol.ts'
import {
  type BrokenUse,
  type DutySubject,
  type Failure,
  isMisfit,
  type Subject,
  type SymbolSubject,
} from './breakage.ts'

export type Description = { title: string; explanation: string; remedy: string | null }

export const mostNamed = 20
const inTitle = 3

export function describe(subject: Subject, failure: Failure, left: readonly BrokenUse[]): Description {
  const names = [...new Set(left.map((use) => removedName(use)))]
  const isSeveral = names.length > 1
  const what = isSeveral ? `${severalNames(names)} are removed` : headline(subject, failure)
  const verb = left.length === 1 ? verbs(failure).one : verbs(failure).many
  const who = `${count(left.length, nounFor(failure))} ${isSeveral ? verb.replace(/\bit$/, 'them') : verb}`
  const places = left.slice(0, inTitle).map(({ path, line }) => `\`${path}:${line}\``)
  const others = left.length - places.length
  const list = `${places.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
  const details = left
    .slice(0, mostNamed)
    .map((use) => `\`${use.path}:${use.line}\`: ${isSeveral ? `\`${removedName(use)}\`, ` : ''}${use.words}`)
  const rest = left.length > mostNamed ? [`and ${left.length - mostNamed} more`] : []
  return {
    title: fitLength(`${what}; ${who}: ${list}`, `${what}; ${who}`),
    explanation: fitLength(
      `${consequence(failure)}\n\n${[...details, ...rest].join('\n')}`,
      `${consequence(failure)} In all: ${count(left.length, 'place')}.`,
      4000,
    ),
    remedy: remedyFor(subject, failure),
  }
}

function removedName({ subject }: BrokenUse): string {
  return subject.kind === 'symbol' && subject.fate === 'removed' ? shownName(subject.symbol) : ''
}

/** `` `Store.save` and 3 more``. */
function severalNames([first, ...others]: readonly string[]): string {
  return `\`${first}\` and ${others.length} more`
}

function headline(subject: Subject, failure: Failure): string {
  if (subject.kind === 'module')
    return subject.movedTo
      ? `\`${subject.path}\` is now \`${subject.movedTo}\``
      : `\`${subject.path}\` is deleted`
  if (subject.kind === 'export')
    return `\`${subject.path}\` no longer exports \`${subject.name.replace(/^\* /, '* from ')}\``
  if (subject.kind === 'import') return `\`${subject.path}\` no longer imports \`${subject.name}\``
  const name = `\`${shownName(subject.symbol)}\``
  if (subject.kind === 'duty')
    return subject.duty === 'implement'
      ? `${name} is now required of every \`${subject.symbol.scope}\``
      : subject.duty === 'override'
        ? `${name} can no longer be overridden`
        : `${name} takes other parameters now`
  if (failure === 'order') return `${name} takes its arguments in another order now`
  if (failure === 'type') return `${name} takes another type of argument now`
  if (failure === 'hidden') return `${name} is now ${subject.after?.symbol.visibility ?? 'hidden'}`
  return symbolHeadline(subject, failure, name)
}

function symbolHeadline(
  { fate, after, path, symbol }: SymbolSubject,
  failure: Failure,
  name: string,
): string {
  if (isMisfit(failure)) {
    const parameters = after?.symbol.signature.parameters
    return parameters
      ? `${name} now takes ${takes(parameters)} ${/\b1$/.test(takes(parameters)) ? 'argument' : 'arguments'}`
      : `${name} now takes different arguments`
  }
  if (fate === 'renamed' && after && after.symbol.name !== symbol.name)
    return `${name} is now called \`${after.symbol.name}\``
  if (after && after.path !== path) return `${name} moved from \`${path}\` to \`${after.path}\``
  if (after && fate !== 'removed')
    return failure === 'export' ? `\`${path}\` no longer exports ${name}` : `${name} moved`
  return `${name} is removed`
}

/** The last two parts are enough: `Store.save`. */
function shownName({ scope, name }: { scope: string; name: string }): string {
  return scope === '' ? name : `${scope.split('.').at(-1)}.${name}`
}

function nounFor(failure: Failure): string {
  if (failure === 'module' || failure === 'export') return 'place'
  if (failure === 'implement') return 'type'
  return failure === 'override' || failure === 'parameters' ? 'override' : isCall(failure) ? 'call' : 'use'
}

function isCall(failure: Failure): boolean {
  return isMisfit(failure) || failure === 'order' || failure === 'type'
}

function verbs(failure: Failure): { one: string; many: string } {
  if (failure === 'module') return { one: 'still imports it', many: 'still import it' }
  if (failure === 'implement') return { one: 'lacks it', many: 'lack it' }
  if (failure === 'parameters') return { one: 'does not match', many: 'do not match' }
  if (failure === 'override') return { one: 'is left', many: 'are left' }
  if (failure === 'order' || failure === 'type') return { one: 'was not changed', many: 'were not changed' }
  if (isMisfit(failure)) return { one: 'does not match', many: 'do not match' }
  if (failure === 'hidden') return { one: 'cannot see it', many: 'cannot see it' }
  return { one: 'still needs it', many: 'still need it' }
}

function consequence(failure: Failure): string {
  switch (failure) {
    case 'module':
      return 'The import fails because there is no longer a file at that path.'
    case 'export':
      return 'The name is still imported but no longer exported.'
    case 'member':
    case 'name':
      return 'The name is still used but no longer defined.'
    case 'arity':
    case 'keyword':
    case 'required':
      return 'These calls matched the signature before the change and no longer do.'
    case 'order':
      return 'These calls pass arguments by position and were not changed, so values reach other parameters than before.'
    case 'type':
      return 'These calls were not changed and still pass a value of the old type.'
    case 'hidden':
      return 'It is no longer visible at these uses.'
    case 'implement':
      return 'These types implemented it before the change and no longer do.'
    case 'parameters':
      return 'These methods override it and no longer take any call that it takes.'
    case 'override':
      return 'These methods override a method that no longer exists.'
  }
}

function fitLength(text: string, shorter: string, longest = 300): string {
  if (text.length <= longest) return text
  return shorter.length <= longest ? shorter : `${shorter.slice(0, longest - 1)}…`
}

function remedyFor(subject: Subject, failure: Failure): string | null {
  if (subject.kind === 'module')
    return subject.movedTo
      ? `Point the imports at \`${subject.movedTo}\`.`
      : 'Remove the imports, or keep the file.'
  if (subject.kind === 'import') return 'Import it again, or remove the uses.'
  if (subject.kind === 'duty') return dutyRemedy(subject)
  if (failure === 'order')
    return 'Pass the arguments in the new order, or by name; or add new parameters at the end.'
  if (failure === 'type') return 'Pass a value of the new type.'
  if (isMisfit(failure)) return callRemedy(subject)
  if (subject.kind !== 'symbol' || !subject.after || subject.fate === 'changed') return null
  const { after } = subject
  if (after.symbol.name !== subject.symbol.name)
    return `Use \`${after.symbol.name}\`, or keep the old name as an alias.`
  if (after.path === subject.path) return null
  return reexporting.has(subject.language)
    ? `Import it from \`${after.path}\`, or re-export it from \`${subject.path}\`.`
    : `Use it from its new place, \`${after.path}\`.`
}

const reexporting: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript', 'python', 'rust'])

/** How callers that do not pass a new parameter can stay as they are, where the language has a way. */
const keepingCallers: Readonly<Record<string, (its: string) => string>> = {
  typescript: (its) => `make ${its} optional`,
  tsx: (its) => `make ${its} optional`,
  javascript: (its) => `give ${its} a default value`,
  python: (its) => `give ${its} a default value`,
  java: () => 'keep an overload with the old parameters',
  go: () => 'keep the old function beside the new one',
  rust: () => 'keep the old function beside the new one',
}

/** By what changed in the parameters, since one finding may hold calls that pass too few and too many. */
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
    const spare = keepingCallers[subject.language]?.(its)
    const byName = added.every(({ keywordOnly }) => keywordOnly) ? ' by name' : ''
    return `Pass ${named(added)}${byName} in these calls${spare ? `, or ${spare}` : ''}.`
  }
  return isReordered ? 'Update these calls to the new order of the parameters.' : general
}

/** `added`: callers must now pass it. `removed`: callers can no longer pass it. */
function changedParameters({ symbol, after }: SymbolSubject) {
  const now = after?.symbol.signature.parameters ?? []
  // A constructor that did not exist before took nothing.
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

/** `a`, `b` and `c`; a destructured parameter has no name. */
function named(parameters: readonly Parameter[]): string {
  const names = parameters.map(({ name }) => `\`${name.replaceAll('`', "'")}\``)
  if (parameters.some(({ name }) => !/^[\p{L}\p{N}_$*&]+$/u.test(name)))
    return parameters.length === 1 ? 'the parameter' : `the ${parameters.length} parameters`
  const last = names.pop() ?? ''
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`
}

function dutyRemedy({ duty, change }: DutySubject): string | null {
  if (duty === 'override') return null
  if (duty === 'parameters') return 'Give these methods the new parameters.'
  const spare = keepingImplementers[change.language]
  return `Add the member to these types${spare ? `, or ${spare}` : ''}.`
}

const keepingImplementers: Readonly<Record<string, string>> = {
  typescript: 'make it optional',
  tsx: 'make it optional',
  java: 'give it a default body',
  rust: 'give it a default body',
  python: 'give it a body where it is declared',
}

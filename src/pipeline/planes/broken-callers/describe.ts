/** The words of a finding: what changed, who is left behind, how it fails, and the way out. */
import { count } from '../../../base/count.ts'
import { takes } from './arity.ts'
import { remedyFor } from './remedy.ts'
import { type Failure, isMisfit, type LeftBehind } from './sides.ts'
import type { Subject, SymbolSubject } from './subject.ts'

export type Description = { title: string; explanation: string; remedy: string | null }

export const mostNamed = 20
const inTitle = 3

export function describe(subject: Subject, failure: Failure, left: readonly LeftBehind[]): Description {
  const what = headline(subject, failure)
  const who = `${count(left.length, nounFor(failure))} ${left.length === 1 ? verbs(failure).one : verbs(failure).many}`
  const places = left.slice(0, inTitle).map(({ path, line }) => `\`${path}:${line}\``)
  const others = left.length - places.length
  const list = `${places.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
  const details = left.slice(0, mostNamed).map(({ path, line, words }) => `\`${path}:${line}\`: ${words}`)
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

function headline(subject: Subject, failure: Failure): string {
  if (subject.kind === 'module')
    return subject.movedTo
      ? `\`${subject.path}\` is now \`${subject.movedTo}\``
      : `\`${subject.path}\` is deleted`
  if (subject.kind === 'export')
    return `\`${subject.path}\` no longer hands on \`${subject.name.replace(/^\* /, '* from ')}\``
  const name = `\`${shownName(subject.symbol)}\``
  if (subject.kind === 'duty')
    return subject.duty === 'implement'
      ? `${name} is now required of every \`${subject.symbol.scope}\``
      : `${name} is not there to override any more`
  if (failure === 'hidden') return `${name} is ${subject.after?.symbol.visibility ?? 'hidden'} now`
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
      : `${name} takes other arguments now`
  }
  if (fate === 'renamed' && after && after.symbol.name !== symbol.name)
    return `${name} is now called \`${after.symbol.name}\``
  if (after && after.path !== path) return `${name} moved from \`${path}\` to \`${after.path}\``
  if (after && fate !== 'removed')
    return failure === 'export' ? `\`${path}\` no longer exports ${name}` : `${name} moved`
  return `${name} is removed`
}

/** The last two parts say enough: `Store.save`. */
function shownName({ scope, name }: { scope: string; name: string }): string {
  return scope === '' ? name : `${scope.split('.').at(-1)}.${name}`
}

function nounFor(failure: Failure): string {
  if (failure === 'module' || failure === 'export') return 'place'
  if (failure === 'implement') return 'type'
  return failure === 'override' ? 'override' : isMisfit(failure) ? 'call' : 'use'
}

function verbs(failure: Failure): { one: string; many: string } {
  if (failure === 'module') return { one: 'still imports it', many: 'still import it' }
  if (failure === 'implement') return { one: 'lacks it', many: 'lack it' }
  if (failure === 'override') return { one: 'is left', many: 'are left' }
  if (isMisfit(failure)) return { one: 'does not fit', many: 'do not fit' }
  if (failure === 'hidden') return { one: 'is shut out', many: 'are shut out' }
  return { one: 'still needs it', many: 'still need it' }
}

function consequence(failure: Failure): string {
  switch (failure) {
    case 'module':
      return 'The import fails: no file stands at that path any more.'
    case 'export':
      return 'The name is still asked for where it is no longer offered.'
    case 'member':
    case 'name':
      return 'The name is still used, and nothing it could mean is left.'
    case 'arity':
    case 'keyword':
    case 'required':
      return 'These calls fitted before the change and do not fit any more.'
    case 'hidden':
      return 'These uses stand where it can no longer be seen.'
    case 'implement':
      return 'These types stood for it before the change and do not any more.'
    case 'override':
      return 'These methods overrode it; what they override is gone.'
  }
}

function fitLength(text: string, shorter: string, longest = 300): string {
  if (text.length <= longest) return text
  return shorter.length <= longest ? shorter : `${shorter.slice(0, longest - 1)}…`
}

/** Says in words what a change did to one symbol. */
import type { CodeSymbol, SignatureDelta, SymbolChange } from '../../domain/code-symbol.ts'
import { code, list } from './words.ts'

const callable: ReadonlySet<CodeSymbol['kind']> = new Set(['function', 'method', 'macro'])

/** `parse()`, `Reader.next()`, `Options`: as code. A test by its title is called by nobody. */
export function nameOf(symbol: CodeSymbol): string {
  const { scope, name, isTest, kind } = symbol
  if (isTest && /\s/.test(name)) return code(name)
  const full = [scope, name].filter((part) => part !== '').join('.')
  return code(callable.has(kind) ? `${full}()` : full)
}

function kindOf({ isTest, kind }: CodeSymbol): string {
  return isTest ? 'test' : kind
}

/** The file a symbol change is told under: where the symbol stands now, or stood. */
export function pathOf({ before, after }: SymbolChange): string {
  return after?.path ?? before?.path ?? ''
}

/** `parse()` gained parameter `strict` */
export function describeSymbolChange(change: SymbolChange): string {
  const { kind, before, after, delta } = change
  const symbol = after?.symbol ?? before?.symbol
  if (!symbol) return ''
  const name = nameOf(symbol)
  const then = delta ? ` and ${list(describeDelta(delta))}` : ''
  switch (kind) {
    case 'added':
      return `${kindOf(symbol)} ${name} added`
    case 'removed':
      return `${kindOf(symbol)} ${name} removed`
    case 'renamed':
      return `${before ? nameOf(before.symbol) : symbol.kind} renamed to ${name}${then}`
    case 'moved':
      return `${name} moved here from ${code(before?.path ?? '')}${then}`
    case 'signature-changed':
      return `${name} ${delta ? list(describeDelta(delta)) : 'has another signature'}`
    case 'body-changed':
      return `${name} has another body`
  }
}

function describeDelta(delta: SignatureDelta): string[] {
  const { parametersAdded, parametersRemoved, parametersChanged, reordered, returnType, visibility } = delta
  const named = (parameters: readonly { name: string }[]) =>
    `${parameters.length === 1 ? 'parameter' : 'parameters'} ${list(parameters.map(({ name }) => code(name)))}`
  const parts = [
    ...(parametersAdded.length > 0 ? [`gained ${named(parametersAdded)}`] : []),
    ...(parametersRemoved.length > 0 ? [`lost ${named(parametersRemoved)}`] : []),
    ...(parametersChanged.length > 0 ? [`changed ${named(parametersChanged)}`] : []),
    ...(reordered ? ['takes its parameters in another order'] : []),
    ...(returnType ? [describeReturn(returnType)] : []),
    ...(visibility ? [`is ${visibility.after} instead of ${visibility.before}`] : []),
  ]
  return parts.length > 0 ? parts : ['has another signature']
}

function describeReturn({ before, after }: { before: string | null; after: string | null }): string {
  if (after === null) return 'no longer names what it returns'
  return before === null
    ? `now says it returns ${code(after)}`
    : `returns ${code(after)} instead of ${code(before)}`
}

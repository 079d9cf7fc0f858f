/** Can a method stand in for the one that it overrides? By number of arguments: only where no call fits both. */
import { count } from '../../../base/count.ts'
import type { Definition, World } from '../../../code-index/resolve/contract.ts'
import { parameterStyle } from '../../../code-index/resolve/fit-call.ts'
import { symbolOf } from '../../../code-index/resolve/symbols.ts'
import type { Parameter } from '../../../domain/code-symbol.ts'

/** Null when the override takes some call that its base takes, or when it cannot be told; else how the two differ. */
export async function whyMisfit(base: Side, override: Side): Promise<string | null> {
  const { language } = override.definition.facts
  if (!judged.has(language) || base.definition.facts.language === 'javascript') return null
  const styles = [
    await parameterStyle(base.world, base.definition),
    await parameterStyle(override.world, override.definition),
  ]
  if (styles[0] !== styles[1] || styles[0] === 'unknown') return null
  const [wanted, own] = [limitsOf(base.definition), limitsOf(override.definition)]
  if (!wanted || !own) return null
  // A TypeScript method may ignore arguments.
  const takesTooFew = language === 'python' && own.most < wanted.least
  if (own.least <= wanted.most && !takesTooFew) return null
  return `it takes ${range(own)}, the base ${range(wanted)}`
}

export type Side = { world: World; definition: Definition }

const judged: ReadonlySet<string> = new Set(['python', 'typescript', 'tsx'])

type Limits = { least: number; most: number }

/** Positional arguments; null with parameters that may take anything by name, or that can only be given by name. */
function limitsOf(definition: Definition): Limits | null {
  const { kind, signature } = symbolOf(definition)
  const { parameters } = signature
  if (kind !== 'method' || parameters === null || parameters.some(isOpen)) return null
  const positional = parameters.filter(({ variadic }) => !variadic)
  const least = positional.filter(({ optional }) => !optional).length
  const most = positional.length < parameters.length ? Number.POSITIVE_INFINITY : positional.length
  return { least, most }
}

function isOpen({ keywordOnly, name }: Parameter): boolean {
  return keywordOnly || name.startsWith('**')
}

function range({ least, most }: Limits): string {
  if (least === most) return count(least, 'argument')
  return most === Number.POSITIVE_INFINITY
    ? `at least ${count(least, 'argument')}`
    : `${least} to ${count(most, 'argument')}`
}

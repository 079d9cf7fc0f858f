/** Which calls that fitted no longer do: compares two lists of parameters as callers see them. */
import { list } from '../../../base/count.ts'
import type { Parameter } from '../../../domain/code-symbol.ts'
import type { BreakHow } from '../../../domain/shared-contract.ts'

export type CallBreak = {
  how: BreakHow
  what: string
  /** From this position on an argument goes to another parameter; null where positions are kept. */
  movedFrom: number | null
}

/** `byName`: arguments may be passed by name, as in Python. Null when every call that fitted still does. */
export function callBreak(
  before: readonly Parameter[],
  after: readonly Parameter[],
  byName: boolean,
): CallBreak | null {
  if (before.some(isUnnamed) || after.some(isUnnamed)) return null
  return (
    required(before, after, byName) ??
    removed(before, after, byName) ??
    (byName ? onlyByName(before, after) : null) ??
    moved(before, after)
  )
}

/** The facts have no name for it, so it is not known again. */
function isUnnamed({ name }: Parameter): boolean {
  return name === ''
}

function required(
  before: readonly Parameter[],
  after: readonly Parameter[],
  byName: boolean,
): CallBreak | null {
  const needed = (parameters: readonly Parameter[]) => parameters.filter((one) => !one.optional)
  if (byName && renamedIn(before, after) !== null) return renaming(before, after)
  const old = new Map(before.map((one) => [one.name, one]))
  const found = needed(after).filter(({ name }) => old.get(name)?.optional ?? true)
  // By position alone it matters how many there are, not what they are called.
  if (!byName && needed(after).length <= needed(before).length) return null
  const [first] = found
  if (!first) return null
  const what = old.has(first.name)
    ? `the parameter \`${first.name}\` is now required`
    : `the new parameter \`${first.name}\` is required`
  return { how: 'required', what, movedFrom: byName ? null : firstMove(before, after) }
}

/** The position of the one parameter that has another name; null when more than names differ. */
function renamedIn(before: readonly Parameter[], after: readonly Parameter[]): number | null {
  if (before.length !== after.length) return null
  const differ = before.flatMap((one, at) => (one.name === after[at]?.name ? [] : [at]))
  const [at] = differ
  if (at === undefined || differ.length > 1) return null
  const isElsewhere = after.some(({ name }) => name === before[at]?.name)
  return isElsewhere || before[at]?.variadic || after[at]?.variadic ? null : at
}

function renaming(before: readonly Parameter[], after: readonly Parameter[]): CallBreak | null {
  const at = renamedIn(before, after)
  if (at === null) return null
  const what = `the parameter \`${before[at]?.name}\` is now called \`${after[at]?.name}\``
  return { how: 'changed', what, movedFrom: null }
}

function removed(
  before: readonly Parameter[],
  after: readonly Parameter[],
  byName: boolean,
): CallBreak | null {
  if (after.some(({ variadic }) => variadic)) return null
  const kept = new Set(after.map(({ name }) => name))
  const gone = before.filter(({ name }) => !kept.has(name))
  const isByPosition = !byName && gone.every(({ keywordOnly }) => !keywordOnly)
  if (gone.length === 0 || (isByPosition && after.length >= before.length && !isVariadic(before))) return null
  const names = gone.map(({ name }) => `\`${name}\``)
  const what =
    names.length === 1
      ? `the parameter ${names[0]} was removed`
      : `the parameters ${list(names.slice(0, 5))} were removed`
  return {
    how: 'narrowed',
    what,
    movedFrom: byName || isTail(before, after) ? null : firstMove(before, after),
  }
}

function isVariadic(parameters: readonly Parameter[]): boolean {
  return parameters.some(({ variadic }) => variadic)
}

function isTail(before: readonly Parameter[], after: readonly Parameter[]): boolean {
  return after.every(({ name }, at) => before[at]?.name === name)
}

function onlyByName(before: readonly Parameter[], after: readonly Parameter[]): CallBreak | null {
  const now = new Map(after.map((one) => [one.name, one]))
  const found = before.find((one) => !one.keywordOnly && now.get(one.name)?.keywordOnly)
  if (!found) return null
  return {
    how: 'narrowed',
    what: `the parameter \`${found.name}\` can only be passed by name now`,
    movedFrom: null,
  }
}

/** A parameter of before that callers reach at another position now. */
function moved(before: readonly Parameter[], after: readonly Parameter[]): CallBreak | null {
  const from = firstMove(before, after)
  if (from === null) return null
  const what = `the parameter \`${before[from]?.name}\` has another position`
  return { how: 'changed', what, movedFrom: from }
}

function firstMove(before: readonly Parameter[], after: readonly Parameter[]): number | null {
  const places = new Map(positional(after).map(({ name }, at) => [name, at]))
  const from = positional(before).findIndex(({ name }, at) => (places.get(name) ?? at) !== at)
  return from < 0 ? null : from
}

function positional(parameters: readonly Parameter[]): readonly Parameter[] {
  return parameters.filter(({ keywordOnly, variadic }) => !keywordOnly && !variadic)
}

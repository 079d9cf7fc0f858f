/** Turns schema errors into messages, with the key that was probably meant. */
import type { z } from 'zod'
import { nearestWord } from '../../../../config/nearest-word.ts'
import { documentKeys, matcherKeys, unsupportedKeys } from './rule-schema.ts'

export type Fault = { path: readonly (string | number)[]; part: 'key' | 'value'; message: string }

export function faultsOf(error: z.ZodError, value: unknown): Fault[] {
  return error.issues.flatMap((issue) => toFaults(issue, [], value))
}

function toFaults(issue: z.core.$ZodIssue, above: Fault['path'], root: unknown): Fault[] {
  const path = [...above, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key],
      part: 'key',
      message: unknownKey(key, path.length === 0),
    }))
  const where = path.length === 0 ? 'The rule' : path.join('.')
  const value = valueAt(root, path)
  if (issue.code === 'invalid_union' && value !== undefined) {
    const near = nearestBranch(issue)
    if (near) return near.flatMap((inner) => toFaults(inner, path, root))
  }
  return [{ path, part: 'value', message: `${where}: ${inWords(issue, value)}` }]
}

function unknownKey(key: string, isTop: boolean): string {
  const shown = `\`${key.slice(0, 60)}\``
  if (isTop && unsupportedKeys.has(key)) return `${shown} is a key of ast-grep that is not supported here.`
  const known = isTop ? documentKeys : matcherKeys
  const near = nearestWord(key, known)
  const said = `There is no key ${shown} here`
  return near === null ? `${said}; allowed are ${known.join(', ')}.` : `${said}; did you mean \`${near}\`?`
}

/** The branch of the union that the kind of value fits; its errors lie deeper. */
function nearestBranch(issue: z.core.$ZodIssueInvalidUnion): readonly z.core.$ZodIssue[] | null {
  const fits = issue.errors.filter((branch) => !branch.some(isAboutTheWhole))
  return fits[0] ?? null
}

function isAboutTheWhole({ code, path }: z.core.$ZodIssue): boolean {
  return path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')
}

function inWords(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined) return 'is missing.'
  switch (issue.code) {
    case 'invalid_value':
      return `${show(value)} is not allowed; allowed are ${issue.values.map(String).join(', ')}.`
    case 'invalid_type':
      return `${show(value)} is not ${kindInWords(issue.expected)}.`
    case 'too_big':
      return `is longer than ${issue.maximum}.`
    case 'too_small':
      return 'is empty.'
    case 'invalid_union':
      return `${show(value)} is of the wrong kind.`
    case 'invalid_format':
      return `${show(value)}: ${issue.message}.`
    default:
      return `${issue.message}.`
  }
}

function kindInWords(expected: string): string {
  const kinds: Readonly<Record<string, string>> = {
    object: 'a set of keys (`name: value` lines)',
    record: 'a set of keys (`name: value` lines)',
    array: 'a list (lines that begin with `- `)',
    string: 'a text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
  }
  return kinds[expected] ?? `of type ${expected}`
}

function show(value: unknown): string {
  if (value === null) return 'nothing'
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'a set of keys'
  return `\`${String(value).slice(0, 40).replace(/\s+/g, ' ')}\``
}

function valueAt(root: unknown, path: Fault['path']): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    root,
  )
}

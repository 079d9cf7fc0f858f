/** Checks plain data against the schema and says of every fault what is wrong and what would be right. */
import type { z } from 'zod'
import { type ConfigKey, configKeys } from './keys.ts'
import { nearestWord } from './nearest-word.ts'
import type { KeyPath } from './read-yaml.ts'
import { Config } from './schema.ts'

export type Fault = { path: KeyPath; part: 'key' | 'value'; message: string }
export type Checked = { config: Config; faults: [] } | { config: null; faults: Fault[] }

/** An empty file, and a section of which only the name is left, mean the defaults. */
export function checkConfig(value: unknown): Checked {
  const keys = configKeys()
  const result = Config.safeParse(withoutEmptySections(value ?? {}, keys))
  if (result.success) return { config: result.data, faults: [] }
  return { config: null, faults: result.error.issues.flatMap((issue) => toFaults(issue, value, keys)) }
}

function withoutEmptySections(value: unknown, keys: readonly ConfigKey[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const sections = new Set(keys.map(({ path }) => path[0]))
  return Object.fromEntries(
    Object.entries(value).filter(([name, inner]) => !(inner === null && sections.has(name))),
  )
}

function toFaults(issue: z.core.$ZodIssue, root: unknown, keys: readonly ConfigKey[]): Fault[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((name) => ({
      path: [...path, name],
      part: 'key',
      message: unknownKey(path, name, keys),
    }))
  const said = inWords(issue, valueAt(root, path))
  const message = path.length === 0 ? `The file as a whole: ${said}` : `${path.join('.')}: ${said}`
  return [{ path, part: 'value', message }]
}

/** Keys that are no more, with what to do about each. */
const formerKeys: ReadonlyMap<string, string> = new Map([
  ['planes.enable', 'every plane is on by default; remove the key'],
  ['triage', 'both readers of depth deep look at every file for every topic; remove the section'],
])

/** Says the nearest key of the same section; else the section a key of this name belongs to; else all there are. */
function unknownKey(path: KeyPath, name: string, keys: readonly ConfigKey[]): string {
  const key = [...path, name].join('.')
  const former = formerKeys.get(key)
  if (former !== undefined) return `There is no key \`${key}\` any more: ${former}.`
  const said = `There is no key \`${key}\``
  const beside = keys
    .filter((known) => known.path.length > path.length && path.every((step, i) => known.path[i] === step))
    .map((known) => known.path[path.length] ?? '')
  const here = [...new Set(beside)]
  const near = nearestWord(name, here)
  if (near !== null) return `${said}; did you mean \`${[...path, near].join('.')}\`?`
  const elsewhere = keys.find((known) => nearestWord(name, [known.path.at(-1) ?? '']) !== null)
  if (elsewhere) return `${said}; did you mean \`${elsewhere.key}\`?`
  return `${said}; allowed are ${here.join(', ')}.`
}

function inWords(issue: z.core.$ZodIssue, value: unknown): string {
  const shown = show(value)
  switch (issue.code) {
    case 'invalid_value': {
      const allowed = issue.values.map(String)
      const near = typeof value === 'string' ? nearestWord(value, allowed) : null
      const hint = near === null ? '' : ` did you mean \`${near}\`?`
      return `${shown} is not allowed;${hint} allowed are ${allowed.join(', ')}.`
    }
    case 'invalid_type':
      return `${shown} is not ${kindInWords(issue.expected)}.`
    case 'too_small':
      if (issue.origin === 'string') return 'must not be empty.'
      return `${shown} is less than ${issue.minimum}.`
    case 'too_big':
      if (issue.origin === 'array') return `has more than ${issue.maximum} entries.`
      return `${shown} is more than ${issue.maximum}.`
    default:
      return `${issue.message}.`
  }
}

function kindInWords(expected: string): string {
  const kinds: Readonly<Record<string, string>> = {
    object: 'a set of keys (`name: value` lines)',
    array: 'a list (lines that begin with `- `)',
    boolean: 'true or false',
    int: 'a whole number',
    number: 'a number',
    string: 'a text',
  }
  return kinds[expected] ?? `of type ${expected}`
}

function show(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a set of keys'
  const text = String(value)
  return `\`${text.length > 40 ? `${text.slice(0, 40)}…` : text}\``
}

function valueAt(root: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    root,
  )
}

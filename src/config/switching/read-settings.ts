/** Walks the data of another tool's file along a table of its settings. What the table does not name is noted, too. */
import type { z } from 'zod'
import { readYaml } from '../read-yaml.ts'
import type { CarriedConfig, Conversion, SettingNote, SettingRow } from './contract.ts'

/** Where the values of one setting are put. */
export type Carrier = {
  append(key: 'paths.exclude' | 'rules.paths', values: readonly string[]): void
  set<Key extends 'review.failOn' | 'review.minSeverity' | 'review.maxInline' | 'limits.changedFiles'>(
    key: Key,
    value: NonNullable<CarriedConfig[Key]>,
  ): void
  /** Without paths, for all files. An empty text is none. */
  instruct(text: string, paths?: readonly string[]): void
  note(outcome: 'different' | 'missing', text: string): void
}

export type Row = SettingRow & { take: (value: unknown, carrier: Carrier) => void }

/** A setting with a counterpart; `where` names it for people. A value of another form than the schema's is noted. */
export function carried<Schema extends z.ZodType>(
  setting: string,
  where: string,
  schema: Schema,
  carry: (value: z.infer<Schema>, carrier: Carrier) => void,
): Row {
  const take: Row['take'] = (value, carrier) => {
    const read = schema.safeParse(value)
    if (read.success) carry(read.data, carrier)
    else carrier.note('missing', 'Its value does not have the expected form.')
  }
  return { setting, outcome: 'carried', says: where, take }
}

/** Settings whose purpose is served in another way, which the sentence describes. */
export function different(settings: readonly string[], says: string): Row[] {
  return settings.map((setting) => ({
    setting,
    outcome: 'different',
    says,
    take: (_, { note }) => note('different', says),
  }))
}

/** Settings without a counterpart; the sentence says why. */
export function missing(settings: readonly string[], says: string): Row[] {
  return settings.map((setting) => ({
    setting,
    outcome: 'missing',
    says,
    take: (_, { note }) => note('missing', says),
  }))
}

/** The first row that fits a setting decides. Settings without a value set nothing and are left out. */
export function convertSettings(data: unknown, rows: readonly Row[]): Conversion {
  const conversion: Conversion = { config: {}, instructions: [], notes: [] }
  if (!isSection(data)) throw new Error('It does not hold a set of keys.')
  const walk = (section: Record<string, unknown>, above: readonly string[]): void => {
    for (const [name, value] of Object.entries(section)) {
      if (isEmpty(value)) continue
      const path = [...above, name]
      const row = rows.find(({ setting }) => fits(path, setting.split('.')))
      const carrier = carrierFor(path.join('.'), conversion)
      if (row) row.take(value, carrier)
      else if (isSection(value) && rows.some(({ setting }) => leadsTo(path, setting.split('.'))))
        walk(value, path)
      else carrier.note('missing', 'Sightline does not know this setting.')
    }
  }
  walk(data, [])
  return conversion
}

/** The value of a YAML file. Throws with the first problem and its line. */
export function yamlValue(text: string): unknown {
  const { value, problems } = readYaml(text)
  const [first] = problems
  if (first) throw new Error(`Line ${first.line}: ${first.message}`)
  return value ?? {}
}

export function carrierFor(setting: string, { config, instructions, notes }: Conversion): Carrier {
  const note = (outcome: SettingNote['outcome'], text: string): void => {
    notes.push({ setting, outcome, text })
  }
  return {
    append(key, values) {
      if (values.length === 0) return
      config[key] = [...new Set([...(config[key] ?? []), ...values])]
      note('carried', `${key}: ${values.join(', ')}`)
    },
    set(key, value) {
      config[key] = value
      note('carried', `${key}: ${value}`)
    },
    instruct(text, paths = []) {
      if (text.trim() === '') return
      const scope = paths.some((glob) => glob === '**' || glob === '**/*') ? [] : paths
      instructions.push({ paths: scope, text: text.trim() })
      note('carried', `instructions for ${scope.length === 0 ? 'all files' : scope.join(', ')}`)
    },
    note,
  }
}

/** Tools differ in how they treat case; keys of one tool never differ in case alone. */
function fits(path: readonly string[], pattern: readonly string[]): boolean {
  return path.length === pattern.length && leadsTo(path, pattern)
}

function leadsTo(path: readonly string[], pattern: readonly string[]): boolean {
  return path.every((name, at) => pattern[at] === '*' || pattern[at]?.toLowerCase() === name.toLowerCase())
}

function isSection(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (isSection(value)) return Object.keys(value).length === 0
  return value === null || value === undefined || value === ''
}

/** Walks the data of another tool's file along the settings that have a counterpart; the others are named. */
import type { z } from 'zod'
import { readYaml } from '../read-yaml.ts'
import type { CarriedConfig, CarriedInstructions, Conversion, Converted } from './contract.ts'

/** A setting that is carried over: its path in the file, and what its value becomes. */
export type Row = { setting: string; convert: (value: unknown) => Converted | null }

/** A value of another form than the schema's is not carried over. */
export function carry<Schema extends z.ZodType>(
  setting: string,
  schema: Schema,
  convert: (value: z.infer<Schema>) => Converted,
): Row {
  return {
    setting,
    convert(value) {
      const read = schema.safeParse(value)
      return read.success ? convert(read.data) : null
    },
  }
}

/** Instructions for all files, or for those of `paths`; an empty text is none. */
export function instruct(text: string, paths: readonly string[] = []): CarriedInstructions[] {
  if (text.trim() === '') return []
  const isEverything = paths.some((glob) => glob === '**' || glob === '**/*')
  return [{ paths: isEverything ? [] : paths, text: text.trim() }]
}

/** Names of settings are compared without case. Settings without a value set nothing and are left out. */
export function convertSettings(data: unknown, rows: readonly Row[]): Conversion {
  if (!isSection(data)) throw new Error('It does not hold a set of keys.')
  const conversion: Conversion = { config: {}, instructions: [], carried: [], notCarried: [] }
  const walk = (section: Record<string, unknown>, above: string): void => {
    for (const [name, value] of Object.entries(section)) {
      const setting = `${above}${name}`
      const key = setting.toLowerCase()
      const row = rows.find((row) => row.setting.toLowerCase() === key)
      const leadsOn = rows.some((row) => row.setting.toLowerCase().startsWith(`${key}.`))
      if (isEmpty(value)) continue
      else if (row) addConverted(conversion, setting, row.convert(value))
      else if (isSection(value) && leadsOn) walk(value, `${setting}.`)
      else conversion.notCarried.push(setting)
    }
  }
  walk(data, '')
  return conversion
}

function addConverted(conversion: Conversion, setting: string, converted: Converted | null): void {
  if (!converted) {
    conversion.notCarried.push(`${setting} (its value does not have the expected form)`)
    return
  }
  const { config, instructions = [], notCarried = [] } = converted
  conversion.config = joinConfigs(conversion.config, config)
  conversion.instructions.push(...instructions)
  conversion.notCarried.push(...notCarried.map((part) => `${setting}: ${part}`))
  const where = [
    ...Object.entries(config).map(([key, value]) => `${key}: ${[value].flat().join(', ')}`),
    ...instructions.map(
      ({ paths }) => `instructions for ${paths.length > 0 ? paths.join(', ') : 'all files'}`,
    ),
  ]
  if (where.length > 0) conversion.carried.push({ setting, where: [...new Set(where)].join('; ') })
}

function joinConfigs(one: CarriedConfig, other: CarriedConfig): CarriedConfig {
  const joined = { ...one, ...other }
  for (const key of ['paths.exclude', 'rules.paths'] as const)
    if (one[key] && other[key]) joined[key] = [...new Set([...one[key], ...other[key]])]
  return joined
}

/** The value of a YAML file. Throws with the first problem and its line. */
export function yamlValue(text: string): unknown {
  const { value, problems } = readYaml(text)
  const [first] = problems
  if (first) throw new Error(`Line ${first.line}: ${first.message}`)
  return value ?? {}
}

/** Rules in plain language, for the files of a folder; `.` is the root. */
export function readPlainRules(text: string, folder: string): Conversion {
  // Any character stands for one that would mean something else in a glob.
  const paths = folder === '.' ? [] : [`${folder.replace(/[*?[\]{}()!\\]/g, '?')}/**`]
  const carried = [{ setting: 'the text', where: '.sightline/instructions/' }]
  return { config: {}, instructions: instruct(text, paths), carried, notCarried: [] }
}

function isSection(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (isSection(value)) return Object.keys(value).length === 0
  return value === null || value === undefined || value === ''
}

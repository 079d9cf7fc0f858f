/** A function asks for one argument more, and its callers do not give it. */
import type { Language, Operator } from '../contract.ts'
import { replaceLine } from '../sources.ts'
import { calledDefinitions } from './definitions.ts'

const parameter: Readonly<Record<Language, string>> = {
  typescript: 'strict: boolean',
  python: 'strict',
  go: 'strict bool',
  rust: 'strict: bool',
  java: 'boolean strict',
}

export const staleCaller: Operator = {
  name: 'stale-caller',
  category: 'contract',
  severity: 'high',
  context: 'repo',
  mutate: (ground) =>
    calledDefinitions(ground).flatMap(({ source, index, name, callers }) => {
      const line = source.lines[index] ?? ''
      const now = line.replace(
        new RegExp(`\\b${name}\\(([^()]*)\\)`),
        (_all, given: string) => `${name}(${given === '' ? '' : `${given}, `}${parameter[source.language]})`,
      )
      if (now === line) return []
      const what = `\`${name}\` needs one argument more, and is called without it.`
      return [{ ...replaceLine(source, index, now, what), also: callers }]
    }),
}

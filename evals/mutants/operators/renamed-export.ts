/** A definition has another name, and those who use it still say the old one. */
import type { Operator } from '../contract.ts'
import { replaceLine } from '../sources.ts'
import { calledDefinitions } from './definitions.ts'

export const renamedExport: Operator = {
  name: 'renamed-export',
  category: 'contract',
  severity: 'high',
  context: 'repo',
  mutate: (ground) =>
    calledDefinitions(ground).map(({ source, index, name, callers }) => {
      const pattern = new RegExp(`\\b${name}\\(`, 'g')
      const now = `${name}${name.includes('_') ? '_now' : 'Now'}(`
      const lines = source.lines.map((line) => line.replace(pattern, now))
      const what = `\`${name}\` is renamed here, and other files still call it by its old name.`
      return { ...replaceLine({ ...source, lines }, index, lines[index] ?? '', what), also: callers }
    }),
}

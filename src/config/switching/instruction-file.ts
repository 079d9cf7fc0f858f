/** Files in plain language that reviews read where they are. Nothing has to be written. */
import type { Conversion, SettingNote } from './contract.ts'
import { longInstructions } from './reasons.ts'

export function readInstructionFile(text: string): Conversion {
  const notes: SettingNote[] = [
    { setting: 'the text', outcome: 'carried', text: 'read from the base commit as it is (docs/context.md)' },
    {
      setting: 'sections about setup, commits and the like',
      outcome: 'different',
      text: 'They are left out, because no line of code can break them.',
    },
  ]
  if (text.length > 4_000)
    notes.push({ setting: `${text.length} characters`, outcome: 'different', text: longInstructions })
  return { config: {}, instructions: [], notes }
}

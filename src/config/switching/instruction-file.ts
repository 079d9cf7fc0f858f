/** Files in plain language: those that reviews read where they are, and those that are carried over as they are. */
import type { Conversion, SettingNote } from './contract.ts'
import { longInstructions } from './reasons.ts'

const aboutWork: SettingNote = {
  setting: 'sections about setup, commits and the like',
  outcome: 'different',
  text: 'They are left out, because no line of code can break them.',
}

/** Files of other tools that every review reads: a part of what `retrieveInstructions` looks for. */
export const readAnyway =
  /(?:^|\/)(?:AGENTS|CLAUDE|REVIEW|BUGBOT)\.md$|\.cursorrules$|\.cursor\/rules\/|copilot-instructions\.md$|\.github\/instructions\//

export function readInstructionFile(text: string): Conversion {
  const notes: SettingNote[] = [
    { setting: 'the text', outcome: 'carried', text: 'read from the base commit as it is (docs/context.md)' },
    aboutWork,
  ]
  if (text.length > 4_000)
    notes.push({ setting: `${text.length} characters`, outcome: 'different', text: longInstructions })
  return { config: {}, instructions: [], notes }
}

/** Rules in plain language that go to `.sightline/instructions`, for the files of a folder; `.` is the root. */
export function readPlainRules(text: string, folder: string): Conversion {
  // Any character stands for one that would mean something else in a glob.
  const paths = folder === '.' ? [] : [`${folder.replace(/[*?[\]{}()!\\]/g, '?')}/**`]
  const notes: SettingNote[] = [
    { setting: 'the text', outcome: 'carried', text: '`.sightline/instructions/`' },
    aboutWork,
  ]
  return { config: {}, instructions: [{ paths, text: text.trim() }], notes }
}

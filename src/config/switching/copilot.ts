/** GitHub Copilot's instructions: https://docs.github.com/en/copilot/customizing-copilot */
import type { Conversion, ReviewTool } from './contract.ts'
import { readInstructionFile } from './instruction-file.ts'

export const copilot: ReviewTool = {
  name: 'GitHub Copilot',
  id: 'copilot',
  files: ['.github/copilot-instructions.md', '.github/instructions/**/*.instructions.md'],
  rows: [
    { setting: 'the text', outcome: 'carried', says: 'read as it is, for all files' },
    {
      setting: '`applyTo`',
      outcome: 'carried',
      says: 'the text is read for these files; without it, for none',
    },
    {
      setting: '`excludeAgent`',
      outcome: 'missing',
      says: 'A file of instructions is read whichever agents it excludes.',
    },
  ],
  read(text, path) {
    const conversion = readInstructionFile(text)
    if (path.endsWith('.instructions.md')) noteFrontMatter(text, conversion)
    return conversion
  },
}

function noteFrontMatter(text: string, { notes }: Conversion): void {
  const [, head = ''] = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text) ?? []
  const [, globs] = /^applyTo:[ \t]*(\S.*)$/m.exec(head) ?? []
  if (globs === undefined)
    notes.unshift({
      setting: 'applyTo',
      outcome: 'missing',
      text: 'It names no files, so the text is read for none: add `applyTo: "**"` for all files.',
    })
  else
    notes.push({ setting: 'applyTo', outcome: 'carried', text: `read for ${globs.replaceAll(/["']/g, '')}` })
  if (/^excludeAgent:/m.test(head))
    notes.push({
      setting: 'excludeAgent',
      outcome: 'missing',
      text: 'A file of instructions is read whichever agents it excludes.',
    })
}

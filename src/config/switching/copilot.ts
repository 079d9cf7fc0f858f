/** GitHub Copilot's instructions: https://docs.github.com/en/copilot/customizing-copilot */
import type { ReviewTool } from './contract.ts'
import { readInstructionFile } from './instruction-file.ts'

export const copilot: ReviewTool = {
  name: 'GitHub Copilot',
  id: 'copilot',
  files: ['.github/copilot-instructions.md'],
  rows: [{ setting: 'the text', outcome: 'carried', says: 'read as it is, for all files' }],
  read: (text) => readInstructionFile(text),
}

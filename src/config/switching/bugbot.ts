/** Cursor's Bugbot: https://docs.cursor.com/bugbot */
import type { ReviewTool } from './contract.ts'
import { readInstructionFile } from './instruction-file.ts'

export const bugbot: ReviewTool = {
  name: 'Bugbot',
  id: 'bugbot',
  files: ['BUGBOT.md'],
  rows: [{ setting: 'the text', outcome: 'carried', says: 'read as it is, for the files of its folder' }],
  read: (text) => readInstructionFile(text),
}

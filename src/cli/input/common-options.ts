/** Options that many commands take, worded once. */
import { text } from './options.ts'

export const repositoryOption = text('PATH', 'Repository. Default: the one that contains the current folder.')

/** For `readTicket`. */
export const ticketOption = text(
  'FILE | - | OWNER/REPO',
  'Task description: a text file, or the GitHub repository whose issues the commits mention.',
)

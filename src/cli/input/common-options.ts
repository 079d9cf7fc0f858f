/** Options that many commands take, worded once. */
import { flag, list, text } from './options.ts'

export const repositoryOption = text('PATH', 'Repository. Default: the one that contains the current folder.')

/** For `readTicket`. */
export const ticketOption = text(
  'FILE | - | OWNER/REPO',
  'Task description: a text file, or the GitHub repository whose issues the commits mention.',
)

/** For `readModelRoles`. */
export const modelOption = list(
  'ROLE=PROVIDER/MODEL',
  'Model to use for a role, such as reviewer=anthropic/claude-sonnet-5-5.',
)

/** How much is said while a command works. `quiet`: what is left then. */
export const progressOptions = (quiet: string) => ({
  progress: flag('Write events to standard error, one JSON object per line.'),
  quiet: flag(quiet, '-q'),
  verbose: flag('Describe each stage on standard error.'),
  'no-color': flag('Print without colors.'),
})

/** `--ticket`: a file, standard input, or `owner/repo` for the GitHub issues that the author points to. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { isRepositoryName } from '../../domain/repository-name.ts'
import type { TicketOrigin } from '../../index.ts'
import { readStandardInput } from './standard-input.ts'

const mostBytes = 1024 * 1024

/** Throws `usage` for what is neither. */
export async function readTicket(typed: string | undefined): Promise<TicketOrigin | null> {
  if (typed === undefined) return null
  if (typed === '-')
    return {
      kind: 'text',
      text: Buffer.from(await readStandardInput()).toString('utf8'),
      name: 'standard input',
    }
  if (existsSync(typed)) {
    const text = await readFile(typed, 'utf8')
    if (Buffer.byteLength(text) > mostBytes)
      throw new UserError('usage', `--ticket: ${typed} has more than 1 MB`)
    return { kind: 'text', text, name: basename(typed) }
  }
  if (isRepositoryName(typed)) return { kind: 'github', repository: typed, branch: null }
  throw new UserError('usage', `--ticket: \`${typed}\` is no file, and not OWNER/REPO`)
}

/** Reads from the command line what to review: the change, by options or operands, the ticket it belongs to, and what linters say of it. */
import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { isRepositoryName } from '../../domain/repository-name.ts'
import type { ChangeSelector, TicketOrigin, ToolResult } from '../../index.ts'
import type { ValuesOf } from '../command.ts'
import { type Input, pathIn, type Shell } from '../shell.ts'
import { flag, text } from './options.ts'

export const selectorOptions = {
  staged: flag('Review staged changes.'),
  unstaged: flag('Review unstaged changes.'),
  uncommitted: flag('Review all uncommitted changes, including new files.'),
  base: text(
    'REF',
    'Review this branch since it diverged from REF. With --patch: the commit the patch applies to.',
  ),
  range: text('A..B', 'Review the changes from A to B; with A...B, from their merge base to B.'),
  commit: text('REF', 'Review one commit.'),
  patch: text('FILE', 'Review a patch file (unified diff); - reads standard input.'),
}

type SelectorFlags = ValuesOf<typeof selectorOptions>

/** A pull request or merge request instead of a change of this machine; null when no operand is an address. Throws `usage`. */
export function readAddress(flags: SelectorFlags, operands: readonly string[]): string | null {
  const address = operands.find((operand) => /^https?:\/\//i.test(operand))
  if (address === undefined) return null
  const [other] = [...namedChanges(flags), ...operands.filter((operand) => operand !== address)]
  if (other === undefined) return address
  throw new UserError('usage', `\`${address}\` and \`${other}\` both select a change; use only one of them.`)
}

/**
 * The first operand that is no path says what is reviewed, files and folders limit the review to them. Throws
 * `UserError('usage')` when more than one change is named, `patch-…` when a patch cannot be read.
 */
export async function readSelector(
  flags: SelectorFlags,
  operands: readonly string[],
  shell: Shell,
): Promise<ChangeSelector> {
  const [change, ...others] = operands.filter((operand) => meaningOf(operand, shell) !== 'path')
  if (others.length > 0)
    throw new UserError(
      'usage',
      `\`${change}\` and \`${others[0]}\` both select a change; or one is a path that does not exist.`,
    )
  const paths = operands.filter((operand) => meaningOf(operand, shell) === 'path')
  const named = paths.length > 0 ? { paths, pathsFrom: shell.folder } : {}
  return { ...(await readChange(flags, change, shell)), ...named }
}

async function readChange(
  flags: SelectorFlags,
  operand: string | undefined,
  shell: Shell,
): Promise<ChangeSelector> {
  const asked: SelectorFlags & { readonly name?: string } =
    operand === undefined ? flags : withOperand(flags, operand, shell)
  const named = namedChanges(asked)
  if (named.length > 1) throw new UserError('usage', `${named.join(' and ')} cannot be used together.`)
  if (asked.patch !== undefined)
    return { kind: 'patch', patch: await readPatch(asked.patch, shell), base: asked.base ?? null }
  if (asked.base !== undefined) return { kind: 'base', base: asked.base }
  if (asked.name !== undefined) return { kind: 'name', name: asked.name }
  if (asked.range !== undefined) return { kind: 'range', range: asked.range }
  if (asked.commit !== undefined) return { kind: 'commit', commit: asked.commit }
  if (asked.staged) return { kind: 'staged' }
  if (asked.unstaged) return { kind: 'unstaged' }
  return asked.uncommitted ? { kind: 'uncommitted' } : { kind: 'auto' }
}

/** `--base` does not count beside a patch, where it says what the patch was made on. */
function namedChanges(flags: SelectorFlags): string[] {
  const names = ['staged', 'unstaged', 'uncommitted', 'range', 'commit', 'patch'] as const
  const given = names.filter((name) => flags[name] !== false && flags[name] !== undefined)
  const base = flags.base !== undefined && flags.patch === undefined ? ['--base'] : []
  return [...base, ...given.map((name) => `--${name}`)]
}

/** The shorthand as the option it stands for. */
function withOperand(
  flags: SelectorFlags,
  operand: string,
  shell: Shell,
): SelectorFlags & { readonly name?: string } {
  const meaning = meaningOf(operand, shell)
  const [other] = namedChanges(meaning === 'patch' ? { ...flags, base: undefined } : flags)
  if (other !== undefined)
    throw new UserError('usage', `\`${operand}\` and ${other} both select a change; use only one of them.`)
  return { ...flags, [meaning]: operand }
}

/** A range has two dots, which no ref may have; a file is taken for a patch only by the ending of its name. */
function meaningOf(operand: string, shell: Shell): 'patch' | 'range' | 'name' | 'path' {
  if (operand === '-') return 'patch'
  const path = pathIn(shell, operand)
  if (!existsSync(path)) return operand.includes('..') ? 'range' : 'name'
  return /\.(patch|diff|eml|mbox)$/i.test(operand) && statSync(path).isFile() ? 'patch' : 'path'
}

async function readPatch(path: string, shell: Shell): Promise<Uint8Array> {
  if (path === '-') {
    const patch = await readStandardInput(shell.stdin)
    if (patch.length === 0) throw new UserError('patch-empty', 'standard input was empty')
    return patch
  }
  try {
    return await readFile(pathIn(shell, path))
  } catch (error) {
    throw new UserError('patch-unreadable', (error as Error).message, { cause: error })
  }
}

/** `--ticket`: a file, standard input, or `owner/repo` for the GitHub issues that the author points to. */
const mostBytes = 1024 * 1024

/** Throws `usage` for what is neither. */
export async function readTicket(typed: string | undefined, shell: Shell): Promise<TicketOrigin | null> {
  if (typed === undefined) return null
  if (typed === '-')
    return {
      kind: 'text',
      text: Buffer.from(await readStandardInput(shell.stdin)).toString('utf8'),
      name: 'standard input',
    }
  const path = pathIn(shell, typed)
  if (existsSync(path)) {
    const text = await readFile(path, 'utf8')
    if (Buffer.byteLength(text) > mostBytes)
      throw new UserError('usage', `--ticket: ${typed} is larger than 1 MB`)
    return { kind: 'text', text, name: basename(typed) }
  }
  if (isRepositoryName(typed)) return { kind: 'github', repository: typed, branch: null }
  throw new UserError('usage', `--ticket: \`${typed}\` is neither a file nor OWNER/REPO`)
}

/** A whole repository with many findings. */
const mostResultBytes = 64 * 1024 * 1024

/** `--sarif`: files of results. Throws `usage` for one that cannot be read. */
export async function readSarif(typed: readonly string[], shell: Shell): Promise<ToolResult[]> {
  if (typed.length === 0) return []
  const { readToolResults } = await import('../../index.ts')
  const all: ToolResult[] = []
  for (const name of typed) {
    const path = pathIn(shell, name)
    if (!existsSync(path)) throw new UserError('usage', `--sarif: the file \`${name}\` does not exist`)
    if (statSync(path).size > mostResultBytes)
      throw new UserError('usage', `--sarif: ${name} is larger than 64 MB`)
    all.push(...readToolResults(await readFile(path, 'utf8'), name))
  }
  return all
}

/** Reads standard input to its end, up to a cap. */
const maximumBytes = 256 * 1024 * 1024

/** Throws `UserError('usage')` when nothing is piped in, `patch-unreadable` when it is more than 256 MB. */
async function readStandardInput(stdin: Input): Promise<Uint8Array> {
  if (stdin.isTTY) throw new UserError('usage', '- reads standard input, but nothing is piped to it.')
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stdin as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > maximumBytes)
      throw new UserError('patch-unreadable', `standard input is larger than ${maximumBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, bytes)
}

/** `grep`: lines of text files that contain a text. */

import { RE2JS } from 're2js'
import { z } from 'zod'
import { count } from '../base/count.ts'
import { UserError } from '../base/errors.ts'
import { isGeneratedPath, isLockPath, isMinifiedPath, isVendoredPath } from '../base/file-paths.ts'
import { matchGlobs } from '../base/globs.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import { pathArgument, textArgument } from './arguments.ts'
import { defineTool, ToolError, type ToolOutput } from './contract.ts'

const mostHits = 30
/** Hits counted beyond those shown. */
const mostCounted = 2_000
const filesAtOnce = 200
const largestFile = 512 * 1024

export const grep = defineTool({
  name: 'grep',
  cost: 'cheap',
  about:
    'Lines that contain a text, taken literally and ignoring case unless regex or case_sensitive is true. path limits it to a folder or file, glob to file names (*.ts). Vendored, generated and lock files are left out.',
  args: z.object({
    query: textArgument,
    path: pathArgument.default(''),
    glob: z.string().min(1).max(200).optional(),
    regex: z.boolean().default(false),
    case_sensitive: z.boolean().default(false),
  }),
  limits: { lines: mostHits, lineLength: 240, bytes: 8 * 1024 },
  version: 1,
  keeps: true,
  async run({ query, path, glob, regex, case_sensitive: exact }, { head }, signal): Promise<ToolOutput> {
    const matches = regex ? patternOf(query, !exact) : containing(query, exact)
    const files = await filesIn(head, path, glob)
    const lines: string[] = []
    let counted = 0
    for (let from = 0; from < files.length && counted < mostCounted; from += filesAtOnce) {
      signal.throwIfAborted()
      const texts = await head.readMany(files.slice(from, from + filesAtOnce))
      for (const [name, { text }] of texts) {
        if (!regex && !matches(text)) continue
        for (const [at, line] of text.split('\n').entries()) {
          if (!matches(line)) continue
          counted++
          if (lines.length < mostHits) lines.push(`${name}:${at + 1}: ${line.trim()}`)
        }
      }
    }
    const atLeast = counted >= mostCounted ? 'at least ' : ''
    const none = `no match (this is conclusive): no line of ${count(files.length, 'text file')} contains it`
    return {
      lines,
      remarks: [
        counted === 0
          ? none
          : `${atLeast}${count(counted, 'line')} in ${count(files.length, 'file')} searched`,
      ],
    }
  },
})

async function filesIn(head: RepoSnapshot, path: string, glob: string | undefined): Promise<string[]> {
  const wanted = glob === undefined ? () => true : matchGlobs([glob.includes('/') ? glob : `**/${glob}`])
  const inside = (file: string) => path === '' || file === path || file.startsWith(`${path}/`)
  const files = (await head.list()).filter(
    ({ path: file, mode, size }) =>
      mode.startsWith('100') &&
      (size ?? 0) <= largestFile &&
      inside(file) &&
      wanted(file) &&
      !isLeftOut(file),
  )
  if (files.length === 0) throw new ToolError('there is no text file at this path')
  return files.map(({ path: file }) => file)
}

function isLeftOut(path: string): boolean {
  return isVendoredPath(path) || isGeneratedPath(path) || isLockPath(path) || isMinifiedPath(path)
}

function containing(query: string, exact: boolean): (text: string) => boolean {
  if (exact) return (text) => text.includes(query)
  const wanted = query.toLowerCase()
  return (text) => text.toLowerCase().includes(wanted)
}

function patternOf(query: string, ignoreCase: boolean): (line: string) => boolean {
  try {
    const pattern = compileLinear(query, 'grep:', { ignoreCase })
    return (line) => pattern.test(line.slice(0, 2_000))
  } catch (error) {
    throw new ToolError(error instanceof Error ? error.message : String(error))
  }
}

type LinearPattern = {
  readonly source: string
  /** True when the pattern matches anywhere in the text. */
  test(text: string): boolean
  /** UTF-16 offsets of every match, from left to right, without overlaps; at most `limit` of them. */
  findAll(text: string, limit: number): { start: number; end: number }[]
}

const longestPattern = 1_000

/**
 * Compiles a stranger's pattern for an engine whose time grows with the text only. Throws `rule-invalid` for wrong syntax,
 * and for what such an engine cannot do (look-around, back-references). `where` names the place for the message.
 */
export function compileLinear(
  source: string,
  where: string,
  options: { ignoreCase?: boolean } = {},
): LinearPattern {
  const refuse = (why: string, cause?: unknown): UserError =>
    new UserError('rule-invalid', `${where} the pattern \`${source.slice(0, 80)}\` ${why}`, { cause })
  if (source.length > longestPattern) throw refuse(`has more than ${longestPattern} characters`)
  const unsupported = unsupportedSyntax(source)
  if (unsupported) throw refuse(`uses ${unsupported}, which takes more than linear time and is not supported`)
  try {
    const compiled = RE2JS.compile(source, options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
    return {
      source,
      test: (text) => compiled.matcher(text).find(),
      findAll: (text, limit) => findAll(compiled, text, limit),
    }
  } catch (error) {
    throw refuse(`cannot be read: ${error instanceof Error ? error.message : String(error)}`, error)
  }
}

function findAll(compiled: RE2JS, text: string, limit: number): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  const matcher = compiled.matcher(text)
  while (found.length < limit && matcher.find()) found.push({ start: matcher.start(), end: matcher.end() })
  return found
}

/** Named for people; the engine itself would only speak of an invalid group. */
function unsupportedSyntax(source: string): string | null {
  const plain = source.replace(/\\[^1-9k]/g, '').replace(/\[[^\]]*\]?/g, '')
  if (/\(\?<?[=!]/.test(plain)) return 'look-around'
  if (/\\(?:[1-9]|k<)/.test(plain)) return 'a back-reference'
  if (/\(\?>|[*+?}]\+/.test(plain)) return 'a possessive or atomic group'
  return null
}

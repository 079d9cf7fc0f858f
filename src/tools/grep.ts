/** `grep`: lines of text files that contain a text. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { isGeneratedPath, isLockPath, isMinifiedPath, isVendoredPath } from '../base/file-paths.ts'
import { matchGlobs } from '../base/globs.ts'
import { compileLinear } from '../base/linear-pattern.ts'
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
    'Lines that contain a text: as it stands, and without regard to case, unless regex or case_sensitive is true. path limits it to a folder or file, glob to file names (*.ts). Vendored, generated and lock files are left out.',
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
    const none = `nothing, and that is evidence: no line of ${count(files.length, 'text file')} contains it`
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
  if (files.length === 0) throw new ToolError('no text file lies there')
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

/** `grep`: lines of text files that contain a text. */

import { RE2JS } from 're2js'
import { z } from 'zod'
import { count } from '../base/count.ts'
import { UserError } from '../base/errors.ts'
import {
  folderOf,
  isConfigPath,
  isDataPath,
  isDocsPath,
  isTestPath,
  isTranslationPath,
  isUnwrittenPath,
  isWithin,
} from '../base/file-paths.ts'
import { matchGlobs } from '../base/globs.ts'
import type { ChangeSurroundings } from '../domain/change-set.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import { pathArgument, sideArgument, textArgument } from './arguments.ts'
import { defineTool, ToolError, type ToolOutput, type ToolScope } from './contract.ts'
import { whyAbsent } from './why-absent.ts'

const mostHits = 40
/** Of one file, before every other file had its turn. */
const hitsAtFirst = 3
/** Of prose, data and translations together, before code had its second turn. */
const proseAtFirst = 6
/** Hits counted beyond those shown. */
const mostCounted = 2_000
const mostFilesNamed = 10
const filesAtOnce = 200
const largestFile = 512 * 1024

export const grep = defineTool({
  name: 'grep',
  cost: 'cheap',
  about:
    'Lines that contain a text, taken literally and ignoring case unless regex or case_sensitive is true; changed files and those near them first, tests after other code. path limits it to a folder or file; glob matches file names and paths only, never what a file says (*.{ts,tsx}, test/**/*.py); side base searches the code before the change. Vendored, generated and lock files are searched only where path names them; installed packages are not there.',
  args: z.object({
    query: textArgument,
    path: pathArgument.default(''),
    glob: z.string().min(1).max(200).optional(),
    regex: z.boolean().default(false),
    case_sensitive: z.boolean().default(false),
    side: sideArgument,
  }),
  limits: { lines: mostHits, lineLength: 240, bytes: 12 * 1024 },
  narrow: 'narrow it with path or glob',
  version: 4,
  keeps: true,
  knowsChange: true,
  async run({ query, path, glob, regex, case_sensitive: exact, side }, scope, signal): Promise<ToolOutput> {
    const tree = side === 'base' ? scope.base : scope.head
    const { files, leftOut } = await filesIn({ tree, path, glob, side, scope })
    const ordered = byNearness(files, scope.surroundings)
    const searchIn = (matcher: Matcher) => search(tree, ordered, matcher, signal)
    const first = await searchIn(regex ? patternOf(query, !exact) : containing(query, exact))
    const meant = first.counted === 0 && !regex ? asPattern(query, exact) : null
    const found = meant ? await searchIn(meant) : first
    const beyond =
      leftOut > 0 ? `; ${count(leftOut, 'generated, vendored, lock or huge file')} not searched` : ''
    const read = meant ? [`no line contains this literally; ${meant.how}`] : []
    if (found.counted === 0) {
      const why = `no line of ${count(files.length, 'text file')} contains it${meant ? ', literally or so' : ''}${beyond}`
      return { lines: [], remarks: read, emptiness: { isEvidence: true, why } }
    }
    const shares = sharesOf(found.hits)
    const atLeast = found.counted >= mostCounted ? 'at least ' : ''
    const unshown = unshownIn(found.hits, shares)
    return {
      lines: found.hits.flatMap(({ first }, at) => first.slice(0, shares[at])),
      remarks: [
        ...read,
        `${atLeast}${count(found.counted, 'line')} in ${found.hits.length} of ${count(files.length, 'file')} searched${beyond}`,
        ...(unshown === null ? [] : [unshown]),
      ],
      isPartial: unshown !== null,
    }
  },
})

type Matcher = { matches: (text: string) => boolean; isLiteral: boolean }

/** The first hits of one file, and how many there are. */
type FileHits = { path: string; counted: number; first: string[] }

async function search(
  tree: RepoSnapshot,
  files: readonly string[],
  { matches, isLiteral }: Matcher,
  signal: AbortSignal,
): Promise<{ hits: FileHits[]; counted: number }> {
  const hits: FileHits[] = []
  let counted = 0
  for (let from = 0; from < files.length && counted < mostCounted; from += filesAtOnce) {
    signal.throwIfAborted()
    const batch = files.slice(from, from + filesAtOnce)
    const texts = await tree.readMany(batch)
    for (const path of batch) {
      const text = texts.get(path)?.text
      if (text === undefined || (isLiteral && !matches(text))) continue
      const file: FileHits = { path, counted: 0, first: [] }
      for (const [at, line] of text.split('\n').entries()) {
        if (!matches(line)) continue
        file.counted++
        if (file.first.length < mostHits) file.first.push(`${path}:${at + 1}: ${line.trim()}`)
      }
      if (file.counted > 0) hits.push(file)
      counted += file.counted
    }
  }
  return { hits, counted }
}

/**
 * How many lines of each file are shown: some of every file, nearest first, then more of the nearest. Code and tests come before prose,
 * of which there may be as many files as languages that it is translated into.
 */
function sharesOf(hits: readonly FileHits[]): number[] {
  const shares = hits.map(() => 0)
  let room = mostHits
  for (const { kind, ofEach, together } of turns) {
    let left = Math.min(room, together)
    for (const [at, { path, first }] of hits.entries()) {
      if (kindOf(path) !== kind) continue
      const more = Math.max(0, Math.min(left, Math.min(first.length, ofEach) - (shares[at] ?? 0)))
      shares[at] = (shares[at] ?? 0) + more
      left -= more
      room -= more
    }
  }
  return shares
}

const kinds = ['code', 'test', 'prose'] as const

const turns = [
  ...kinds.map((kind) => ({
    kind,
    ofEach: hitsAtFirst,
    together: kind === 'prose' ? proseAtFirst : mostHits,
  })),
  ...kinds.map((kind) => ({ kind, ofEach: mostHits, together: mostHits })),
]

function kindOf(path: string): (typeof kinds)[number] {
  if (isTestPath(path)) return 'test'
  const isProse = isDocsPath(path) || isDataPath(path) || (isTranslationPath(path) && isConfigPath(path))
  return isProse ? 'prose' : 'code'
}

/** `38 of 78 lines not shown: src/a.ts 30, test/b.ts 8; narrow it …`, the nearest files first; or null when all are. */
function unshownIn(hits: readonly FileHits[], shares: readonly number[]): string | null {
  const left = hits
    .map(({ path, counted }, at) => ({ path, missing: counted - (shares[at] ?? 0) }))
    .filter(({ missing }) => missing > 0)
  if (left.length === 0) return null
  const total = left.reduce((sum, { missing }) => sum + missing, 0)
  const all = hits.reduce((sum, { counted }) => sum + counted, 0)
  const named = left.slice(0, mostFilesNamed).map(({ path, missing }) => `${path} ${missing}`)
  const rest = left.length - named.length
  if (rest > 0) named.push(`and ${count(rest, 'more file')}`)
  return `${total} of ${count(all, 'line')} not shown: ${named.join(', ')}; narrow it with path or glob`
}

type FileQuestion = {
  tree: RepoSnapshot
  path: string
  glob: string | undefined
  side: 'head' | 'base'
  scope: ToolScope
}

/** `leftOut`: how many were not searched because no person wrote them, or because they are huge. */
async function filesIn({ tree, path, glob, side, scope }: FileQuestion) {
  const wanted = glob === undefined ? () => true : matchGlobs([glob.includes('/') ? glob : `**/${glob}`])
  const inside = (file: string) => path === '' || isWithin(file, [path])
  const all = (await tree.list()).filter(
    ({ path: file, mode }) => mode.startsWith('100') && inside(file) && wanted(file),
  )
  // Whoever names a vendored folder or a generated file wants to see it.
  const isOut = isUnwrittenPath(`${path}/`) || isUnwrittenPath(path) ? () => false : isUnwrittenPath
  const files = all.filter(({ path: file, size }) => (size ?? 0) <= largestFile && !isOut(file))
  const huge = all.filter(({ size }) => (size ?? 0) > largestFile)
  if (all.length > 0 && huge.length === all.length)
    throw new ToolError(
      `${count(huge.length, 'file there is', 'files there are')} larger than ${largestFile / 1024} KB, and not searched; read_file shows lines of one`,
    )
  if (files.length === 0 && all.length > 0)
    throw new ToolError(
      `${count(all.length, 'file there is', 'files there are')} generated, vendored, lock or huge files; name one with path to search it`,
    )
  if (files.length === 0)
    throw new ToolError(
      glob === undefined ? await whyAbsent(scope, side, path) : 'no text file here matches this glob',
    )
  return { files: files.map(({ path: file }) => file), leftOut: all.length - files.length }
}

/** Changed files, related ones, those in the same folders, then others; tests and prose after code. Ties keep their order. */
function byNearness(files: readonly string[], { changed, related }: ChangeSurroundings): string[] {
  const isChanged = new Set(changed.map(({ path }) => path))
  const isRelated = new Set(related)
  const folders = new Set(changed.map(({ path }) => folderOf(path)))
  const distance = (path: string): number => {
    const kind = kinds.indexOf(kindOf(path))
    if (isChanged.has(path)) return kind
    return 3 + kind * 3 + (isRelated.has(path) ? 0 : folders.has(folderOf(path)) ? 1 : 2)
  }
  const distances = new Map(files.map((path) => [path, distance(path)]))
  return files.toSorted((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0))
}

function containing(query: string, exact: boolean): Matcher {
  if (exact) return { isLiteral: true, matches: (text) => text.includes(query) }
  const wanted = query.toLowerCase()
  return { isLiteral: true, matches: (text) => text.toLowerCase().includes(wanted) }
}

/** Signs that whoever asked meant a regular expression: alternatives, `.*`, escapes, anchors, classes, groups. */
const looksLikePattern = /\||\.[*+?]|\\[bBwWsSdD.()[\]{}*+?^$]|^\^|\$$|\[\^|\[\w-\w|\(\?/

/** How a text that no line contains may have been meant, or null: models often forget the flag. */
function asPattern(query: string, exact: boolean): (Matcher & { how: string }) | null {
  if (!looksLikePattern.test(query)) return null
  try {
    return { ...patternOf(query, !exact), how: 'it was searched as a regular expression (regex true)' }
  } catch {
    const parts = query.split('|').map((part) => part.replaceAll('\\', '').trim())
    const wanted = parts.filter((part) => part !== '').map((part) => containing(part, exact).matches)
    if (wanted.length < 2) return null
    const matches = (text: string) => wanted.some((one) => one(text))
    return { isLiteral: true, matches, how: 'the texts between the | signs were searched' }
  }
}

function patternOf(query: string, ignoreCase: boolean): Matcher {
  try {
    const pattern = compileLinear(query, 'grep:', { ignoreCase })
    return { isLiteral: false, matches: (line) => pattern.test(line.slice(0, 2_000)) }
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
  const plain = source.replace(/\\[^1-9k]/g, 'x').replace(/\[[^\]]*\]?/g, 'x')
  if (/\(\?<?[=!]/.test(plain)) return 'look-around'
  if (/\\(?:[1-9]|k<)/.test(plain)) return 'a back-reference'
  if (/\(\?>|[*+?}]\+/.test(plain)) return 'a possessive or atomic group'
  return null
}

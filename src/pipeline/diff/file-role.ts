/** The role of a changed file (source, test, generated …), and so whether a person would read it line by line. */
import { parseAllDocuments } from 'yaml'
import {
  fileNameOf,
  isConfigPath,
  isDataPath,
  isDocsPath,
  isGeneratedPath,
  isLockPath,
  isMinifiedPath,
  isTestPath,
  isVendoredPath,
} from '../../base/file-paths.ts'
import { saysGenerated } from '../../base/generated-mark.ts'
import { matchGlobs } from '../../base/globs.ts'
import { languageOf } from '../../code-index/language-of.ts'
import { type FileRole, type Hunk, pathOn } from '../../domain/change-set.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { RawFileDiff } from '../../hosts/contract.ts'

export type RoleSettings = { generated: readonly string[]; tests: readonly string[] }

/** What no person wrote, as a path says. */
type UnwrittenRole = Extract<FileRole, 'vendored' | 'lock' | 'generated' | 'minified'>

/** What path and content of the file said about it before the change. `firstLine`: with the program that runs a script. */
export type BaseTraits = {
  generated: boolean
  minified: boolean
  firstLine: string
  pathRole: UnwrittenRole | null
}

/** `base` is null when there was no such file before. */
export type RoleOf = (path: string, hunks: readonly Hunk[], base: BaseTraits | null) => FileRole

/** The same limits as the parser's, so that a file counted as minified could not be parsed anyway. */
const minifiedLength = 20_000
const minifiedAverage = 500

export function createRoleOf(settings: RoleSettings): RoleOf {
  const isConfiguredGenerated = matchGlobs(settings.generated)
  const isConfiguredTest = matchGlobs(settings.tests)
  return (path, hunks, base) => {
    if (isConfiguredGenerated(path)) return 'generated'
    // A path is chosen by whoever writes the change: it counts if the file had it, or if the content says the same.
    const claimed = pathRoleOf(path)
    if (claimed !== null && (base?.pathRole === claimed || agrees(claimed, path, hunks))) return claimed
    // The same goes for a mark: a new file that says it is generated is reviewed, unless its path says so too.
    if (base?.generated && !losesMark(hunks)) return 'generated'
    if (looksMinified(path, hunks, base)) return 'minified'
    if (isTestPath(path) || isConfiguredTest(path)) return 'test'
    if (languageOf(path) !== null) return 'source'
    if (isDocsPath(path)) return 'docs'
    if (isConfigPath(path)) return 'config'
    return isDataPath(path) ? 'data' : 'source'
  }
}

function pathRoleOf(path: string): UnwrittenRole | null {
  if (isVendoredPath(path)) return 'vendored'
  if (isLockPath(path)) return 'lock'
  if (isGeneratedPath(path)) return 'generated'
  return isMinifiedPath(path) ? 'minified' : null
}

/** Whether what is added, of a new file all of it, is what its path claims. No content shows that a file is from elsewhere. */
function agrees(claimed: UnwrittenRole, path: string, hunks: readonly Hunk[]): boolean {
  if (claimed === 'vendored') return false
  const lines = hunks.flatMap((hunk) => hunk.lines.filter(({ kind }) => kind === 'added'))
  const text = lines.map((line) => line.text).join('\n')
  if (claimed === 'lock') return readsAsLock(path, text)
  if (claimed === 'generated') return saysGenerated(text) || isToolState(path, text)
  return text.length / lines.length > minifiedAverage
}

/** A source map, or what TypeScript keeps of a build. */
function isToolState(path: string, text: string): boolean {
  if (path.endsWith('.map')) return /^\{"version": ?3,/.test(text)
  return path.endsWith('.tsbuildinfo') && /^\{\s*"(?:program|fileNames|fileInfos|root|version)":/.test(text)
}

/** Files read at a time, to limit memory. */
const filesAtOnce = 50

/** The traits of the changed files at the base, without new files and copies: a new file inherits nothing. */
export async function readBaseTraits(
  files: readonly RawFileDiff[],
  base: RepoSnapshot,
): Promise<Map<RawFileDiff, BaseTraits>> {
  const known = files.filter((file) => file.oldBlob !== null && file.status !== 'C' && isFile(file.oldMode))
  const traits = new Map<RawFileDiff, BaseTraits>()
  for (const file of known) {
    const pathRole = pathRoleOf(pathOn('old', file))
    if (pathRole !== null) traits.set(file, { generated: false, minified: false, firstLine: '', pathRole })
  }
  const wanted = known.filter((file) => !traits.has(file))
  for (let at = 0; at < wanted.length; at += filesAtOnce) {
    const some = wanted.slice(at, at + filesAtOnce)
    const texts = await base.readMany(some.map((file) => pathOn('old', file)))
    for (const file of some) {
      const text = texts.get(pathOn('old', file))?.text
      if (text !== undefined) traits.set(file, traitsOf(text))
    }
  }
  return traits
}

const longestFirstLine = 200

export function traitsOf(text: string): BaseTraits {
  return {
    pathRole: null,
    generated: saysGenerated(text),
    minified: isDense(text.length, text.split('\n').length),
    firstLine: text.slice(0, longestFirstLine).split('\n', 1)[0] ?? '',
  }
}

/** Without its mark, a file is written by hand from now on. */
function losesMark(hunks: readonly Hunk[]): boolean {
  const marks = (kind: 'added' | 'removed') =>
    hunks.some((hunk) => hunk.lines.some((line) => line.kind === kind && saysGenerated(line.text)))
  return marks('removed') && !marks('added')
}

/**
 * Scripts and style sheets whose changed lines are far longer than anyone writes. Adding a long line to a file written by
 * hand does not make it minified.
 */
function looksMinified(path: string, hunks: readonly Hunk[], base: BaseTraits | null): boolean {
  if (!/\.(?:[cm]?js|css)$/i.test(path) || base?.minified === false) return false
  const changed = hunks.flatMap((hunk) => hunk.lines.filter((line) => line.kind !== 'context'))
  return isDense(
    changed.reduce((sum, line) => sum + line.text.length, 0),
    changed.length,
  )
}

function isDense(length: number, lines: number): boolean {
  return length > minifiedLength && length / lines > minifiedAverage
}

function isFile(mode: string | null): boolean {
  return mode?.startsWith('100') ?? false
}

function readsAsLock(path: string, text: string): boolean {
  return formats.some(({ names, reads }) => names.test(fileNameOf(path)) && reads(text))
}

type LockFormat = { names: RegExp; reads: (text: string) => boolean }

const formats: readonly LockFormat[] = [
  {
    names:
      /^(?:package-lock\.json|npm-shrinkwrap\.json|bun\.lock|deno\.lock|Pipfile\.lock|composer\.lock|Package\.resolved|flake\.lock|packages\.lock\.json|MODULE\.bazel\.lock)$/,
    reads: (text) =>
      hasKey(parseJson(text), /^(?:lockfileVersion|version|_meta|content-hash|packages|nodes|pins|object)$/i),
  },
  { names: /^pnpm-lock\.yaml$/, reads: (text) => hasKey(parseYaml(text), /^lockfileVersion$/) },
  {
    names: /^yarn\.lock$/,
    reads: (text) => /^# yarn lockfile v1$/m.test(text) || hasKey(parseYaml(text), /^__metadata$/),
  },
  {
    names: /^(?:Podfile|pubspec|pixi)\.lock$/,
    reads: (text) => hasKey(parseYaml(text), /^(?:PODS|packages|version)$/),
  },
  {
    names: /^(?:Cargo|poetry|uv|pdm)\.lock$/,
    reads: (text) => /^\[\[package\]\]$/m.test(text) && everyLine(text, tomlLine),
  },
  {
    names: /^go(?:\.work)?\.sum$/,
    reads: (text) => everyLine(text, /^\S{1,300} v\S{1,200} h1:[A-Za-z0-9+/]{43}=$/),
  },
  {
    names: /^Gemfile\.lock$/,
    reads: (text) =>
      /^(?:GEM|PATH|GIT)$/m.test(text) && everyLine(text, /^(?:[A-Z ]{2,40}|[ ]{2,8}[^ ].{0,300})$/),
  },
  {
    names: /^mix\.lock$/,
    reads: (text) => everyLine(text, /^(?:%\{|\}| {2}"[\w-]{1,100}": \{:(?:hex|git), .{0,4000}\},?)$/),
  },
  {
    names: /^gradle\.lockfile$/,
    reads: (text) => everyLine(text, /^(?:#.{0,200}|[\w.:-]{1,300}=[\w.,-]{0,4000})$/),
  },
]

const tomlLine =
  /^(?:#.{0,400}|\[{1,2}[\w."-]{1,200}\]{1,2}|[\w."-]{1,200} = .{0,4000}|[ \t]{1,8}.{0,4000}|[\]}],?)$/

function everyLine(text: string, form: RegExp): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return lines.length > 0 && lines.every((line) => form.test(line))
}

function hasKey(value: unknown, name: RegExp): boolean {
  return value !== null && typeof value === 'object' && Object.keys(value).some((key) => name.test(key))
}

function parseJson(text: string): unknown {
  try {
    // bun.lock allows commas at the end.
    return JSON.parse(text.replace(/,(?=\s{0,100}[\]}])/g, ''))
  } catch {
    return null
  }
}

function parseYaml(text: string): unknown {
  const [document] = parseAllDocuments(text)
  return document === undefined || !('errors' in document) || document.errors.length > 0
    ? null
    : document.toJS()
}

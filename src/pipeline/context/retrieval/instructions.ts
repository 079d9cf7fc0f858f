/**
 * The instructions retrieval: files that tell reviewers and agents what to do, read from the base commit and only for
 * the paths they govern. They are data: nothing in them is run, fetched or imported.
 */
import { folderWithSlash } from '../../../base/file-paths.ts'
import { matchGlobs } from '../../../base/globs.ts'
import type { Instruction } from '../../../domain/review-context.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'

const longestText = 4_000
const longestTogether = 8_000
const mostFiles = 40

/** What a file of this kind governs, by its path and text. */
type Kind = { path: RegExp; governs: (path: string, text: string) => Governing }
type Governing = { scope: string; covers: (path: string) => boolean }

const kinds: readonly Kind[] = [
  { path: /(?:^|\/)\.sightline\/instructions\.md$/, governs: (path) => folder(path, '.sightline/') },
  {
    path: /(?:^|\/)\.sightline\/instructions\/[^/]+\.md$/,
    governs: (path, text) => matched(text, 'paths', folder(path, '.sightline/instructions/')),
  },
  { path: /(?:^|\/)(?:\.cursor\/)?BUGBOT\.md$/, governs: (path) => folder(path, '.cursor/') },
  { path: /(?:^|\/)(?:AGENTS|CLAUDE|REVIEW)\.md$/, governs: (path) => folder(path, '') },
  { path: /^\.cursorrules$/, governs: () => everything },
  {
    path: /(?:^|\/)\.cursor\/rules\/[^/]+\.mdc$/,
    governs: (path, text) => matched(text, 'globs', folder(path, '.cursor/rules/')),
  },
  { path: /^\.github\/copilot-instructions\.md$/, governs: () => everything },
  {
    path: /^\.github\/instructions\/.+\.instructions\.md$/,
    governs: (_, text) => matched(text, 'applyTo', nothing),
  },
]

const everything: Governing = { scope: 'everything', covers: () => true }
const nothing: Governing = { scope: 'nothing', covers: () => false }

/** The nearest to the changed files first: what governs less counts more. Those that govern no changed path are left out. */
export async function retrieveInstructions(
  base: RepoSnapshot,
  changedPaths: readonly string[],
): Promise<{ instructions: Instruction[]; cuts: string[] }> {
  const paths = (await base.list())
    .filter(({ path, mode }) => mode.startsWith('100') && kinds.some((kind) => kind.path.test(path)))
    .map(({ path }) => path)
  const texts = await base.readMany(paths)
  const found: Instruction[] = []
  for (const path of paths) {
    const text = texts.get(path)?.text
    const kind = kinds.find((one) => one.path.test(path))
    if (text === undefined || !kind || text.trim() === '') continue
    const { scope, covers } = kind.governs(path, text)
    const governs = changedPaths.filter(covers).sort()
    const { kept, left } = applicableParts(text)
    if (governs.length > 0 && kept !== '')
      found.push({ path, scope, governs, text: kept.slice(0, longestText), cut: cutOf(kept, left) })
  }
  found.sort((a, b) => depth(b) - depth(a) || (a.path < b.path ? -1 : 1))
  return keepWithin(found)
}

function keepWithin(found: readonly Instruction[]): { instructions: Instruction[]; cuts: string[] } {
  const instructions: Instruction[] = []
  let room = longestTogether
  for (const one of found.slice(0, mostFiles)) {
    if (one.text.length > room) continue
    room -= one.text.length
    instructions.push(one)
  }
  const left = found.filter((one) => !instructions.includes(one))
  const cuts =
    left.length > 0
      ? [`instructions left out for their length: ${left.map(({ path }) => path).join(', ')}`]
      : []
  return { instructions, cuts }
}

/** Inside the folder that holds the file, or holds the folder `inside` that the file lies in. */
function folder(path: string, inside: string): Governing {
  const parent = folderWithSlash(path)
  const root = inside !== '' && parent.endsWith(inside) ? parent.slice(0, -inside.length) : parent
  return root === '' ? everything : { scope: `files in ${root}`, covers: (one) => one.startsWith(root) }
}

/** Globs in the front matter, as `globs: a, b` or as a list; without any, what `otherwise` says. */
function matched(text: string, key: string, otherwise: Governing): Governing {
  const front = /^---\r?\n([\s\S]{0,4000}?)\r?\n---/.exec(text)?.[1] ?? ''
  if (/^alwaysApply:\s*true\s*$/m.test(front)) return everything
  const lines = front.split(/\r?\n/)
  const at = lines.findIndex((line) => line.startsWith(`${key}:`))
  if (at < 0) return otherwise
  const inline = (lines[at] ?? '').slice(key.length + 1)
  const listed: string[] = []
  for (const line of lines.slice(at + 1)) {
    const item = /^\s*-\s+(\S.*)/s.exec(line)
    if (!item) break
    listed.push(item[1] ?? '')
  }
  const globs = [...splitList(inline), ...listed]
    .map((glob) => glob.trim().replace(/^['"]|['"]$/g, ''))
    .filter((glob) => glob !== '')
  if (globs.length === 0) return otherwise
  return { scope: `files like ${globs.join(', ')}`, covers: matchGlobs(globs) }
}

/** Commas inside braces belong to the glob. */
function splitList(text: string): string[] {
  const parts: string[] = ['']
  let braces = 0
  for (const character of text.replace(/^\s*\[(.*)\]\s*$/, '$1')) {
    if (character === '{') braces++
    if (character === '}') braces--
    if (character === ',' && braces === 0) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts
}

function depth({ path }: Instruction): number {
  return path.replace(/\.(?:cursor|github|sightline)\/.*$/s, '').split('/').length
}

/** Headings of parts that say how to work on the repository, not what its code must be like. */
const aboutWork =
  /\b(?:set-?ups?|install(?:ing|ation)?|getting started|quick ?start|prerequisites?|commands?|running|build(?:ing)?|deploy(?:ing|ment)?|releas(?:e|es|ing)|publish(?:ing)?|commits?|committing|push(?:ing)?|pull requests?|prs?|branch(?:es|ing)?|git|changelogs?|tech stack|structure|layout|overview|directory|directories|resources|links|licen[cs]e|troubleshooting|table of contents)\b/i

/** Without the parts, from one heading to the next of its level, that no line of code can break. */
function applicableParts(text: string): { kept: string; left: string[] } {
  const kept: string[] = []
  const left: string[] = []
  let leftLevel = Number.POSITIVE_INFINITY
  let isFenced = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isFenced = !isFenced
    const heading = isFenced ? null : /^(#{1,6}) +(\S.*)$/s.exec(line)
    const level = heading?.[1]?.length ?? Number.POSITIVE_INFINITY
    if (heading && level <= leftLevel) {
      // The title of a file holds all of its parts.
      const isLeft = level > 1 && aboutWork.test(heading[2] ?? '')
      leftLevel = isLeft ? level : Number.POSITIVE_INFINITY
      if (isLeft) left.push((heading[2] ?? '').trim())
    }
    if (leftLevel === Number.POSITIVE_INFINITY) kept.push(line)
  }
  return { kept: kept.join('\n').trim(), left }
}

function cutOf(text: string, left: readonly string[]): string | null {
  const words = [
    ...(left.length > 0 ? [`parts about working on the repository: ${left.slice(0, 20).join(', ')}`] : []),
    ...(text.length > longestText ? [`${text.length} characters, of which ${longestText} are kept`] : []),
  ]
  return words.length > 0 ? words.join('; ') : null
}

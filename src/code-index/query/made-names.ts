/**
 * Names that are made of parts where they are used or defined, so that no text there has them as a word: by a macro
 * (`uv_##name##_init`, `[<get_ $name>]`), or in a string (`'on' + event`, `"visit_#{kind}"`, `cmd_$1`).
 */

import { isDocsPath } from '../../base/file-paths.ts'
import { remembered } from '../../base/remembered.ts'
import { isScript, languageOf } from '../language-of.ts'
import type { World } from '../resolve/contract.ts'
import type { CodeTree, UnresolvedUse } from './contract.ts'

/** Files that mention a part are read up to so many: those nearest to the one that is asked about. */
const mostFiles = 100

/** Which files mention words, and their texts. */
export type NameSource = Pick<CodeTree, 'mentions'> & { world: Pick<World, 'texts'> }

/**
 * Where a name may be put together in code of these languages; null when no part of it is seen to be. `near`: a path, near
 * which the files are read that mention common parts.
 */
export async function makingOf(
  tree: NameSource,
  name: string,
  languages: readonly string[],
  near: string,
): Promise<UnresolvedUse | null> {
  const kinds = new Set(languages.flatMap((language) => kindOf(language) ?? []))
  if (kinds.size === 0) return null
  const flag = await flagOf(tree, name, near)
  if (flag) return flag
  const parts = partsOf(name)
  const partsIn = new Map<string, string[]>()
  for (const [part, paths] of await tree.mentions([...parts.keys()]))
    for (const path of paths) {
      if (!kinds.has(kindOf(languageOf(path)) ?? '')) continue
      remembered(partsIn, path, (): string[] => []).push(part)
    }
  for (const [path, text] of await tree.world.texts(nearest([...partsIn.keys()], near))) {
    const maker = makers[kindOf(languageOf(path)) ?? '']
    if (!maker?.hint.test(text)) continue
    for (const part of partsIn.get(path) ?? []) {
      const found = firstLine(path, text, part, maker[parts.get(part) ?? 'front'](part))
      if (found) return { ...found, why: `\`${name}\` may be made of parts there` }
    }
  }
  return null
}

/** Where the text first holds the word in this form. */
export function firstLine(
  path: string,
  text: string,
  word: string,
  form: RegExp,
): Omit<UnresolvedUse, 'why'> | null {
  const at = text.includes(word) ? text.search(form) : -1
  if (at < 0) return null
  const before = text.slice(0, at).split('\n')
  const quoted = text.slice(at - (before.at(-1)?.length ?? 0)).split('\n', 1)[0] ?? ''
  return { path, line: before.length, role: 'read', text: quoted.trim().slice(0, 200) }
}

/** `maxCount` as `max-count`: an option of a command, a key of a configuration, an element or attribute of markup. */
async function flagOf(tree: NameSource, name: string, near: string): Promise<UnresolvedUse | null> {
  const words = name.match(/[A-Z]?[a-z\d]+|[A-Z\d]+(?![a-z])/g)?.map((word) => word.toLowerCase()) ?? []
  const [first, second] = words
  if (first === undefined || second === undefined || words.join('').length < name.replaceAll('_', '').length)
    return null
  const mentioned = await tree.mentions([first, second])
  const both = new Set(mentioned.get(second))
  const paths = (mentioned.get(first) ?? []).filter((path) => both.has(path) && !isDocsPath(path))
  const flag = words.join('-')
  const isWhole = new RegExp(`(?<![\\w])${flag}(?![\\w])`)
  for (const [path, text] of await tree.world.texts(nearest(paths, near))) {
    const found = firstLine(path, text, flag, isWhole)
    if (found) return { ...found, why: `\`${flag}\` may name it` }
  }
  return null
}

type Maker = {
  /** What a text has that makes names at all. */
  hint: RegExp
  front(part: string): RegExp
  back(part: string): RegExp
}

const quote = '["\'`]'
/** What is filled in, behind what begins it: `${x}`, `#{x}`, `{x}`, `%s`, `$x`. */
const hole = '(?:[$#]?\\{[^{}"\'`\\n]{0,80}\\}|%[sd@]|\\$\\w{1,60})'

/** The whole string is a name with one gap: prose, paths and queries have more in them. */
const inStrings: Maker = {
  hint: /["'`]/,
  front: (part) =>
    new RegExp(
      `${quote}${part}(?:${quote}\\s{0,8}(?:\\+|\\.(?![.\\w]\\w*\\()|<<|%\\s|~)|${hole}\\w{0,60}(?:${quote}|[$#{%]))`,
    ),
  back: (part) =>
    new RegExp(
      `(?:(?:\\+|\\.|~)\\s{0,8}${quote}|${quote}\\w{0,60}${hole}|${hole}\\w{0,60}${hole})${part}${quote}`,
    ),
}

const makers: Readonly<Record<string, Maker>> = {
  strings: inStrings,
  c: {
    hint: /##/,
    front: (part) => new RegExp(`(?:^|[^\\w$])${part}\\s{0,8}##`),
    back: (part) => new RegExp(`##\\s{0,8}${part}(?![\\w$])`),
  },
  rust: {
    hint: /\[<|\bconcat_idents!/,
    front: (part) => new RegExp(`(?:\\[<\\s{0,8}|concat_idents!\\(\\s{0,8})${part}[\\s,]`),
    back: (part) => new RegExp(`\\[<[^>\\n]{0,100}[\\s}]${part}\\s{0,8}>\\]`),
  },
  shell: {
    hint: /\$/,
    front: (part) => new RegExp(`(?<![\\w$/.-])${part}\\$[\\w{(@*]`),
    back: (part) => new RegExp(`(?:\\$\\w{1,60}"|\\})${part}(?![\\w$/.-])`),
  },
}

/** Which of the makers can make a name of the language; undefined for one that looks nothing up by a string. */
function kindOf(language: string | null): string | undefined {
  if (language === null) return undefined
  if (/^(?:c|cpp)$/.test(language)) return 'c'
  if (language === 'bash') return 'shell'
  if (language === 'rust') return 'rust'
  return isScript(language) || /^(?:python|ruby|php|java|kotlin|scala|csharp|go)$/.test(language)
    ? 'strings'
    : undefined
}

/** So many of them, those in the nearest folders. */
export function nearest(paths: readonly string[], near: string, most = mostFiles): readonly string[] {
  if (paths.length <= most) return paths
  const folders = near.split('/')
  const shared = (path: string) => {
    const parts = path.split('/')
    const at = parts.findIndex((part, index) => part !== folders[index])
    return at < 0 ? parts.length : at
  }
  return [...paths].sort((a, b) => shared(b) - shared(a)).slice(0, most)
}

/**
 * `uv__udp_send` → `uv__`, `uv__udp_` at its front and `_udp_send`, `_send` at its back; `onKeyDown` → `on`, `onKey`, and
 * `KeyDown`, `Down`.
 */
function partsOf(name: string): Map<string, 'front' | 'back'> {
  const parts = new Map<string, 'front' | 'back'>()
  if (!/^\w{3,100}$/.test(name)) return parts
  for (const { index, 0: gap } of name.matchAll(/_+|(?<=[a-z\d])(?=[A-Z])/g)) {
    const end = index + gap.length
    for (const front of [name.slice(0, index), name.slice(0, end)])
      if (front.length >= shortestPart) parts.set(front, 'front')
    for (const back of [name.slice(index), name.slice(end)])
      if (back.length >= shortestPart) parts.set(back, 'back')
  }
  return parts
}

const shortestPart = 2

/** The files of a change as lines, and edits of lines that keep track of where the fault then is. */
import { isCommentLine } from '../../src/index.ts'
import type { LineRange } from '../cases/eval-case.ts'
import type { Ground, Language, Mutation } from './contract.ts'

export type Source = {
  path: string
  language: Language
  isTest: boolean
  lines: readonly string[]
  /** Whether the line (0-based) is new with this change. */
  isNew(index: number): boolean
}

const languages: Readonly<Record<string, Language>> = {
  ts: 'typescript',
  py: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
}

/** Code that the change wrote, without tests; a Rust file up to where its tests begin. */
export function changedSources(ground: Ground): Source[] {
  return allSources(ground).filter(({ path, isTest }) => ground.touched.includes(path) && !isTest)
}

/** All code after the change. */
export function allSources({ before, after }: Ground): Source[] {
  return [...after].flatMap(([path, text]) => {
    const language = languages[path.split('.').at(-1) ?? '']
    if (!language) return []
    const known = new Set((before.get(path) ?? '').split('\n'))
    const lines = text.split('\n')
    const testsFrom = language === 'rust' ? lines.indexOf('#[cfg(test)]') : -1
    const isNew = (index: number) =>
      !known.has(lines[index] ?? '') &&
      (testsFrom < 0 || index < testsFrom) &&
      (lines[index] ?? '').trim() !== ''
    return [{ path, language, isTest: /(^|\/)tests?\/|_test\.go$/.test(path), lines, isNew }]
  })
}

/** Replaces one line; the fault is on it. */
export function replaceLine(source: Source, index: number, now: string, description: string): Mutation {
  return editLines(source, index, 1, [now], description)
}

/** Removes lines; the fault is on the line that now stands in their place, and on the removed ones if they were there before. */
export function removeLines(
  ground: Ground,
  source: Source,
  index: number,
  count: number,
  description: string,
): Mutation {
  const mutation = editLines(source, index, count, [], description)
  const gone = oldPlace(ground, source, index, count)
  return { ...mutation, also: gone ? [gone] : [] }
}

/** Puts `now` in the place of `count` lines from `index` (0-based) on. */
export function editLines(
  { path, lines }: Source,
  index: number,
  count: number,
  now: readonly string[],
  description: string,
): Mutation {
  const text = [...lines.slice(0, index), ...now, ...lines.slice(index + count)].join('\n')
  const last = Math.max(1, text.split('\n').length - 1)
  const start = Math.min(index + 1, last)
  const end = Math.min(Math.max(start, index + now.length), last)
  return {
    files: new Map([[path, text]]),
    place: { file: path, start, end, side: 'right' },
    also: [],
    description,
  }
}

/** Where the lines stood before the change; null when they are new with it. */
export function oldPlace(
  { before }: Ground,
  { path, lines }: Source,
  index: number,
  count: number,
): LineRange | null {
  const old = before.get(path)?.split('\n') ?? []
  const wanted = lines.slice(index, index + count)
  const at = old.findIndex((_, from) => wanted.every((line, step) => old[from + step] === line))
  return at < 0 || wanted.length === 0 ? null : { file: path, start: at + 1, end: at + count, side: 'left' }
}

/** Mutations at every new line of changed code for which `change` has another text. */
export function atNewLines(
  ground: Ground,
  change: (line: string, source: Source, index: number) => string | null,
  describe: (line: string) => string,
): Mutation[] {
  return changedSources(ground).flatMap((source) =>
    source.lines.flatMap((line, index) => {
      if (!source.isNew(index) || isCommentLine(line)) return []
      const now = change(line, source, index)
      return now === null || now === line ? [] : [replaceLine(source, index, now, describe(line.trim()))]
    }),
  )
}

/** Rewrites of a whole tree that change nothing of what the code means, so that no finding of code may come or go. */
import { parse } from 'node:path'
import type { Random } from '../random.ts'
import type { Texts } from './change.ts'

export type Rewrite = {
  name: string
  /** The same for both sides of a change; null where it does not apply. */
  apply(sides: { base: Texts; head: Texts }, random: Random): { base: Texts; head: Texts } | null
}

const isCode = (path: string): boolean => /\.(?:ts|tsx|js|py|go|rs|java|kt|rb|php|cs|c|cpp)$/.test(path)
const hashComments: ReadonlySet<string> = new Set(['.py', '.rb'])

function eachCode(texts: Texts, change: (text: string, path: string) => string): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [path, isCode(path) ? change(text, path) : text]),
  )
}

function both(
  sides: { base: Texts; head: Texts },
  change: (text: string, path: string) => string,
): { base: Texts; head: Texts } {
  return { base: eachCode(sides.base, change), head: eachCode(sides.head, change) }
}

export const rewrites: readonly Rewrite[] = [
  {
    name: 'a file that nothing uses is added',
    apply: ({ base, head }, random) => {
      const extra = {
        [`unrelated/notes_${random.between(1, 999)}.py`]: 'def unrelated_thing(zq):\n    return zq\n',
      }
      return { base: { ...base, ...extra }, head: { ...head, ...extra } }
    },
  },
  {
    name: 'a comment is put before every file',
    apply: (sides) =>
      both(sides, (text, path) => {
        const mark = hashComments.has(parse(path).ext) ? '#' : '//'
        // Some first lines must stay first.
        return /^(?:#!|<\?php|#.*coding)/.test(text) ? text : `${mark} An ordinary remark.\n${text}`
      }),
  },
  { name: 'lines end with CRLF', apply: (sides) => both(sides, (text) => text.replaceAll('\n', '\r\n')) },
  {
    name: 'an empty line follows each line that ends a block at the margin',
    apply: (sides) => both(sides, (text) => text.replace(/^(\}|end)\n(?=\S)/gm, '$1\n\n')),
  },
  {
    name: 'spaces at the ends of lines',
    apply: (sides) =>
      both(sides, (text) => (text.includes('`') ? text : text.replace(/([;{}),])\n/g, '$1  \n'))),
  },
  {
    name: 'files lie in a folder further down',
    apply: ({ base, head }) => {
      const isRooted = (texts: Texts) =>
        Object.keys(texts).some((path) => /(?:go\.mod|Cargo\.toml|package\.json|tsconfig\.json)$/.test(path))
      if (isRooted(base)) return null
      const moved = (texts: Texts): Texts =>
        Object.fromEntries(Object.entries(texts).map(([path, text]) => [`inner/${path}`, text]))
      return { base: moved(base), head: moved(head) }
    },
  },
]

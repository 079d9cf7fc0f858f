/** Rewrites of a whole tree that change nothing of what the code means, so that no finding of code may come or go. */
import { parse } from 'node:path'
import type { Random } from '../random.ts'
import type { Texts } from './change.ts'
import type { Case, Sides } from './metamorphic-cases.ts'
import { structural } from './rewrites-of-structure.ts'

export type Rewritten = Sides & {
  /** Turns names of a finding back into those from before; the identity where none were changed. */
  restore?: (words: string) => string
}

export type Rewrite = {
  name: string
  /** The same for both sides of a change; null where it does not apply. */
  apply(one: Case, random: Random): Rewritten | null
}

const isCode = (path: string): boolean =>
  /\.(?:ts|tsx|js|py|go|rs|java|kt|rb|php|cs|c|cpp|scala|swift|sh)$/.test(path)
const hashComments: ReadonlySet<string> = new Set(['.py', '.rb', '.sh'])
const commentIn = (path: string): string =>
  hashComments.has(parse(path).ext) ? '# An ordinary remark.' : '// An ordinary remark.'

function eachCode(texts: Texts, change: (text: string, path: string) => string): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [path, isCode(path) ? change(text, path) : text]),
  )
}

function both(sides: Sides, change: (text: string, path: string) => string): Sides {
  return { base: eachCode(sides.base, change), head: eachCode(sides.head, change) }
}

/** Its lines may be the text of a string. */
const hasLongStrings = (text: string): boolean => /`|"""|<<[-~]?\w/.test(text)

export const rewrites: readonly Rewrite[] = [
  {
    name: 'a file that nothing uses is added',
    apply: ({ base, head }, random) => {
      const number = random.between(1, 999)
      const extra = random.pick([
        { [`unrelated/notes_${number}.py`]: 'def unrelated_thing(zq):\n    return zq\n' },
        { [`unrelated/notes-${number}.js`]: 'export function unrelatedThing(zq) {\n  return zq\n}\n' },
        { [`unrelated/notes_${number}.rb`]: 'def unrelated_thing(zq)\n  zq\nend\n' },
        { [`unrelated/Notes${number}.cs`]: 'class UnrelatedThing { int Zq() { return 1; } }\n' },
      ])
      return { base: { ...base, ...extra }, head: { ...head, ...extra } }
    },
  },
  {
    name: 'a comment is put before every file',
    apply: (sides) =>
      both(sides, (text, path) =>
        // Some first lines must stay first.
        /^(?:#!|<\?php|#.*coding)/.test(text) ? text : `${commentIn(path)}\n${text}`,
      ),
  },
  {
    name: 'a comment follows each line that opens a block',
    apply: (sides) =>
      both(sides, (text, path) => {
        if (hasLongStrings(text)) return text
        const opens = path.endsWith('.py')
          ? /^([ \t]*)((?:async )?def [^\n]*:)\n/gm
          : /^([ \t]*)([^\n]*\{)\n/gm
        return text.replace(
          opens,
          (_, indent: string, line: string) => `${indent}${line}\n${indent}    ${commentIn(path)}\n`,
        )
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
    name: 'every indentation is twice as deep',
    apply: (sides) =>
      both(sides, (text) =>
        hasLongStrings(text) ? text : text.replace(/^[ \t]+/gm, (indent) => indent + indent),
      ),
  },
  {
    name: 'files lie in a folder further down',
    apply: ({ base, head }) => {
      const isRooted = (texts: Texts) =>
        Object.keys(texts).some((path) => /(?:go\.mod|Cargo\.toml|package\.json|tsconfig\.json)$/.test(path))
      if (isRooted(base)) return null
      const moved = (texts: Texts): Texts =>
        Object.fromEntries(Object.entries(texts).map(([path, text]) => [`inner/${path}`, text]))
      return { base: moved(base), head: moved(head), restore: (words) => words.replaceAll('inner/', '') }
    },
  },
  ...structural,
]

/** Rewrites of what a file is made of: its locals, the order of its functions, what is around them, and where they are. */
import type { Random } from '../random.ts'
import type { Texts } from './change.ts'
import type { Sides } from './metamorphic-cases.ts'
import type { Rewrite, Rewritten } from './rewrites.ts'

/** How a line declares a local, by ending; the name is the group. Indented, so that it is inside of something. */
const declarations: Readonly<Record<string, RegExp>> = {
  ts: /^[ \t]+(?:const|let) (\w+)(?:: [^=\n]+)? = /gm,
  js: /^[ \t]+(?:const|let) (\w+) = /gm,
  py: /^[ \t]{4,}(\w+) = /gm,
  go: /^\t+(\w+) := /gm,
  rs: /^ {4,}let (?:mut )?(\w+)(?:: [^=\n]+)? = /gm,
  java: /^ {4,}(?:final )?(?:int|long|String|var|boolean|double|[A-Z]\w*(?:<[^>\n]*>)?) (\w+) = /gm,
}

const renameLocal: Rewrite = {
  name: 'a local gets another name',
  apply: ({ base, head, language }, random) => {
    const pattern = declarations[language]
    if (!pattern) return null
    const path = random.pick(Object.keys(head))
    const [before, after] = [base[path], head[path]]
    if (!path.endsWith(`.${language}`) || after === undefined) return null
    const names = [...after.matchAll(pattern)].map(([, name = '']) => name)
    const local = names.length === 0 ? '' : random.pick(names)
    const texts = [before, after].flatMap((text) => text ?? [])
    if (!texts.every((text) => isPlainLocal(text, local, pattern))) return null
    const fresh = `${local}_other`
    const renamed = (text: string) => text.replace(new RegExp(`(?<![\\w$.])${local}(?![\\w$])`, 'g'), fresh)
    return {
      base: before === undefined ? base : { ...base, [path]: renamed(before) },
      head: { ...head, [path]: renamed(after) },
      restore: (words) => words.replaceAll(fresh, local),
    }
  },
}

/** Nowhere in the file a function, a member, a key, a shorthand, a parameter, an import or a word of a text. */
function isPlainLocal(text: string, name: string, pattern: RegExp): boolean {
  if (name.length < 3) return false
  const word = `(?<![\\w$])${name}(?![\\w$])`
  const declared = [...text.matchAll(pattern)].filter(([, one]) => one === name).length
  if (declared === 0) return !new RegExp(word).test(text)
  const used = new RegExp(
    `[.]\\s*${word}|${word}\\s*\\(|[{,(|]\\s*${word}\\s*[,})|:=]|[{,]\\s*${word}\\s*[,}]|${word}\\s*:(?!:)|(?:import|def|func|fn|function|class|global|nonlocal)[^\\n]*${word}|["'\`][^"'\`\\n]*${word}[^"'\`\\n]*["'\`]|(?:\\/\\/|#|\\*)[^\\n]*${word}|^[^ \\t\\n][^\\n]*${word}`,
    'm',
  )
  // A use as the only argument of a call is no shorthand.
  return !used.test(text.replace(new RegExp(`\\(${word}\\)`, 'g'), '( )'))
}

/** How a function begins at the margin, by ending; the name is the group. */
const functions: Readonly<Record<string, RegExp>> = {
  ts: /^(?:export )?(?:async )?function (\w+)/,
  js: /^(?:export )?(?:async )?function (\w+)/,
  py: /^(?:async )?def (\w+)/,
  go: /^func (?:\([^)]*\) )?(\w+)/,
  rs: /^(?:pub )?(?:async )?fn (\w+)/,
  php: /^function (\w+)/,
  rb: /^def (\w+)/,
  kt: /^fun (\w+)/,
  swift: /^func (\w+)/,
  c: /^int (\w+)\(/,
  cpp: /^int (\w+)\(/,
  sh: /^(\w+)\(\) \{/,
}

type Piece = { name: string; from: number; to: number }

/** Functions at the margin with the comments before them, as ranges of lines. */
function piecesOf(lines: readonly string[], ending: string): Piece[] {
  const pattern = functions[ending]
  if (!pattern) return []
  return lines.flatMap((line, at) => {
    const name = pattern.exec(line)?.[1]
    if (name === undefined) return []
    let from = at
    while (/^(?:\/\/|\/\*|\s\*|#\[?|@|\*\/)/.test(lines[from - 1] ?? '')) from--
    let to = at + 1
    const isClosed = ending !== 'py' && !/\}\s*$/.test(line)
    while (
      to < lines.length &&
      (isClosed
        ? !/^(?:\}|end\b)/.test(lines[to - 1] ?? '') || to === at + 1
        : /^[ \t]/.test(lines[to] ?? '') || (lines[to] === '' && /^[ \t]/.test(lines[to + 1] ?? '')))
    )
      to++
    return [{ name, from, to }]
  })
}

/** Takes a function out of a text: what is left, and what was taken. */
function takeOut(text: string, ending: string, name: string): { rest: string; taken: string } | null {
  const lines = text.split('\n')
  const [piece, ...others] = piecesOf(lines, ending).filter((one) => one.name === name)
  if (!piece || others.length > 0) return null
  const rest = [...lines.slice(0, piece.from), ...lines.slice(piece.to)].join('\n')
  return { rest, taken: `${lines.slice(piece.from, piece.to).join('\n')}\n` }
}

/** One function of a file, taken out on every side that has it; `put` says what becomes of both parts. */
function withFunction(
  { base, head }: Sides,
  language: string,
  random: Random,
  put: (path: string, name: string, parts: { rest: string; taken: string }) => Texts | null,
): Rewritten | null {
  const path = random.pick(Object.keys(head))
  if (!path.endsWith(`.${language}`)) return null
  const pieces = piecesOf((head[path] ?? '').split('\n'), language)
  if (pieces.length < 2) return null
  const { name } = random.pick(pieces)
  const changed = (texts: Texts): Texts | null => {
    const text = texts[path]
    if (text === undefined) return texts
    // Where one side alone has it, another change would come out.
    const parts = takeOut(text, language, name)
    const made = parts && put(path, name, parts)
    return made ? { ...texts, ...made } : null
  }
  const [before, after] = [changed(base), changed(head)]
  if (!before || !after) return null
  const others = Object.keys(after).filter((other) => !(other in head))
  return {
    base: before,
    head: after,
    restore: (words) => others.reduce((said, other) => said.replaceAll(other, path), words),
  }
}

const moveFunction: Rewrite = {
  name: 'a function is moved to the end of its file',
  apply: (one, random) => {
    // Where code runs at the margin, or an end is around, the end of a file is another place.
    const moved = withFunction(one, one.language, random, (path, _, { rest, taken }) =>
      /^@|^if __name__/m.test(rest) ? null : { [path]: `${rest.trimEnd()}\n\n${taken.trim()}\n` },
    )
    return moved
  },
}

const splitFile: Rewrite = {
  name: 'a file of a package is split in two',
  apply: (one, random) => {
    if (one.language === 'go' || one.language === 'kt')
      return withFunction(one, one.language, random, (path, name, { rest, taken }) => {
        if (path.endsWith('_test.go')) return null
        const header = /^package \w+/m.exec(rest)?.[0]
        const packages = [...rest.matchAll(/^\s*(?:import )?(?:\w+ )?"(?:[^"\n]*\/)?(\w+)"$/gm)].map(
          ([, word]) => word,
        )
        if (!header || packages.some((word) => taken.includes(`${word}.`))) return null
        const other = path.replace(/(\.\w+)$/, `_${name.toLowerCase()}$1`)
        return { [path]: rest, [other]: `${header}\n\n${taken}` }
      })
    return null
  },
}

const passOn: Rewrite = {
  name: 'a function is moved to a file of its own and passed on',
  apply: (one, random) => {
    const isScript = one.language === 'ts' || (one.language === 'js' && !one.name.includes('CommonJS'))
    if (!isScript) return null
    return withFunction(one, one.language, random, (path, name, { rest, taken }) => {
      const tops = [
        ...rest.matchAll(/^(?:export )?(?:async )?(?:function|const|let|class|type|interface) (\w+)/gm),
      ]
      const imported = [...rest.matchAll(/^import (?:type )?\{([^}]*)\}/gm)].flatMap(
        ([, list = '']) => list.match(/\w+/g) ?? [],
      )
      const needs = [...tops.map(([, word]) => word ?? ''), ...imported]
      // What it uses would have to be imported, and perhaps exported first.
      if (
        !taken.includes('export ') ||
        /^(?:\/\/|\/\*)/.test(rest) ||
        needs.some((word) => new RegExp(`\\b${word}\\b`).test(taken))
      )
        return null
      if (path.startsWith('test/')) return null
      const other = path.replace(/(\.\w+)$/, `-part$1`)
      const from = `'./${other.slice(other.lastIndexOf('/') + 1)}'`
      const isUsed = new RegExp(`\\b${name}\\b`).test(rest)
      const link = `${isUsed ? `import { ${name} } from ${from}\n` : ''}export { ${name} } from ${from}\n`
      return { [path]: `${link}${rest}`, [other]: taken }
    })
  },
}

const wrap: Rewrite = {
  name: 'a script is wrapped in a function that is called at once',
  apply: ({ base, head, name }) => {
    if (!name.includes('CommonJS')) return null
    const wrapped = (texts: Texts): Texts =>
      Object.fromEntries(
        Object.entries(texts).map(([path, text]) => [
          path,
          path.endsWith('.js') && !/^(?:import|export) /m.test(text) && !path.startsWith('test/')
            ? `;(function () {\n${text.trimEnd()}\n}())\n`
            : text,
        ]),
      )
    return { base: wrapped(base), head: wrapped(head) }
  },
}

export const structural: readonly Rewrite[] = [renameLocal, moveFunction, splitFile, passOn, wrap]

/** How comments of a language are written: what a line of them is, and what one says to Sightline. */

/** By what a comment begins with, as a pattern; what it ends with when it does not end with its line; and how one is written. */
const marks = {
  slashes: [String.raw`\/\/[/!]*`, '', '//'],
  star: [String.raw`\/\*[*!]*`, '*/', '/*'],
  jsx: [String.raw`\{\/\*+`, '*/}', '{/*'],
  hash: ['#+!?', '', '#'],
  dashes: ['--+', '', '--'],
  brackets: [String.raw`--\[\[`, ']]', '--[['],
  brace: [String.raw`\{-`, '-}', '{-'],
  paren: [String.raw`\(\*+`, '*)', '(*'],
  markup: ['<!--+', '-->', '<!--'],
  semicolon: [';+', '', ';'],
  percent: ['%+', '', '%'],
  quote: ["'", '', "'"],
} as const satisfies Record<string, readonly [opener: string, closer: string, written: string]>
type Mark = keyof typeof marks

const families: readonly (readonly [endings: string, marks: readonly Mark[]])[] = [
  ['ts mts cts js mjs cjs java go rs c h cc cpp cxx hh hpp hxx inl ipp tpp cs', ['slashes', 'star']],
  ['kt kts swift scala sc sbt dart groovy gradle proto sol zig scss less jsonc', ['slashes', 'star']],
  ['tsx jsx', ['slashes', 'star', 'jsx']],
  ['php phtml', ['slashes', 'hash', 'star', 'markup']],
  ['py pyi rb rake gemspec ru sh bash bats zsh yml yaml toml r jl ex exs pl pm ps1 cmake', ['hash']],
  ['tf hcl', ['hash', 'slashes', 'star']],
  ['css', ['star']],
  ['sql', ['dashes', 'star']],
  ['lua', ['brackets', 'dashes']],
  ['hs elm', ['dashes', 'brace']],
  ['ml mli', ['paren']],
  ['fs fsi fsx', ['slashes', 'paren']],
  ['html htm xml svg md', ['markup']],
  ['vue svelte', ['markup', 'slashes', 'star']],
  ['clj cljs edn el lisp scm asm', ['semicolon']],
  ['tex erl hrl', ['percent']],
  ['vb vbs bas', ['quote']],
]

export type CommentSyntax = {
  /** A line with nothing but a comment, or with a part of one. */
  isComment: (line: string) => boolean
  /** What a comment behind code or, `isAlone`, alone on its line tells Sightline to ignore. */
  readIgnore: (line: string, isAlone: boolean) => { rule: string; reason: string } | null
  /** The comment that `readIgnore` reads, to be alone on its line. */
  writeIgnore: (rule: string, reason: string) => string
}

const syntaxes: ReadonlyMap<string, CommentSyntax> = new Map(
  families.flatMap(([endings, own]) => {
    const syntax = syntaxOf(own)
    return endings.split(' ').map((ending) => [ending, syntax] as const)
  }),
)
const anySyntax = syntaxOf(Object.keys(marks) as Mark[])

/** By the ending of a path; of a file with another one, or with none, all that begins like a comment is one. */
export function commentSyntaxOf(path: string): CommentSyntax {
  const ending = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase()
  return syntaxes.get(ending ?? '') ?? anySyntax
}

function syntaxOf(own: readonly Mark[]): CommentSyntax {
  const openers = own.map((mark) => marks[mark][0]).join('|')
  const closers: string[] = own.map((mark) => marks[mark][1]).filter((closer) => closer !== '')
  const goesOn = own.includes('star') ? String.raw`|\*(?=[ \t/]|$)` : ''
  const words = String.raw`[ \t]*sightline-ignore[ \t]+([\w./-]{1,200})[ \t]*:[ \t]*(.*)$`
  const line = new RegExp(`^[ \\t]*(?:${openers}${goesOn})`)
  const alone = new RegExp(`^[ \\t]*(?:${openers}${goesOn})${words}`)
  const behind = new RegExp(`[ \\t](?:${openers})${words}`)
  return {
    isComment: (text) => line.test(text) || closers.includes(text.trim()),
    readIgnore(text, isAlone) {
      const [, rule, said] = (isAlone ? alone : behind).exec(text) ?? []
      if (rule === undefined || said === undefined) return null
      const closer = closers.find((one) => said.trimEnd().endsWith(one)) ?? ''
      const reason = said
        .trimEnd()
        .slice(0, said.trimEnd().length - closer.length)
        .trim()
      return reason === '' ? null : { rule, reason }
    },
    writeIgnore(rule, reason) {
      const [, closer, opener] = marks[own[0] ?? 'hash']
      return `${opener} sightline-ignore ${rule}: ${reason}${closer === '' ? '' : ` ${closer}`}`
    },
  }
}

/** What the changed lines of a file tell about it, one line at a time: only comments, only imports, or signs of a category. */
import type { DiffLine, FileChange, Hunk } from '../../domain/change-set.ts'
import type { Category } from '../../domain/severity.ts'

const slashes = /^\s*(?:\/\/|\/\*|\*(?!\w)|\*\/)/
const hashes = /^\s*#(?!!)/

/** Only languages in which a line that begins so is a comment in all but freak cases. */
const marks: ReadonlyMap<string, RegExp> = new Map([
  ...[
    'typescript',
    'tsx',
    'javascript',
    'go',
    'java',
    'kotlin',
    'rust',
    'csharp',
    'swift',
    'scala',
    'php',
  ].map((language) => [language, slashes] as const),
  ...['python', 'ruby', 'bash'].map((language) => [language, hashes] as const),
])

/** Comments that control a tool are more than comments. */
const steering =
  /(?:@ts-|eslint|biome|noqa|type:\s*ignore|nosec|nolint|pragma|go:|build\s|coding[:=]|@(?:method|property|mixin|template|type|typedef|phpstan|psalm)\b)/i

/** A whole import on one line; an import over several lines counts as code. */
const importLines: ReadonlyMap<string, RegExp> = new Map([
  ...['typescript', 'tsx', 'javascript'].map(
    (language) =>
      [language, /^\s*(?:import\s[^;]*\sfrom\s+['"][^'"]+['"]|import\s+['"][^'"]+['"]);?\s*$/] as const,
  ),
  ['python', /^\s*(?:import\s+[\w.]+(?:\s+as\s+\w+)?|from\s+[\w.]+\s+import\s+\w[\w,\s]*)$/],
  ...['java', 'kotlin'].map(
    (language) => [language, /^import\s+(?:static\s+)?[\w.]+(?:\.\*)?;?\s*$/] as const,
  ),
  ['rust', /^\s*use\s+[\w:{}*][\w:{}, *]*;\s*$/],
  ['csharp', /^\s*using\s+[\w.]+;\s*$/],
])

export function touchesOnlyComments({ language, hunks }: FileChange): boolean {
  const mark = marks.get(language ?? '')
  return mark !== undefined && changesOnly(hunks, ({ text }) => mark.test(text) && !steering.test(text))
}

/** Blank lines are ignored. */
export function touchesOnlyImports({ language, hunks }: FileChange): boolean {
  const whole = importLines.get(language ?? '')
  return whole !== undefined && changesOnly(hunks, ({ text }) => text.length <= 500 && whole.test(text))
}

/** The whole file was read, and no line of it changed. */
export function changesNothing({ kind, hunks, omitted, added, removed }: FileChange): boolean {
  return kind === 'text' && omitted === null && added + removed === 0 && hunks.length === 0
}

function changesOnly(hunks: readonly Hunk[], is: (line: DiffLine) => boolean): boolean {
  const changed = hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind !== 'context'))
  return changed.some(is) && changed.every((line) => line.text.trim() === '' || is(line))
}

const longestLine = 2_000

/** Signs that a category is worth a question, whatever a scout says. They only ever add questions, so they are loose. */
const hints: readonly { category: Category; sign: RegExp }[] = [
  {
    category: 'performance',
    sign: /\b(?:for|while|loop|foreach|each|map|filter|reduce|flat_?map|sort(?:ed|_by)?|iter|range|select|query|find_?(?:all|many|one)?|fetch|request|read|write|load|open|cache|alloc|malloc|clone|copy|append|push|concat|join|parse|regex|lock|mutex|sleep|await|async|buffer|batch|select|scan|insert)\b|\.(?:map|filter|forEach|reduce|sort|all|query|execute|read|write|fetch|get|clone|collect)\w*\(/i,
  },
  {
    category: 'documentation',
    sign: /^\s*(?:\/\/|\/\*|\*|#|--|""")|\b(?:help|usage|description|summary|deprecated)\b/i,
  },
]

export function hintedCategories({ hunks }: FileChange): ReadonlySet<Category> {
  const changed = hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind !== 'context'))
  const found = hints.filter(({ sign }) => changed.some(({ text }) => sign.test(text.slice(0, longestLine))))
  return new Set(found.map(({ category }) => category))
}

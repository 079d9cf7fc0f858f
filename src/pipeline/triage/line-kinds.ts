/** Whether a change touches nothing but comments, or nothing but imports, as far as single lines can tell. */
import type { DiffLine, FileChange, Hunk } from '../../domain/change-set.ts'

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

/** Words that steer a tool stand in comments too, and are more than words. */
const steering =
  /(?:@ts-|eslint|biome|noqa|type:\s*ignore|nosec|nolint|pragma|go:|build\s|coding[:=]|@(?:method|property|mixin|template|type|typedef|phpstan|psalm)\b)/i

/** One whole import in one line; what spans lines is asked about like code. */
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

/** Blank lines beside them count for nothing. */
export function touchesOnlyImports({ language, hunks }: FileChange): boolean {
  const whole = importLines.get(language ?? '')
  return whole !== undefined && changesOnly(hunks, ({ text }) => text.length <= 500 && whole.test(text))
}

/** All of its lines are known, and none of them changed. */
export function changesNothing({ kind, hunks, omitted, added, removed }: FileChange): boolean {
  return kind === 'text' && omitted === null && added + removed === 0 && hunks.length === 0
}

function changesOnly(hunks: readonly Hunk[], is: (line: DiffLine) => boolean): boolean {
  const changed = hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind !== 'context'))
  return changed.some(is) && changed.every((line) => line.text.trim() === '' || is(line))
}

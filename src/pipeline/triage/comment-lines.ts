/** Whether a change of a source file touches nothing but comments and blank lines, as far as single lines can tell. */
import type { FileChange } from '../../domain/change-set.ts'

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
const steering = /(?:@ts-|eslint|biome|noqa|type:\s*ignore|nosec|nolint|pragma|go:|build\s|coding[:=])/i

export function touchesOnlyComments({ language, hunks }: FileChange): boolean {
  const mark = marks.get(language ?? '')
  const changed = hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind !== 'context'))
  return (
    mark !== undefined &&
    changed.length > 0 &&
    changed.every(({ text }) => text.trim() === '' || (mark.test(text) && !steering.test(text)))
  )
}

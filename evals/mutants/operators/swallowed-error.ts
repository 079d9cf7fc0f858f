/** An error is not passed on. */
import type { Language, Operator } from '../contract.ts'
import { atNewLines } from '../sources.ts'

const silenced: Readonly<Record<Language, readonly (readonly [RegExp, string])[]>> = {
  typescript: [[/throw new \w+\((.*)\)$/, 'console.warn($1)']],
  python: [[/raise .*$/, 'pass']],
  go: [
    [/return nil, (?:err|fmt\.Errorf\(.*\))$/, 'return nil, nil'],
    [/return (?:err|fmt\.Errorf\(.*\)|Err[A-Z]\w*)$/, 'return nil'],
  ],
  rust: [[/return Err\(.*\);$/, 'return Ok(());']],
  java: [[/throw new \w+\((.*)\);$/, 'System.err.println($1);']],
}

export const swallowedError: Operator = {
  name: 'swallowed-error',
  category: 'correctness',
  severity: 'high',
  context: 'file',
  mutate: (ground) =>
    atNewLines(
      ground,
      (line, { language }) => {
        const found = silenced[language].find(([pattern]) => pattern.test(line))
        return found ? line.replace(found[0], found[1]) : null
      },
      (line) =>
        `Instead of \`${line}\` the failure is passed over in silence, and the caller goes on as if all were well.`,
    ),
}

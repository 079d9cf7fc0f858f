/** A credential stands in the code. It is made up here, so that none stands in this repository. */
import type { Language, Operator } from '../contract.ts'
import { changedSources, editLines } from '../sources.ts'

const written: Readonly<Record<Language, (value: string) => string>> = {
  typescript: (value) => `const serviceToken = '${value}'`,
  python: (value) => `SERVICE_TOKEN = "${value}"`,
  go: (value) => `const serviceToken = "${value}"`,
  rust: (value) => `const SERVICE_TOKEN: &str = "${value}";`,
  java: (value) => `  private static final String SERVICE_TOKEN = "${value}";`,
}

export const hardCodedSecret: Operator = {
  name: 'hard-coded-secret',
  category: 'security',
  severity: 'high',
  context: 'diff',
  mutate: (ground) =>
    changedSources(ground).flatMap((source) => {
      const at = source.lines.findIndex((line, index) => index > 0 && opens(line, source.language))
      const index = source.language === 'java' ? at + 1 : at
      if (at < 0 || (source.language === 'java' && !(source.lines[at] ?? '').endsWith('{'))) return []
      const line = written[source.language](token(ground.random))
      return [
        editLines(
          source,
          index,
          0,
          [line, ''],
          'A token that opens a service stands in the code for all to read.',
        ),
      ]
    }),
}

function opens(line: string, language: Language): boolean {
  if (language === 'java') return /^public (?:final class|record)/.test(line)
  return /^(?:export |async |pub )*(?:function|def|class|func|fn|type|struct|const)\b/.test(line)
}

/** Of the shape that GitHub gives to personal tokens. */
function token(random: () => number): string {
  const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  return `ghp_${Array.from({ length: 36 }, () => signs[Math.floor(random() * signs.length)]).join('')}`
}

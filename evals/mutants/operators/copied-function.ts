/** A function is written a second time under another name, in another file. */
import type { Language, Operator } from '../contract.ts'
import { allSources, changedSources, editLines } from '../sources.ts'

const begins: Readonly<Partial<Record<Language, RegExp>>> = {
  typescript: /^(?:export )?(?:async )?function (\w+)\(/,
  python: /^(?:async )?def (\w+)\(/,
  go: /^func (\w+)\(/,
  rust: /^(?:pub )?fn (\w+)\(/,
}
const shortest = 8

export const copiedFunction: Operator = {
  name: 'copied-function',
  category: 'maintainability',
  severity: 'low',
  context: 'repo',
  mutate: (ground) =>
    allSources(ground)
      .filter(({ isTest }) => !isTest)
      .flatMap((from) =>
        from.lines.flatMap((line, index) => {
          const name = begins[from.language]?.exec(line)?.[1]
          const body = name === undefined ? [] : bodyFrom(from.lines, index, from.language)
          if (name === undefined || body.length < shortest) return []
          return changedSources(ground)
            .filter(
              ({ path, language }) => path !== from.path && language === from.language && language !== 'rust',
            )
            .map((to) => {
              const at = to.lines.length - 1
              const copy = body.join('\n').replaceAll(name, `${name}Again`).split('\n')
              const what = `\`${name}\` of ${from.path} stands here once more, line by line, under another name.`
              return editLines(to, at, 0, ['', ...copy], what)
            })
        }),
      ),
}

function bodyFrom(lines: readonly string[], from: number, language: Language): string[] {
  const rest = lines.slice(from)
  const end = rest.findIndex(
    (line, at) => at > 0 && (language === 'python' ? /^\S/.test(line) : line === '}'),
  )
  if (language !== 'python') return end < 0 ? [] : rest.slice(0, end + 1)
  return (end < 0 ? rest : rest.slice(0, end)).join('\n').trimEnd().split('\n')
}

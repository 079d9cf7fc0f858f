/** Which of a compiler's new diagnostics concern a symbol that the kept side changed: by code and by name. */
import { type Case, wordPattern } from './cases.ts'
import type { Diagnostic } from './diagnostics.ts'
import { git } from './git.ts'

/** Missing module, export, name, member; wrong number of arguments; private or protected; missing abstract member. */
const codes = new Set(
  [
    2305, 2724, 2614, 2459, 2460, 2304, 2552, 2503, 2694, 2307, 2339, 2551, 2554, 2555, 2575, 2341, 2445,
    2515, 2654, 2420, 2420, 1192,
  ].map((code) => `TS${code}`),
)

export async function compilerTruth(
  all: readonly Diagnostic[],
  found: Case,
  scratch: string,
): Promise<Diagnostic[]> {
  const names = new Set<string>()
  for (const { before } of found.symbols) {
    if (!before) continue
    const { name, scope } = before.symbol
    if (name === 'constructor' || name === '__init__') names.add(scope.split('.').at(-1) ?? '')
    else names.add(name)
  }
  names.delete('')
  const words = [...names].map(wordPattern)
  const texts = new Map<string, string[]>()
  const lineOf = ({ path, line }: Diagnostic): string => {
    let lines = texts.get(path)
    if (!lines) {
      lines = git(scratch, ['show', `${found.head}:${path}`]).split('\n')
      texts.set(path, lines)
    }
    return lines[line - 1] ?? ''
  }
  const seen = new Set<string>()
  const importLines = new Map<string, Set<string>>()
  for (const diagnostic of all.filter(isJavac)) {
    const line = lineOf(diagnostic)
    if (!/^import\b/.test(line)) continue
    const words = importLines.get(diagnostic.path) ?? new Set()
    importLines.set(diagnostic.path, words)
    for (const word of line.split(/[^\w$]+/)) words.add(word)
  }
  return all.filter((diagnostic) => {
    // A use behind a broken import of the same file stands and falls with it.
    const broken = isJavac(diagnostic) && importLines.get(diagnostic.path)?.has(javaName(diagnostic) ?? '')
    if (broken && !/^import\b/.test(lineOf(diagnostic))) return false
    const place = `${diagnostic.path}:${diagnostic.line}`
    const named = nameIn(diagnostic)
    const concerns =
      diagnostic.code === 'TS2307'
        ? removedModule(diagnostic, found)
        : named !== null
          ? names.has(named)
          : words.some((word) => word.test(lineOf(diagnostic)))
    const counts = (codes.has(diagnostic.code) || isJavac(diagnostic)) && concerns && !seen.has(place)
    if (counts) seen.add(place)
    return counts
  })
}

/** The name a message is about, where it has one: what is not exported, not found, or no member. */
function nameIn({ code, message }: Diagnostic): string | null {
  if (/^TS(?:2305|2724|2614|2459|2460)$/.test(code))
    return /(?:member|declares|named|import) '([\w$]+)'/.exec(message)?.[1] ?? null
  if (/^TS(?:2339|2551|2304|2552|2341|2445|2694)$/.test(code))
    return /'(?:[\w$.]+\.)?([\w$]+)'/.exec(message)?.[1] ?? null
  return null
}

function removedModule({ message }: Diagnostic, { kept }: Case): boolean {
  return kept.some((path) => message.includes(path.replace(/^.*\//, '').replace(/\.\w+$/, '')))
}

function isJavac({ code, message }: Diagnostic): boolean {
  return (
    code === 'javac' &&
    /cannot find symbol|cannot be applied|no suitable|has private access|not public|is not abstract and does not override|does not override|does not exist/.test(
      message,
    )
  )
}

function javaName({ message }: Diagnostic): string | null {
  return /symbol: +\w+ ([\w$]+)/.exec(message)?.[1] ?? null
}

/**
 * Where no compiler can judge: callers that the real commit changed, told from its own diff, apart from the plane.
 * A removed line counts when it names a symbol that only one place of the base defines, and, by fate of the symbol,
 * the name is gone from the new side of the hunk, or its call there has another number of arguments.
 */
import type { SymbolChange } from '../../src/domain/code-symbol.ts'
import { breaksSomething, type Case, wordPattern } from './cases.ts'
import { git } from './git.ts'

export type Truth = { path: string; line: number; symbol: string; text: string }

type Hunk = { oldStart: number; old: string[]; new: string[] }

const definers: Record<string, (name: string) => string> = {
  python: (name) => `^\\s*(async def|def|class) ${name}\\b|^\\s*${name} *[:=]`,
  go: (name) =>
    `^func (\\([^)]*\\) )?${name}\\b|^\\s*(type|var|const) ${name}\\b|^\\s+${name} +(=|[a-z*\\[]|func)|^\\s+${name}\\(`,
  rust: (name) =>
    `\\b(fn|struct|enum|trait|type|const|static|mod|macro_rules!) ${name}\\b|^\\s*(pub )?${name}:|^\\s*${name}[,({]`,
  java: (name) =>
    `\\b(class|interface|enum|record) ${name}\\b|[>\\w\\]] ${name}\\(.*[{;,]\\s*$|[>\\w\\]] ${name}( =|;)`,
}

export function textTruth(
  gitDir: string,
  language: string,
  { commit, symbols, notUpdated, base }: Case,
  scratch: string,
): Truth[] {
  const wanted = symbols
    .filter(breaksSomething)
    .filter(({ before }) => isUnique(scratch, language, base, before?.symbol.name ?? ''))
    .filter((change) => isReallyGone(gitDir, language, commit, change))
    .filter((change) => !goesWithItsType(change, symbols))
  const found = new Map<string, Truth>()
  for (const { path } of notUpdated) {
    const hunks = hunksOf(gitDir, commit, path)
    const [before, after] = [`${commit}^`, commit].map((at) => git(gitDir, ['show', `${at}:${path}`]))
    for (const change of wanted) {
      const name = change.before?.symbol.name ?? ''
      const top = change.before?.symbol.scope === '' && change.kind !== 'signature-changed'
      const imports = top ? importsOf(before ?? '', language, name) : []
      const kept = top ? importsOf(after ?? '', language, name).map(({ statement }) => statement) : []
      const lost = imports.filter(({ statement }) => !kept.includes(statement))
      const truths =
        imports.length > 0
          ? lost.map(({ line, text }) => ({ path, line, symbol: name, text }))
          : hunks.flatMap((hunk) => truthsIn(hunk, change, path))
      for (const truth of truths) found.set(`${truth.path}:${truth.line}`, truth)
    }
  }
  return [...found.values()]
}

function truthsIn(hunk: Hunk, change: SymbolChange, path: string): Truth[] {
  const name = change.before?.symbol.name ?? ''
  const member = (change.before?.symbol.scope ?? '') !== ''
  const word = wordPattern(name)
  const lines = hunk.old.flatMap((text, at) =>
    word.test(withoutWords(text)) ? [{ path, line: hunk.oldStart + at, symbol: name, text }] : [],
  )
  if (lines.length === 0) return []
  const inSignature = change.kind === 'signature-changed' && change.delta?.visibility === null
  if (!inSignature) {
    const gone = !hunk.new.some((text) => word.test(withoutWords(text))) && hunk.new.length > 0
    return gone
      ? lines.filter(
          ({ text }) =>
            !member || new RegExp(`(?:\\.|::|self\\b).*${word.source}|${word.source}\\s*\\(`).test(text),
        )
      : []
  }
  const [before, after] = [callsIn(hunk.old, name), callsIn(hunk.new, name)]
  if (before.length !== after.length) return []
  return before.flatMap(({ at, count }, index) =>
    count !== after[index]?.count && cannotFit(change, count)
      ? lines.filter(({ line }) => line === hunk.oldStart + at)
      : [],
  )
}

const importStatements: Record<string, RegExp> = {
  python: /^[ \t]*(from\s+[\w.]+\s+import)\s+(?:\([^)]*\)|(?:[^\n\\]|\\\n)*)/gm,
  rust: /^[ \t]*((?:pub(?:\([^)]*\))? )?use)\s[^;]*;/gm,
  java: /^(import)\s[^;]*;/gm,
}

/** Lines that import the name, with what they import it from. Uses behind such a line stand and fall with it. */
function importsOf(
  text: string,
  language: string,
  name: string,
): { line: number; text: string; statement: string }[] {
  const pattern = importStatements[language]
  if (!pattern) return []
  const word = wordPattern(name)
  return [...text.matchAll(pattern)].flatMap((match) => {
    const at = match[0].search(word)
    if (at < 0) return []
    const line = text.slice(0, match.index + at).split('\n').length
    const origin = language === 'python' ? match[1] : match[0].replace(/\s+/g, ' ').slice(0, 200)
    return [{ line, text: text.split('\n')[line - 1] ?? '', statement: `${origin} ${name}` }]
  })
}

/** Calls of the name with the number of arguments, by brackets. Calls that do not end in the hunk are left out. */
function callsIn(lines: readonly string[], name: string): { at: number; count: number }[] {
  const found: { at: number; count: number }[] = []
  const text = lines.map(withoutWords).join('\n')
  for (const match of text.matchAll(new RegExp(`${wordPattern(name).source}\\(`, 'g'))) {
    let depth = 0
    let count = 0
    let filled = false
    for (let at = match.index + match[0].length - 1; at < text.length; at++) {
      const character = text.charAt(at)
      if ('([{'.includes(character)) depth++
      else if (')]}'.includes(character)) depth--
      else if (character === ',' && depth === 1) {
        if (filled) count++
        filled = false
      } else if (/\S/.test(character)) filled = true
      if (depth >= 2) filled = true
      if (depth === 0) {
        found.push({
          at: text.slice(0, match.index).split('\n').length - 1,
          count: filled ? count + 1 : count,
        })
        break
      }
    }
  }
  return found
}

/** By number alone: too few or too many for the new list, or one of the passed parameters is gone from the old one. */
function cannotFit({ before, after, delta }: SymbolChange, count: number): boolean {
  const [old, now] = [before?.symbol.signature.parameters, after?.symbol.signature.parameters]
  if (!old || !now || !delta) return false
  const required = now.filter((parameter) => !parameter.optional).length
  const tooMany = count > now.length && !now.some((parameter) => parameter.variadic)
  const lostOne = old
    .slice(0, count)
    .some(({ name }) => delta.parametersRemoved.some((removed) => removed.name === name))
  return count < required || tooMany || (lostOne && delta.parametersAdded.length === 0)
}

/** A member of a type that is gone itself: its uses stand and fall with the name of the type. */
function goesWithItsType({ before }: SymbolChange, all: readonly SymbolChange[]): boolean {
  const container = before?.symbol.scope.split('.').at(-1)
  return all.some(
    ({ kind, before: other }) =>
      other?.symbol.name === container &&
      other?.symbol.kind !== 'impl' &&
      ['removed', 'renamed', 'moved'].includes(kind),
  )
}

/** Not when the definition's file still binds the name in another way, or makes names up at run time. */
function isReallyGone(gitDir: string, language: string, commit: string, change: SymbolChange): boolean {
  const { before } = change
  if (!before || change.kind === 'signature-changed') return true
  if (language !== 'python') return true
  let text = ''
  try {
    text = git(gitDir, ['show', `${commit}:${before.path}`])
  } catch {
    return true
  }
  const old = git(gitDir, ['show', `${commit}^:${before.path}`]).split('\n')
  const isFixture = old
    .slice(before.symbol.startLine - 1, before.symbol.nameLine)
    .some((line) => /@.*fixture/.test(line))
  const bound = new RegExp(
    `^\\s*(?:def|class)\\s+${before.symbol.name}\\b|\\b${before.symbol.name}\\s*(?::[^=\\n]*)?=[^=]|\\b(?:import|as)\\b.*\\b${before.symbol.name}\\b`,
    'm',
  )
  return !isFixture && !/^def __getattr__/m.test(text) && (before.symbol.scope !== '' || !bound.test(text))
}

function isUnique(scratch: string, language: string, base: string, name: string): boolean {
  if (name.length < 3) return false
  const pattern = definers[language]?.(name)
  if (!pattern) return false
  const ending = { python: '*.py', go: '*.go', rust: '*.rs', java: '*.java' }[language] ?? '*'
  try {
    return git(scratch, ['grep', '-hP', pattern, base, '--', ending]).trim().split('\n').length === 1
  } catch {
    // git grep exits with 1 when nothing matches: a definition of a form the pattern does not know.
    return false
  }
}

/** Without strings and line comments. */
function withoutWords(line: string): string {
  return line
    .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""')
    .replace(/(?:\/\/|#(?!\[)).*$/, '')
    .replace(/^\s*(?:\*|\/\*).*$/, '')
}

function hunksOf(gitDir: string, commit: string, path: string): Hunk[] {
  const patch = git(gitDir, [
    'diff-tree',
    '-p',
    '-U0',
    '--no-renames',
    '--no-commit-id',
    '-r',
    commit,
    '--',
    path,
  ])
  const hunks: Hunk[] = []
  for (const line of patch.split('\n')) {
    const header = /^@@ -(\d+)/.exec(line)
    if (header) hunks.push({ oldStart: Number(header[1]), old: [], new: [] })
    else if (line.startsWith('-')) hunks.at(-1)?.old.push(line.slice(1))
    else if (line.startsWith('+')) hunks.at(-1)?.new.push(line.slice(1))
  }
  return hunks
}

/** Says whether the real commit removed or rewrote the line of a place, and the line names the symbol. */
export function changedByCommit(
  gitDir: string,
  commit: string,
): (place: { path: string; line: number; endLine: number; name: string }) => boolean {
  const hunksByPath = new Map<string, Hunk[]>()
  return ({ path, line, endLine, name }) => {
    let hunks = hunksByPath.get(path)
    if (!hunks) {
      hunks = hunksOf(gitDir, commit, path)
      hunksByPath.set(path, hunks)
    }
    const word = wordPattern(name)
    return hunks.some(({ oldStart, old }) =>
      old.some(
        (text, at) =>
          oldStart + at >= line && oldStart + at <= endLine && (endLine > line || word.test(text)),
      ),
    )
  }
}

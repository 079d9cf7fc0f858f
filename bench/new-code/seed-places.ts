/** Where a fault can be put into a file that a commit writes, and what the file looks like with it. */
import type { FileFacts, Reference } from '../../src/code-index/contract.ts'
import { argumentsOf } from '../../src/code-index/resolve/arguments.ts'
import { git } from '../broken-callers/git.ts'

export type Seed = {
  kind: 'import' | 'argument' | 'keyword' | 'order' | 'override' | 'environment' | 'translation'
  path: string
  line: number
  was: string
  is: string
  /** The whole file with the fault. */
  text: string
}

/** At most one of each kind. */
export function seedsIn(
  repository: string,
  commit: string,
  path: string,
  text: string,
  facts: FileFacts,
): Seed[] {
  const file: Place = {
    repository,
    commit,
    path,
    lines: text.split('\n'),
    facts,
    added: addedLines(repository, commit, path),
  }
  return [
    misspellImport(file),
    ...argumentSeeds(file),
    swapParameters(file),
    renameOverride(file),
    ...keySeeds(file),
  ].flatMap((seed) => seed ?? [])
}

type Place = {
  repository: string
  commit: string
  path: string
  lines: string[]
  facts: FileFacts
  added: ReadonlySet<number>
}

/** Imports from inside the repository: relative ones, and Python's from a top-level folder of the tree. */
function misspellImport(place: Place): Seed | null {
  const { facts, added, lines, repository, commit } = place
  for (const { line, source, imported } of facts.imports) {
    if (!added.has(line) || imported.length < 5 || !/^\w+$/.test(imported) || imported === 'default') continue
    const isOwn =
      source.startsWith('.') ||
      (facts.language === 'python' && existsIn(repository, commit, source.split('.').join('/')))
    if (!isOwn || count(lines[line - 1] ?? '', imported) !== 1) continue
    return replaceWord(place, 'import', line, imported, slip(imported))
  }
  return null
}

/** Calls of names that exactly one definition of the tree has. */
function argumentSeeds(place: Place): (Seed | null)[] {
  const { facts, added, lines } = place
  const text = lines.join('\n')
  let dropped: Seed | null = null
  let keyword: Seed | null = null
  let looked = 0
  for (const reference of facts.references) {
    const { call, line, endLine, name, shadowed } = reference
    if (!call || !added.has(line) || line !== endLine || call.spread || shadowed || name.length < 5) continue
    if (!judged.has(facts.language) || (dropped && keyword) || !isPlain(reference) || ++looked > 12) continue
    const given = argumentsOf(text, reference)
    if (!given || given.length === 0 || !hasOneDefinition(place, name, given.length)) continue
    const last = given.at(-1) ?? ''
    if (call.keywords.length === 0 && !dropped) dropped = dropLast(place, reference, last)
    const [word] = call.keywords
    if (word !== undefined && word.length > 3 && !keyword && count(lines[line - 1] ?? '', word) === 1)
      keyword = replaceWord(place, 'keyword', line, word, slip(word))
  }
  return [dropped, keyword]
}

const judged: ReadonlySet<string> = new Set(['python', 'typescript', 'tsx', 'go'])

function isPlain({ receiver }: Reference): boolean {
  return receiver === null || /^\w+$/.test(receiver)
}

/** Its parameters, as the definition's line shows them, are all required and as many as the call passes. */
function hasOneDefinition({ repository, commit, facts }: Place, name: string, passed: number): boolean {
  const define =
    facts.language === 'python'
      ? `^ *(async )?def ${name}\\(`
      : facts.language === 'go'
        ? `^func (\\([^)]*\\) )?${name}\\(`
        : `(function|const) ${name}\\b|^ +(async )?${name}\\(.*\\{$`
  const found = grep(repository, commit, define).filter((line) => !/\bawait\b|\breturn\b/.test(line))
  const [only] = found
  if (found.length !== 1 || only === undefined) return false
  const list = /\(([^()]*)\)[^()]*$/.exec(
    facts.language === 'go' ? only.replace(/^func \([^)]*\) /, 'func ').replace(/\)[^(]*\(.*$/, ')') : only,
  )?.[1]
  if (list === undefined) return false
  const parameters = list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^(?:self|cls)$/.test(part))
  return parameters.length === passed && parameters.every((part) => !/[=?*]|\.\.\./.test(part))
}

function dropLast(place: Place, { line, column, name }: Reference, last: string): Seed | null {
  const text = place.lines[line - 1] ?? ''
  const at = text.indexOf(last, column + name.length)
  if (at < 0) return null
  const before = text.slice(0, at).replace(/,\s*$/, '')
  return withLine(place, 'argument', line, before + text.slice(at + last.length), text.trim())
}

/** In the file as it was at the parent, where the commit changes the function. */
function swapParameters(place: Place): Seed | null {
  const { repository, commit, path, facts, added } = place
  const old = show(repository, `${commit}^1:${path}`)?.split('\n')
  if (!old) return null
  for (const symbol of facts.symbols) {
    const { name, kind, nameLine, startLine, endLine, signature } = symbol
    if (
      kind !== 'function' ||
      name.length < 5 ||
      ![...added].some((line) => line >= startLine && line <= endLine)
    )
      continue
    const header = place.lines[nameLine - 1] ?? ''
    const line = old.indexOf(header) + 1
    const match = new RegExp(`\\b${name}\\((\\w+)((?:: ?[\\w.]+)?), ?(\\w+)((?:: ?[\\w.]+)?)(?=[,)])`).exec(
      header,
    )
    const [first, second] = signature.parameters ?? []
    if (line === 0 || !match || first?.optional !== false || second?.optional !== false) continue
    // Somebody else calls it by position, with two words that are not the names of the parameters.
    const calls = grep(repository, `${commit}^1`, `\\b${name}\\([a-zA-Z_."']+, *[a-zA-Z_."']+[,)]`).filter(
      (call) => call.trim() !== header.trim() && !/\b(?:def|function|func)\b/.test(call),
    )
    const others = calls.filter((call) => !call.includes(`(${match[3]}`) && !call.includes(`.${match[3]},`))
    if (
      others.length === 0 ||
      grep(repository, `${commit}^1`, `(def|function|func|const) ${name}\\b`).length !== 1
    )
      continue
    const swapped = header.replace(match[0], `${name}(${match[3]}${match[4]}, ${match[1]}${match[2]}`)
    const text = [...old]
    text[line - 1] = swapped
    return { kind: 'order', path, line, was: header.trim(), is: swapped.trim(), text: text.join('\n') }
  }
  return null
}

/** A method that the commit writes, whose name an abstract method of the tree has. */
function renameOverride(place: Place): Seed | null {
  const { facts, added, repository, commit, lines } = place
  for (const [index, { kind, name, nameLine }] of facts.symbols.entries()) {
    const type = facts.parents[index]
    if (kind !== 'method' || !added.has(nameLine) || name.length < 6 || name.startsWith('_')) continue
    const bases = facts.supertypes.filter(({ symbol }) => symbol === type)
    if (bases.length === 0 || count(lines[nameLine - 1] ?? '', name) !== 1) continue
    if (/\boverride\b/.test(lines[nameLine - 1] ?? '')) continue
    const isAbstract =
      facts.language === 'python'
        ? bases.some(({ name: base }) => holdsAbstract(repository, commit, `class ${base}\\b`, name))
        : /script|tsx/.test(facts.language) &&
          bases.some(({ name: base }) =>
            holdsMember(repository, commit, `(interface|abstract class) ${base}\\b`, name),
          )
    if (isAbstract) return replaceWord(place, 'override', nameLine, name, slip(name))
  }
  return null
}

function holdsAbstract(repository: string, commit: string, header: string, name: string): boolean {
  return filesWith(repository, commit, header).some((path) =>
    new RegExp(`@(?:\\w+\\.)?abstractmethod\\s+(?:async )?def ${name}\\(`).test(
      show(repository, `${commit}:${path}`) ?? '',
    ),
  )
}

function holdsMember(repository: string, commit: string, header: string, name: string): boolean {
  return filesWith(repository, commit, header).some((path) =>
    new RegExp(`^\\s+(?:abstract )?${name}\\([^{}]*;?$`, 'm').test(
      show(repository, `${commit}:${path}`) ?? '',
    ),
  )
}

function keySeeds(place: Place): (Seed | null)[] {
  const { repository, commit, added, lines } = place
  const seeds: (Seed | null)[] = []
  for (const line of added) {
    const text = lines[line - 1] ?? ''
    const variable =
      /(?:process\.env\.|os\.environ(?:\.get)?[[(]["']|os\.getenv\(["'])([A-Z][A-Z_]{6,})/.exec(text)?.[1]
    if (variable && isDeclared(repository, commit, variable))
      seeds.push(replaceWord(place, 'environment', line, variable, slip(variable)))
    const key = /\bt\(["']((?:\w+\.)+\w{4,})["']\)/.exec(text)?.[1]
    if (key) seeds.push(replaceWord(place, 'translation', line, key, slip(key)))
  }
  const first = (kind: Seed['kind']) => seeds.find((seed) => seed?.kind === kind) ?? null
  return [first('environment'), first('translation')]
}

/** In an example file of the environment. */
function isDeclared(repository: string, commit: string, variable: string): boolean {
  return filesWith(repository, commit, `^#? ?${variable}=`).some((path) => /(?:^|\/)\.?env[^/]*$/.test(path))
}

/** Two letters in the middle swapped, or the last letter but one left out when they are the same. */
function slip(word: string): string {
  const at = word.length - 3
  const [a, b] = [word.charAt(at), word.charAt(at + 1)]
  return a === b ? word.slice(0, -2) + word.slice(-1) : word.slice(0, at) + b + a + word.slice(at + 2)
}

function replaceWord(place: Place, kind: Seed['kind'], line: number, was: string, is: string): Seed | null {
  const text = place.lines[line - 1] ?? ''
  const changed = text.replace(was, () => is)
  return changed === text ? null : withLine(place, kind, line, changed, was, is)
}

function withLine(
  place: Place,
  kind: Seed['kind'],
  line: number,
  changed: string,
  was: string,
  is = changed.trim(),
): Seed {
  const lines = [...place.lines]
  lines[line - 1] = changed
  return { kind, path: place.path, line, was, is, text: lines.join('\n') }
}

function count(text: string, word: string): number {
  return text.split(new RegExp(`(?<!\\w)${word}(?!\\w)`)).length - 1
}

function addedLines(repository: string, commit: string, path: string): Set<number> {
  const patch = git(repository, [
    'diff',
    '--no-renames',
    '-U0',
    '--no-color',
    `${commit}^1`,
    commit,
    '--',
    path,
  ])
  const added = new Set<number>()
  for (const [, start, length = '1'] of patch.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm))
    for (let at = 0; at < Number(length); at++) added.add(Number(start) + at)
  return added
}

function existsIn(repository: string, commit: string, path: string): boolean {
  return (
    show(repository, `${commit}:${path}.py`) !== null ||
    show(repository, `${commit}:${path}/__init__.py`) !== null
  )
}

function show(repository: string, name: string): string | null {
  try {
    return git(repository, ['cat-file', 'blob', name])
  } catch {
    return null
  }
}

function grep(repository: string, commit: string, pattern: string): string[] {
  try {
    return git(repository, ['grep', '-hE', pattern, commit]).split('\n').filter(Boolean)
  } catch {
    return []
  }
}

function filesWith(repository: string, commit: string, pattern: string): string[] {
  try {
    const listed = git(repository, ['grep', '-lE', pattern, commit]).split('\n').filter(Boolean)
    return listed.map((line) => line.slice(line.indexOf(':') + 1))
  } catch {
    return []
  }
}

/** The definitions and files that a finding names, so that whoever judges it need not believe its words about them. */

import { basename } from 'node:path/posix'
import { isVendoredPath } from '../../base/file-paths.ts'
import { languageOf } from '../../code-index/language-of.ts'
import { resolverOf } from '../../code-index/resolve/languages/registry.ts'
import { type FileChange, pathOn, type Side } from '../../domain/change-set.ts'
import type { CodeSymbol } from '../../domain/code-symbol.ts'
import type { EvidenceDraft } from '../../domain/evidence.ts'
import type { Finding } from '../../domain/finding.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import { lastName, namedSymbols } from './named-symbols.ts'
import { fileAt, isUntouched, placesOf } from './places.ts'
import { type DefinitionPlace, type DossierContext, linesOf, snapshotOf } from './sources.ts'

/**
 * Each definition that a finding names, of a long one what has to do with it: after the change, or before it where it is gone.
 * A name of several definitions is not guessed; where the finding is, it means the one there.
 */
export async function namedDefinitions(finding: Finding, input: DossierContext): Promise<EvidenceDraft[]> {
  const { context, head, base, code } = input
  const names = namedSymbols(finding)
  if (names.length === 0) return []
  const own = placesOf(finding, context).map(({ path }) => path)
  const cited = finding.evidence.flatMap(({ evidence: id }) => input.book.get(id)?.path ?? [])
  const { files } = context.change
  const changed = files.filter(({ newBlob }) => newBlob !== null).map(({ path }) => path)
  const found = await definitionsIn(head, { own, near: [...cited, ...changed] }, names, input)
  const without = (all: readonly DefinitionPlace[]) =>
    names.filter((name) => !all.some((one) => one.name === name))
  const ownFiles = own.flatMap((path) => fileAt(files, path) ?? [])
  const pathBefore = (file: FileChange) => pathOn('old', file)
  const before = { own: ownFiles.map(pathBefore), near: files.map(pathBefore) }
  const gone = await definitionsIn(base, before, without(found), input)
  const missing = without([...found, ...gone])
  if (code && missing.length > 0) {
    const anywhere = await code.definitionsOf(missing)
    found.push(...single(anywhere.filter(({ path }) => own.some((place) => canMean(place, path)))))
  }
  const [after, old] = await Promise.all([
    draftsOf(found, names, 'new', input),
    draftsOf(gone, names, 'old', input),
  ])
  return [...after, ...old]
}

/** Whether words about the code of one file can mean a definition in another: `select` in Go is none of a browser's script. */
function canMean(from: string, to: string): boolean {
  if (isVendoredPath(to)) return false
  const [ours, theirs] = [languageOf(from), languageOf(to)]
  return ours === null || ours === theirs || resolverOf(ours) === resolverOf(theirs ?? '')
}

async function draftsOf(
  found: readonly DefinitionPlace[],
  names: readonly string[],
  side: Side,
  input: DossierContext,
): Promise<EvidenceDraft[]> {
  const texts = await snapshotOf(side, input).readMany(found.map(({ path }) => path))
  const { files } = input.context.change
  return found.flatMap((definition) => {
    const { name, path } = definition
    const source = texts.get(path)
    if (!source) return []
    const { startLine: first, endLine: last } = definition
    const others = new Set(names.map(lastName).filter((one) => one !== lastName(name)))
    const isOld = side === 'new' && isUntouched(definition, files)
    const title = `\`${name}\`, which it names${isOld ? ' and the change leaves as it was' : ''}`
    const lines = source.text.split('\n').slice(first - 1, last)
    return rangesOf(lines, first, others, ofDefinition).flatMap(
      ([startLine, endLine]) => linesOf(source, { path, side, startLine, endLine }, title) ?? [],
    )
  })
}

/** What is shown of a longer text than `whole`: how it begins, and around lines that hold another name of the finding. */
type Extract = {
  whole: number
  beginning: number
  mostMentions: number
  /** Lines above and below a mention. */
  beside: number
}

/** Lines of a longer definition are mostly about something else: a function with the name of the program, a large class. */
const ofDefinition: Extract = { whole: 160, beginning: 3, mostMentions: 12, beside: 1 }

const ofFile: Extract = { whole: 60, beginning: 12, mostMentions: 8, beside: 2 }

/** The lines to show of `lines`, of which the first has the number `start`. */
function rangesOf(
  lines: readonly string[],
  start: number,
  names: ReadonlySet<string>,
  { whole, beginning, mostMentions, beside }: Extract,
): [first: number, last: number][] {
  const end = start + lines.length - 1
  if (lines.length <= whole) return [[start, end]]
  const holds = (line: string) =>
    (line.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).some((word) => names.has(word))
  const mentions = lines.flatMap((line, at) => (holds(line) ? [start + at] : [])).slice(0, mostMentions)
  const ranges: [number, number][] = [[start, start + beginning - 1]]
  for (const mention of mentions) {
    const last = ranges.at(-1)
    const [from, to] = [Math.max(start, mention - beside), Math.min(end, mention + beside)]
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else ranges.push([from, to])
  }
  return ranges
}

/** Kinds that a name in prose hardly means, but for those in the file of the finding itself. */
const incidental: ReadonlySet<string> = new Set(['variable', 'field', 'constant', 'enumerator', 'module'])

/** Of several definitions in the files of the findings at most so many are shown. */
const mostNamesakes = 2

/** In the files of the findings, or else the only one in the files nearby. */
async function definitionsIn(
  side: RepoSnapshot,
  { own, near }: { own: readonly string[]; near: readonly string[] },
  names: readonly string[],
  { facts }: DossierContext,
): Promise<DefinitionPlace[]> {
  if (names.length === 0) return []
  const texts = await side.readMany([...new Set([...own, ...near])])
  const files = [...texts].map(([path, { blob, text }]) => ({ path, blob, text }))
  const known = await facts.facts(files)
  const all = (paths: readonly string[], name: string) =>
    [...new Set(paths)].flatMap((path) =>
      (known.get(path)?.symbols ?? [])
        .filter((one) => isNamed(one, name))
        .map(({ kind, startLine, endLine }) => ({ kind, place: { name, path, startLine, endLine } })),
    )
  return names.flatMap((name) => {
    const here = all(own, name)
    if (here.length > 0) return here.length <= mostNamesakes ? here.map(({ place }) => place) : []
    const beside = all(near, name).filter(({ kind }) => !incidental.has(kind))
    return beside.length === 1 ? beside.map(({ place }) => place) : []
  })
}

/** Whether `Store.load` means this `load`. */
function isNamed({ name, scope, kind }: CodeSymbol, wanted: string): boolean {
  if (name !== lastName(wanted) || kind === 'impl') return false
  const full = `.${scope}.${name}`
  return full.endsWith(`.${wanted.split(/::|#|\./).join('.')}`)
}

/** Names with one definition: of several by one name, it is not known which is meant. */
function single(places: readonly DefinitionPlace[]): DefinitionPlace[] {
  return places.filter(({ name }) => places.filter((other) => other.name === name).length === 1)
}

/** Files that nothing else of it leads to: a changelog, a page of documentation, a configuration. */
const mostFiles = 3
const longestName = 200
/** `docs/setup.md`, `CHANGELOG.md`, `tsconfig.json:12`: the end of what may be a path. */
const ending = /\.[A-Za-z]\w{0,9}$/

function fileNamesIn(words: string): string[] {
  const written = words.match(/[\w@./-]+/g) ?? []
  const bare = written.map((one) => (one.length > longestName ? '' : one.replace(/[./-]{1,9}$/, '')))
  return [...new Set(bare.filter((one) => ending.test(one)))]
}

/** Those that are in the tree after the change and hold nothing the finding quotes; of several by one name, none. */
export async function namedFiles(finding: Finding, { head, book }: DossierContext): Promise<EvidenceDraft[]> {
  const words = [finding.title, finding.explanation, finding.remedy ?? ''].join('\n')
  const names = fileNamesIn(words)
  if (names.length === 0) return []
  const cited = new Set(finding.evidence.map(({ evidence }) => book.get(evidence)?.path))
  const paths = (await head.list()).map(({ path }) => path)
  const meant = names.flatMap((name) => {
    const fitting = paths.filter((path) => path === name || path.endsWith(`/${name}`))
    const [only, ...others] = fitting.includes(name) ? [name] : fitting
    return only === undefined || others.length > 0 || cited.has(only) || only === finding.anchor.path
      ? []
      : [only]
  })
  const chosen = [...new Set(meant)].slice(0, mostFiles)
  const texts = await head.readMany(chosen)
  const symbols = new Set(namedSymbols(finding).map(lastName))
  return chosen.flatMap((path) => {
    const source = texts.get(path)
    if (!source) return []
    return rangesOf(source.text.split('\n'), 1, symbols, ofFile).flatMap(([startLine, endLine]) => {
      const title = `\`${basename(path)}\`, which it names`
      return linesOf(source, { path, side: 'new', startLine, endLine }, title) ?? []
    })
  })
}

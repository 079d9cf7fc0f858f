/** The definitions that a finding names, so that whoever judges it need not believe its words about them. */
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
    const others = names.map(lastName).filter((one) => one !== lastName(name))
    const isOld = side === 'new' && isUntouched(definition, files)
    const title = `\`${name}\`, which it names${isOld ? ' and the change leaves as it was' : ''}`
    return rangesOf(definition, source.text.split('\n'), others).flatMap(
      ([startLine, endLine]) => linesOf(source, { path, side, startLine, endLine }, title) ?? [],
    )
  })
}

/** Lines of a longer definition are mostly about something else: a function with the name of the program, a large class. */
const longestWhole = 160
/** Of such a one, the lines that it begins with, and so many that hold another name of the finding, each with its neighbours. */
const signatureLines = 3
const mostMentions = 12

/** The lines to show of a definition: all of them, or those of its signature and around what else the finding names. */
function rangesOf(
  { startLine, endLine }: DefinitionPlace,
  lines: readonly string[],
  names: readonly string[],
): [first: number, last: number][] {
  if (endLine - startLine < longestWhole) return [[startLine, endLine]]
  const ranges: [number, number][] = [[startLine, startLine + signatureLines - 1]]
  const words = new Set(names)
  const mentions = lines.slice(startLine - 1, endLine).flatMap((line, at) => {
    const held = line.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []
    return held.some((word) => words.has(word)) ? [startLine + at] : []
  })
  for (const mention of mentions.slice(0, mostMentions)) {
    const last = ranges.at(-1)
    const [from, to] = [Math.max(startLine, mention - 1), Math.min(endLine, mention + 1)]
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

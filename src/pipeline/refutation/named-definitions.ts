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
import { fileAt, placesOf } from './places.ts'
import {
  type DefinitionPlace,
  type DossierContext,
  linesOf,
  longestDefinition,
  snapshotOf,
} from './sources.ts'

/**
 * Each definition that a finding names: after the change, or before it where it is gone. A name of several definitions is
 * not guessed; where the finding is, it means the one there.
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
  const [after, old] = await Promise.all([draftsOf(found, 'new', input), draftsOf(gone, 'old', input)])
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
  side: Side,
  input: DossierContext,
): Promise<EvidenceDraft[]> {
  const texts = await snapshotOf(side, input).readMany(found.map(({ path }) => path))
  return found.flatMap(({ name, path, startLine, endLine }) => {
    const source = texts.get(path)
    const last = Math.min(endLine, startLine + longestDefinition - 1)
    const title = `\`${name}\`, which it names`
    const draft = source && linesOf(source, { path, side, startLine, endLine: last }, title)
    return draft ? [draft] : []
  })
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

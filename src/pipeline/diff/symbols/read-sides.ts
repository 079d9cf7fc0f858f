/** The symbols of both sides of the changed files, a few files at a time so that memory stays small. */
import type { FactStore, FileFacts } from '../../../code-index/contract.ts'
import { type ChangeSet, type FileChange, pathOn } from '../../../domain/change-set.ts'
import type { FileText, RepoSnapshot } from '../../../domain/snapshot.ts'
import type { CodeSides } from '../../stage-input.ts'
import { isCallable, type SideSymbol } from './matching.ts'

export type SymbolDiffInput = CodeSides & { change: ChangeSet }

/** One version of one file; `symbols` is empty where the side does not exist. */
export type FileSide = {
  symbols: SideSymbol[]
  /** The text of a symbol. */
  textOf(side: SideSymbol): string
  /** True when the word occurs in lines that could not be parsed, where it may name a symbol. */
  mayHide(name: string): boolean
}

const filesAtOnce = 50

/**
 * Files that are not source or test code, or whose language has no table, are left out; so are files of which one
 * side could not be parsed, for all its symbols would look removed or added.
 */
export async function* readSides(
  input: SymbolDiffInput,
): AsyncGenerator<{ before: FileSide; after: FileSide }> {
  const files = input.change.files.filter((file) => file.language !== null && isCode(file))
  for (let at = 0; at < files.length; at += filesAtOnce) {
    const some = files.slice(at, at + filesAtOnce)
    const [oldOnes, newOnes] = [some.map(pathAtBase), some.map(pathAtHead)]
    const before = await readVersions(oldOnes, input.base, input.facts)
    const after = await readVersions(newOnes, input.head, input.facts)
    for (const [index, { path }] of some.entries()) {
      const sides = [oldOnes[index], newOnes[index]].map((own, side) =>
        own == null ? nowhere : fileSide(path, own, (side === 0 ? before : after).get(own)),
      )
      const [old, now] = sides
      if (old && now) yield { before: old, after: now }
    }
  }
}

function isCode(file: FileChange): boolean {
  return file.kind === 'text' && (file.role === 'source' || file.role === 'test') && file.omitted === null
}

/** The symbols of a copy are new; the original keeps its own. */
function pathAtBase(file: FileChange): string | null {
  return file.oldBlob === null || file.status === 'copied' ? null : pathOn('old', file)
}

function pathAtHead(file: FileChange): string | null {
  return file.newBlob === null ? null : file.path
}

type Version = { facts: FileFacts; text: string }

async function readVersions(
  wanted: readonly (string | null)[],
  snapshot: RepoSnapshot,
  store: FactStore,
): Promise<Map<string, Version>> {
  const paths = wanted.flatMap((path) => path ?? [])
  const texts = await snapshot.readMany(paths)
  const sources = paths.flatMap((path) => {
    const file: FileText | undefined = texts.get(path)
    return file ? [{ path, blob: file.blob, text: file.text }] : []
  })
  const facts = await store.facts(sources)
  return new Map(
    sources.flatMap(({ path, text }) => {
      const own = facts.get(path)
      return own ? [[path, { facts: own, text }] as const] : []
    }),
  )
}

const nowhere: FileSide = { symbols: [], textOf: () => '', mayHide: () => false }

function fileSide(file: string, path: string, version: Version | undefined): FileSide | null {
  if (!version) return null
  const { facts, text } = version
  const lines = text.split('\n')
  const between = (startLine: number, endLine: number) => lines.slice(startLine - 1, endLine).join('\n')
  const unread = facts.errorLines.map(({ startLine, endLine }) => between(startLine, endLine)).join('\n')
  const words = new Set(unread.match(/[\p{L}\p{N}_$]+/gu))
  return {
    symbols: linkSymbols(file, path, facts),
    textOf: ({ symbol }) => between(symbol.startLine, symbol.endLine),
    mayHide: (name) => words.has(name),
  }
}

function linkSymbols(file: string, path: string, facts: FileFacts): SideSymbol[] {
  const sides: SideSymbol[] = []
  const last = new Map<SideSymbol | null, SideSymbol>()
  for (const [index, symbol] of facts.symbols.entries()) {
    const parent = sides[facts.parents[index] ?? -1] ?? null
    const previous = last.get(parent) ?? null
    const depth = parent ? parent.depth + 1 : 0
    const local = parent !== null && (parent.local || isCallable(parent.symbol))
    const place = { parent, previous, next: null, depth, local, text: '' }
    const side: SideSymbol = { file, path, language: facts.language, symbol, ...place }
    if (previous) previous.next = side
    last.set(parent, side)
    sides.push(side)
  }
  return sides
}

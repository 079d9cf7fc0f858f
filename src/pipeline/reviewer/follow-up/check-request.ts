/** The one request for more context: which of its places may be given, and if not, why not. Decided by code, never by a model. */
import { toolEvidence } from '../../../agent/answer.ts'
import { askTool } from '../../../agent/ask-tool.ts'
import type { Toolbox } from '../../../agent/contract.ts'
import { count } from '../../../base/count.ts'
import { fairShares } from '../../../base/fair-shares.ts'
import { isDocsPath } from '../../../base/file-paths.ts'
import { visibleLine } from '../../../base/visible-text.ts'
import type { FactStore } from '../../../code-index/contract.ts'
import { isType } from '../../../code-index/resolve/symbols.ts'
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import type { EvidenceDraft } from '../../../domain/evidence.ts'
import type { FollowUpRefusal } from '../../../domain/model-report.ts'
import type { FileText, RepoSnapshot } from '../../../domain/snapshot.ts'
import type { ContextRequest } from '../answer/schema.ts'
import { tokensOf } from '../question-size.ts'
import { definitionsInText } from './text-definitions.ts'

/** So many places of one request are looked at. */
export const mostPlaces = 3

/** A name that more files hold is no way to find a definition. */
const mostFiles = 100
const mostNamed = 5

export type GrantedRange = {
  path: string
  /** 1-based, inclusive, at the head. */
  startLine: number
  endLine: number
  text: string
  blob: string
  /** What was cut of a longer definition or range, in words; null when all is here. */
  cut: string | null
}

export type RequestRules = {
  head: Pick<RepoSnapshot, 'entry' | 'list' | 'read' | 'readMany' | 'filesWithWords'>
  facts: Pick<FactStore, 'facts'>
  /** For all places of the request together. */
  maxTokens: number
  /** Null, or not given, where the repository cannot be searched. */
  tools?: { open: () => Promise<Toolbox>; signal: AbortSignal } | null
}

/** What a tool answered, as far as it fits. */
export type GrantedUses = { uses: readonly EvidenceDraft[] }

export type Granted = GrantedRange | GrantedUses

export type Refused = { refused: { kind: FollowUpRefusal; detail: string } }

/** What was found at a place, before it is known how much of it may be given. */
type Found = { tokens: number; within: (maxTokens: number) => Granted | Refused }

/** One for each place, in order. They share the tokens: one that asks for little gets it, and the others get as much as each other. */
export async function checkRequests(
  requests: readonly ContextRequest[],
  rules: RequestRules,
): Promise<(Granted | Refused)[]> {
  const found: (Found | Refused)[] = []
  for (const [at, request] of requests.entries())
    found.push(
      at < mostPlaces
        ? await findPlace(request, rules)
        : refuse('limit', `at most ${count(mostPlaces, 'place')} can be requested at once`),
    )
  const shares = fairShares(
    found.map((one) => ('refused' in one ? 0 : one.tokens)),
    rules.maxTokens,
  )
  return found.map((one, at) => ('refused' in one ? one : one.within(shares[at] ?? 0)))
}

/**
 * Of code: lines where lines are named, else the definition of the symbol, in the file or without a file the only one in the tree. A file
 * that is not there is the only one whose path ends so; where there is none, the symbol is looked for without it.
 */
async function findPlace(request: ContextRequest, rules: RequestRules): Promise<Found | Refused> {
  if (request.what !== 'code') return findUses(request, rules)
  const symbol = request.symbol.trim()
  const named = plainPath(request)
  const path = named === '' ? '' : await pathInTree(named, rules)
  if (symbol !== '' && (request.line_start === 0 || path === null))
    return await findDefinition(symbol, path ?? '', rules)
  return await findRange(request, path ?? named, rules)
}

/** Null where no file, or more than one, can be meant. */
async function pathInTree(named: string, { head }: RequestRules): Promise<string | null> {
  if ((await head.entry(named)) !== null) return named
  const [only, ...others] = (await head.list()).filter(({ path }) => path.endsWith(`/${named}`))
  return only && others.length === 0 ? only.path : null
}

/** Uses of a symbol, or callers: of a symbol, or of the innermost definition around a line. */
async function findUses(request: ContextRequest, rules: RequestRules): Promise<Found | Refused> {
  const { tools } = rules
  const path = plainPath(request)
  const named = request.symbol.trim()
  const symbol = named === '' && request.what === 'callers' ? await symbolAround(request, path, rules) : named
  if (symbol === '')
    return refuse('unknown-symbol', `no symbol is named, and no definition is around the line`)
  if (!tools) return refuse('switched-off', 'the repository cannot be searched in this run')
  const tool = request.what === 'uses' ? 'find_references' : 'find_callers'
  const call = { tool, args: { symbol, path: path === '' ? null : path } }
  const { evidence, isError } = await askTool(await tools.open(), call, tools.signal)
  if (isError)
    return refuse(
      'unknown-symbol',
      evidence
        .map(({ text }) => text)
        .join(' ')
        .slice(0, longestWhy),
    )
  return {
    tokens: tokensIn(evidence),
    within(maxTokens) {
      const uses = withinTokens(evidence, maxTokens)
      return uses.length > 0
        ? { uses }
        : refuse('too-long', 'the answer does not fit into the tokens that are left')
    },
  }
}

const longestWhy = 300

/** Empty when no definition holds the line. */
async function symbolAround(
  { line_start: line }: ContextRequest,
  path: string,
  { head, facts }: RequestRules,
): Promise<string> {
  const file = await head.read(path)
  if (!file) return ''
  const around = definitionsAround(line, await symbolsIn(path, file, facts))
  return around.sort((a, b) => lengthOf(a) - lengthOf(b))[0]?.name ?? ''
}

async function symbolsIn(
  path: string,
  { blob, text }: FileText,
  facts: RequestRules['facts'],
): Promise<readonly CodeSymbol[]> {
  return (await facts.facts([{ path, blob, text }])).get(path)?.symbols ?? []
}

function definitionsAround(line: number, symbols: readonly CodeSymbol[]): CodeSymbol[] {
  return symbols.filter(({ startLine, endLine }) => startLine <= line && line <= endLine)
}

/** Whole items as long as they fit, and how many are left out; of a single text its first lines. */
function withinTokens(evidence: readonly EvidenceDraft[], maxTokens: number): EvidenceDraft[] {
  const taken: EvidenceDraft[] = []
  let room = maxTokens
  for (const item of evidence) {
    if (tokensOf(item.text) > room) break
    room -= tokensOf(item.text)
    taken.push(item)
  }
  const [next] = evidence.slice(taken.length)
  if (!next) return taken
  const left = evidence.length - taken.length
  if (next.path !== null) return [...taken, toolEvidence('what was left out', `(${left} more do not fit)`)]
  const lines = next.text.split('\n')
  let fit = lines.length
  while (fit > 0 && tokensOf(lines.slice(0, fit).join('\n')) > room) fit--
  const mark = `(${count(lines.length - fit, 'line')} more; they do not fit)`
  return fit === 0 ? taken : [...taken, { ...next, text: [...lines.slice(0, fit), mark].join('\n') }]
}

function tokensIn(evidence: readonly EvidenceDraft[]): number {
  return evidence.reduce((sum, { text }) => sum + tokensOf(text), 0)
}

function plainPath({ file }: ContextRequest): string {
  return file.trim().replace(/^\.\//, '')
}

async function findRange(
  { line_start: startLine, line_end: endLine }: ContextRequest,
  path: string,
  { head, facts }: RequestRules,
): Promise<Found | Refused> {
  if (!isLine(startLine) || !isLine(endLine)) return refuse('no-range', `no lines of ${code(path)} are named`)
  if (endLine < startLine) return refuse('no-range', `the lines ${startLine}-${endLine} run backwards`)
  const file = await head.read(path)
  if (!file) return refuse('absent', `${code(path)} cannot be read after the change`)
  const lines = linesOf(file)
  if (startLine > lines.length)
    return refuse('no-range', `${code(path)} has only ${count(lines.length, 'line')}`)
  const asked = Math.min(endLine, lines.length)
  const around = definitionsAround(asked, await symbolsIn(path, file, facts))
  const ends = around.filter((one) => !isType(one)).map((one) => one.endLine)
  const endsAt = Math.max(asked, ...ends.filter((end) => end - asked <= mostBeyond))
  return linesFound({ path, file, startLine, endLine: endsAt }, 'the')
}

/** Lines behind those asked for, to the end of a definition: what decides is often there. */
const mostBeyond = 40

type Lines = { path: string; file: FileText; startLine: number; endLine: number }
type Definition = Lines & { scope: string }

async function findDefinition(
  symbol: string,
  path: string,
  { head, facts }: RequestRules,
): Promise<Found | Refused> {
  const name = symbol.split(/[.:#]+/).at(-1) ?? symbol
  const holders = path === '' ? ((await head.filesWithWords([name])).get(name) ?? []) : [path]
  if (holders.length > mostFiles)
    return refuse(
      'ambiguous',
      `${code(symbol)} is in ${holders.length} files; name the one that defines it, or lines`,
    )
  const texts = await head.readMany(holders)
  if (path !== '' && !texts.has(path))
    return refuse('absent', `${code(path)} cannot be read after the change`)
  const known = await facts.facts([...texts].map(([at, { blob, text }]) => ({ path: at, blob, text })))
  const all = [...known].flatMap(([at, { symbols }]): Definition[] => {
    const file = texts.get(at)
    return symbols
      .filter((one) => one.name === name && isNamed(symbol, one))
      .flatMap(({ scope, startLine, endLine }) =>
        file ? [{ path: at, file, scope, startLine, endLine }] : [],
      )
  })
  const unparsed = [...texts].flatMap(([at, file]): Definition[] =>
    known.has(at) || isDocsPath(at)
      ? []
      : definitionsInText(linesOf(file), name).map((span) => ({
          path: at,
          file,
          scope: `${span.startLine}`,
          ...span,
        })),
  )
  const found = withoutSignatures(all.length > 0 ? all : unparsed)
  const [only] = found
  if (!only) return refuse('unknown-symbol', `no definition of ${code(symbol)} was found${inFile(path)}`)
  if (found.length > 1)
    return refuse(
      'ambiguous',
      `${code(symbol)} is defined at ${found
        .slice(0, mostNamed)
        .map((one) => code(`${one.path}:${one.startLine}`))
        .join(
          ', ',
        )}${found.length > mostNamed ? ` and ${count(found.length - mostNamed, 'more place')}` : ''}`,
    )
  return linesFound(only, 'its')
}

/** `Store.load` is the `load` of a `Store`, wherever that is; a bare name is any. */
function isNamed(symbol: string, { scope, name }: { scope: string; name: string }): boolean {
  const wanted = symbol.split(/[.:#]+/)
  const own = [...scope.split('.'), name].filter((part) => part !== '')
  return wanted.every((part, at) => own[own.length - wanted.length + at] === part)
}

/** Several signatures of one function count once: the longest has the body. A constructor that is called as its class is inside it. */
function withoutSignatures(all: readonly Definition[]): Definition[] {
  const longest = new Map<string, Definition>()
  for (const one of all) {
    const key = JSON.stringify([one.path, one.scope])
    const known = longest.get(key)
    if (!known || lengthOf(one) > lengthOf(known)) longest.set(key, one)
  }
  const found = [...longest.values()]
  return found.filter((one) => !found.some((other) => other !== one && isInside(one, other)))
}

function isInside(one: Definition, other: Definition): boolean {
  return one.path === other.path && other.startLine <= one.startLine && one.endLine <= other.endLine
}

function lengthOf({ startLine, endLine }: Pick<Definition, 'startLine' | 'endLine'>): number {
  return endLine - startLine
}

function linesFound(span: Lines, whose: string): Found {
  const { file, startLine, endLine } = span
  return {
    tokens: tokensOf(
      linesOf(file)
        .slice(startLine - 1, endLine)
        .join('\n'),
    ),
    within: (maxTokens) => fitLines(span, whose, maxTokens),
  }
}

/** As much from the first line as fits. `whose`: how the mark of a cut begins. */
function fitLines(
  { path, file, startLine, endLine }: Lines,
  whose: string,
  maxTokens: number,
): GrantedRange | Refused {
  const lines = linesOf(file).slice(startLine - 1, endLine)
  let fit = 0
  for (let text = ''; fit < lines.length; fit++) {
    text += `${fit > 0 ? '\n' : ''}${lines[fit]}`
    if (tokensOf(text) > maxTokens) break
  }
  if (fit === 0) return refuse('too-long', `not one line of ${code(path)} fits into the tokens that are left`)
  return {
    path,
    startLine,
    endLine: startLine + fit - 1,
    text: lines.slice(0, fit).join('\n'),
    blob: file.blob,
    cut: fit < lines.length ? `${whose} first ${fit} of ${count(lines.length, 'line')}` : null,
  }
}

/** Without line ends, and without an empty line behind the last. */
function linesOf({ text }: FileText): string[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function isLine(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}

function inFile(path: string): string {
  return path === '' ? '' : ` in ${code(path)}`
}

function code(name: string): string {
  return `\`${visibleLine(name).slice(0, 120)}\``
}

function refuse(kind: FollowUpRefusal, detail: string): Refused {
  return { refused: { kind, detail } }
}

/**
 * What code looks for that would speak against a finding: guards on the way to it, handlers around it, calls with what they pass,
 * tests, and the same line before the change. It says too when there is none, which a judge could not tell from what is shown.
 */

import { askTool } from '../../agent/ask-tool.ts'
import { count } from '../../base/count.ts'
import { isTestPath } from '../../base/file-paths.ts'
import { pathOn } from '../../domain/change-set.ts'
import type { EvidenceDraft } from '../../domain/evidence.ts'
import { nowhere } from '../../domain/evidence.ts'
import { byNameAlone } from '../../domain/symbol-reach.ts'
import { type Around, innermost } from './code-around.ts'
import { guard, namesIn } from './line-words.ts'
import { fileAt, type Place } from './places.ts'
import { type DossierContext, linesOf, snapshotOf } from './sources.ts'

const mostCalls = { code: 3, tests: 2 }
/** A definition with a call in it is shown whole, as its guards may be anywhere. Of a longer one, lines above and below the call. */
const longestCaller = 40
const above = 12
const below = 6
const mostPlaces = 8
/** Guards and handlers, the nearest. */
const mostShown = 6
const mostNames = 6
/** A shorter line, or one with fewer names, is everywhere. */
const shortestLine = 20
const leastNames = 2

const handler = /\b(?:catch|except|finally|recover|rescue)\b/
/** A line of a comment, in any language: words in it keep nothing from happening. */
const comment = /^\s*(?:\/\/|#(?!\w)|\*|\/\*|--|;|"""|''')/
/** Words in it are about something else, and name nothing. */
const literal = /"[^"\n]{0,300}"|'[^'\n]{0,300}'|`[^`\n]{0,300}`/g
/** A shorter name is in every second line. */
const shortestName = 3

/** A line of `find_references`: `src/b.ts:9 call (import): total(first(prices))`. */
const use = /^(.+?):(\d{1,9}) (\w+) \(([^()\n]*)\): /gm

/** Of its first place. The last draft is the account. Rejects only after an abort. */
export async function lookAgainst(
  place: Place,
  around: Around,
  input: DossierContext,
): Promise<EvidenceDraft[]> {
  const source = await snapshotOf(place.side, input).read(around.path)
  if (!source) return []
  const lines = source.text.split('\n')
  const own = lines.slice(place.startLine - 1, place.endLine)
  const { symbol } = around
  const within = symbol ? linesIn(lines, symbol.startLine, symbol.endLine) : []
  const names = namesOn(own)
  const guards = guardsIn(within, names, place)
  const handlers = within.filter(({ text }) => handler.test(text))
  const calls = await callsOf(around, input)
  const before = await sameBefore(own, place, input)
  // What is shown already costs nothing; of a long definition, these may be all that is shown of its beginning.
  const drafts = [...guards, ...handlers].slice(-mostShown).flatMap(({ at }) => {
    const range = { startLine: Math.max(1, at - 1), endLine: at + 1 }
    const title = `a guard or handler in \`${symbol?.name}\``
    return linesOf(source, { path: around.path, side: place.side, ...range }, title) ?? []
  })
  const named = names.slice(0, mostNames).map((one) => `\`${one}\``)
  const account = symbol
    ? [
        `guards above it in \`${symbol.name}\` that name ${named.join(', ') || 'anything'}: ${placesIn(guards)}`,
        // Of a language without any, that there are none says nothing.
        ...(handler.test(source.text)
          ? [`handlers in \`${symbol.name}\` (catch, except, rescue, recover): ${placesIn(handlers)}`]
          : []),
      ]
    : ['it is in no definition: code searched for no guards, handlers or calls']
  return [
    ...[...calls.drafts, ...before.drafts, ...drafts],
    accountOf(place, [...account, ...calls.account, ...before.account]),
  ]
}

function accountOf({ path, startLine }: Place, account: readonly string[]): EvidenceDraft {
  return {
    source: 'tool',
    trust: 'foreign',
    title: `what code looked for that would speak against a finding at ${path}:${startLine}`,
    ...nowhere,
    text: account.join('\n'),
  }
}

type Line = { at: number; text: string }

/** Without comments and quoted text. */
function linesIn(lines: readonly string[], from: number, to: number): Line[] {
  return lines
    .slice(from - 1, to)
    .map((text, index) => ({ at: from + index, text: text.replace(literal, ' ') }))
    .filter(({ text }) => !comment.test(text))
}

/** In the order of the lines, as they are written. */
function namesOn(own: readonly string[]): string[] {
  const text = own
    .filter((line) => !comment.test(line))
    .join('\n')
    .replace(literal, ' ')
  const subjects = namesIn(text)
  const written = text.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []
  const isName = (one: string) => one.length >= shortestName && subjects.has(one.toLowerCase())
  return [...new Set(written.filter(isName))]
}

function guardsIn(within: readonly Line[], names: readonly string[], { startLine }: Place): Line[] {
  const subjects = new Set(names.map((one) => one.toLowerCase()))
  return within.filter(
    ({ at, text }) =>
      at < startLine && guard.test(text) && [...namesIn(text)].some((one) => subjects.has(one)),
  )
}

/** `lines 12, 15`. */
function placesIn(found: readonly Line[]): string {
  if (found.length === 0) return 'none'
  const shown = found.slice(-mostPlaces).map(({ at }) => at)
  return `${found.length === 1 ? 'line' : 'lines'} ${shown.join(', ')}`
}

type Found = { drafts: EvidenceDraft[]; account: string[] }

/** Of the definition around it, from code and from tests. */
async function callsOf(
  { symbol, path }: Around,
  { code, head, facts, signal }: DossierContext,
): Promise<Found> {
  if (!symbol) return { drafts: [], account: [] }
  const calls = `calls of \`${symbol.name}\``
  if (!code) return { drafts: [], account: [`${calls}: the repository cannot be searched`] }
  const toolbox = await code.openToolbox('refute')
  const named = symbol.scope === '' ? symbol.name : `${symbol.scope}.${symbol.name}`
  const wanted = { tool: 'find_references', args: { symbol: named, path, line: symbol.nameLine } }
  const { evidence, isError } = await askTool(toolbox, wanted, signal)
  if (isError) return { drafts: [], account: [`${calls}: the search failed`] }
  const uses = evidence
    .flatMap(({ text }) => [...text.matchAll(use)])
    .map(([, at = '', line, role, how]) => ({
      ...{ path: at, line: Number(line), role },
      isSure: how !== byNameAlone,
    }))
    .sort((a, b) => Number(b.isSure) - Number(a.isSure))
  const all = uses.filter(({ role }) => role === 'call')
  const tests = all.filter((one) => isTestPath(one.path))
  const others = all.filter((one) => !isTestPath(one.path))
  // What is handed on is called from elsewhere, a component is drawn, and what nothing in the code mentions is perhaps never reached.
  const handedOn = uses.filter(({ role, path }) => role !== 'call' && !isTestPath(path))
  const instead =
    others.length > 0 ? [] : handedOn.filter(({ role }) => role !== 'import' && role !== 'export')
  const called = [...others.slice(0, mostCalls.code), ...tests.slice(0, mostCalls.tests)]
  const shown = [...called, ...instead.slice(0, mostCalls.code)]
  const texts = await head.readMany([...new Set(shown.map((one) => one.path))])
  const known = await facts.facts([...texts].map(([at, { blob, text }]) => ({ path: at, blob, text })))
  const drafts = shown.flatMap(({ path: at, line, role }) => {
    const source = texts.get(at)
    const caller = innermost(known.get(at)?.symbols ?? [], line, line)
    const isShort = caller !== null && caller.endLine - caller.startLine < longestCaller
    const range = isShort
      ? { startLine: caller.startLine, endLine: caller.endLine }
      : { startLine: Math.max(1, line - above), endLine: line + below }
    return (
      (source &&
        linesOf(
          source,
          { path: at, side: 'new', ...range },
          `a ${role === 'call' ? 'call' : 'use'} of \`${symbol.name}\``,
        )) ??
      []
    )
  })
  const doubtful = all.filter(({ isSure }) => !isSure).length
  const said = [
    `${others.length} in code`,
    count(tests.length, 'test'),
    ...(doubtful > 0 ? [`${doubtful} of them by name alone, which may call another`] : []),
  ]
  const none = `none found by name and import; what calls it in another way is not known`
  const account = all.length === 0 ? none : `${said.join(', ')}; shown: ${placesOf(called).join(', ')}`
  const rest = placesOf(handedOn.slice(0, mostPlaces), ({ role }) => ` (${role})`).join(', ') || 'none'
  return {
    drafts,
    account: [
      `${calls}: ${account}`,
      ...(others.length === 0 ? [`other uses of \`${symbol.name}\` in code: ${rest}`] : []),
    ],
  }
}

type Use = { path: string; line: number; role: string | undefined }

function placesOf(uses: readonly Use[], more: (use: Use) => string = () => ''): string[] {
  return uses.map((one) => `${one.path}:${one.line}${more(one)}`)
}

/** A line that the change only moved, or wrote once more, was there before. */
async function sameBefore(own: readonly string[], place: Place, input: DossierContext): Promise<Found> {
  const file = fileAt(input.context.change.files, place.path)
  const isOwn = (line: string) => line.length >= shortestLine && namesIn(line).size >= leastNames
  const added = new Set(
    file?.hunks.flatMap(({ lines }) => lines.flatMap((one) => (one.old === null ? one.new : []))),
  )
  const isAdded = (_: string, at: number) => added.has(place.startLine + at)
  const wanted = new Set(
    own
      .filter(isAdded)
      .map((line) => line.trim())
      .filter(isOwn),
  )
  if (place.side === 'old' || wanted.size === 0 || !file || file.oldBlob === null)
    return { drafts: [], account: [] }
  const path = pathOn('old', file)
  const source = await input.base.read(path)
  const at = source?.text.split('\n').findIndex((line) => wanted.has(line.trim())) ?? -1
  if (!source || at === -1)
    return { drafts: [], account: [`the same line in \`${path}\` before the change: none`] }
  const range = { startLine: Math.max(1, at - 1), endLine: at + 3 }
  const draft = linesOf(source, { path, side: 'old', ...range }, 'the same line before the change')
  return {
    drafts: draft ? [draft] : [],
    account: [`the same line in \`${path}\` before the change: line ${at + 1}`],
  }
}

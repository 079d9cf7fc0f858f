/** Answers about code in lines for people. All of it quotes foreign text, so every line is made visible. */
import { count } from '../../base/count.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type {
  Caller,
  CallersAnswer,
  DefinitionsAnswer,
  Emptiness,
  ImpactAnswer,
  OutlineAnswer,
  ReferencesAnswer,
  ServedCallers,
  ServedDefinitions,
  ServedReferences,
  ServerPart,
  SymbolSite,
} from '../../index.ts'
import { flag } from '../input/options.ts'

/** Lines of a list shown in full; the rest is counted, and --json has it. */
const mostShown = 20

/** `src/store.ts:12  method Store.load  load(id: string): Item`. */
export function siteLine(site: SymbolSite): string {
  const marks = site.isTest ? ' (test)' : ''
  return visibleLine(
    `${site.path}:${site.line}  ${site.visibility} ${site.kind} ${nameOf(site)}${marks}  ${site.signature}`,
  )
}

export function describeDefinitions({ name, definitions, textOnly, emptiness }: DefinitionsAnswer): string {
  return lines([
    ...definitions.map(siteLine),
    ...nothing(`No definition of \`${name}\``, emptiness),
    ...textOnlyLines(textOnly),
  ])
}

export function describeReferences(answer: ReferencesAnswer): string {
  return lines([
    siteLine(answer.target),
    ...answer.references.map(
      ({ path, line, role, text, within, how, confidence }) =>
        `  ${path}:${line}  ${role}${within ? ` in ${nameOf(within)}` : ''}  [${how}, ${confidence}]  ${text}`,
    ),
    ...nothing('No reference', answer.emptiness),
    ...doubts(answer),
  ])
}

export function describeCallers(answer: CallersAnswer): string {
  return lines([
    siteLine(answer.target),
    ...answer.callers.map((caller) => {
      const uses = caller.uses.map(({ line, role }) => `${role} at ${line}`).join(', ')
      return `  ${callerPlace(caller)}  [${caller.how}, ${caller.confidence}]  ${uses}`
    }),
    ...nothing('No caller', answer.emptiness),
    ...doubts(answer),
  ])
}

export function describeImpact(answer: ImpactAnswer): string {
  return lines([
    siteLine(answer.target),
    ...answer.steps.map(
      (step) =>
        `  ${step.depth}  ${callerPlace(step)}  [${step.how}, ${step.confidence}]  uses ${step.calls}`,
    ),
    ...nothing('No caller', answer.emptiness),
    ...(answer.unresolved > 0
      ? [`${count(answer.unresolved, 'use')} of the same names could not be resolved.`]
      : []),
    ...answer.cut.map((what) => `Not followed: ${what}.`),
  ])
}

export function nothing(what: string, emptiness: Emptiness | null): string[] {
  if (emptiness === null) return []
  return [
    `${what}: ${emptiness.why}. ${emptiness.isEvidence ? 'This is conclusive.' : 'This is not conclusive.'}`,
  ]
}

export function lines(all: readonly string[]): string {
  return all.map((line) => `${visibleLine(line)}\n`).join('')
}

function nameOf({ scope, name }: Pick<SymbolSite, 'scope' | 'name'>): string {
  return scope === '' ? name : `${scope}.${name}`
}

function callerPlace({ path, symbol }: Pick<Caller, 'path' | 'symbol'>): string {
  if (symbol === null) return `${path}  top level`
  return `${path}:${symbol.line}  ${symbol.kind} ${nameOf(symbol)}${symbol.isTest ? ' (test)' : ''}`
}

function doubts({
  unresolved,
  textOnly,
  limits,
  emptiness,
}: Pick<ReferencesAnswer, 'unresolved' | 'textOnly' | 'limits' | 'emptiness'>): string[] {
  return [
    ...(unresolved.length > 0 ? [`Same name, unresolved (${unresolved.length}):`] : []),
    ...unresolved
      .slice(0, mostShown)
      .map(({ path, line, role, why, text }) => `  ${path}:${line}  ${role}  (${why})  ${text}`),
    ...more(unresolved.length),
    ...textOnlyLines(textOnly),
    ...limits.filter((limit) => limit !== emptiness?.why).map((limit) => `Note: ${limit}.`),
  ]
}

function textOnlyLines(paths: readonly string[]): string[] {
  if (paths.length === 0) return []
  return [
    `Text only, not searched (${paths.length}):`,
    ...paths.slice(0, mostShown).map((path) => `  ${path}`),
    ...more(paths.length),
  ]
}

/** `1-3, 5` of ranges of lines, the first ones of many. */
export function describeRanges(ranges: readonly LineRange[]): string {
  const rest = ranges.length - mostShown
  return [
    ...ranges.slice(0, mostShown).map(describeRange),
    ...(rest > 0 ? [`${rest} more; --json has all`] : []),
  ].join(', ')
}

export function describeRange({ startLine, endLine }: LineRange): string {
  return startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`
}

type LineRange = Pick<OutlineAnswer['errorLines'][number], 'startLine' | 'endLine'>

function more(count: number): string[] {
  return count > mostShown ? [`  … and ${count - mostShown} more; --json has all.`] : []
}

/** Off by default: starting a server takes a second at least, and what it says may depend on its version. */
export const serverOption = {
  server: flag('Also ask a language server, if one is available for the language.'),
}

export function describeServedReferences(answer: ServedReferences): string {
  return describeReferences({ ...answer, references: answer.references.map(named) }) + part(answer.server)
}

export function describeServedCallers(answer: ServedCallers): string {
  return describeCallers({ ...answer, callers: answer.callers.map(named) }) + part(answer.server)
}

export function describeServedDefinitions(answer: ServedDefinitions): string {
  const { definitions, others, server } = answer
  const both = definitions.filter(({ sources }) => sources.length > 1).length
  return (
    describeDefinitions(answer) +
    lines(
      others.map(
        ({ path, line, scope, name, sources }) =>
          `${path}:${line}  ${scope === '' ? '' : `${scope}.`}${name}  (${sources.join(', ')} alone)`,
      ),
    ) +
    (server.state === 'silent'
      ? ''
      : lines([`${both} of ${definitions.length} are also listed by the server.`])) +
    part(server)
  )
}

/** The sources stand beside how the edge was resolved. */
function named<Edge extends { how: string; sources: string[] }>(edge: Edge): Edge {
  return { ...edge, how: `${edge.how}; ${edge.sources.join(' and ')}` }
}

function part({ source, state, why }: ServerPart): string {
  if (state === 'silent')
    return lines([`Answered by the index only: ${source ?? 'no server'}: ${why ?? 'silent'}.`])
  return lines([`Server: ${source ?? '?'}, ${state}${why === null ? '' : `: ${why}`}.`])
}

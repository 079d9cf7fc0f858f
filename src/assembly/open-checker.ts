/**
 * Opens the checker of a review: language servers on both sides of the change, started when somebody asks, bounded in
 * time, and with every answer in the journal, so that a replay hears the same without a server.
 */
import { canonicalJson, sha256 } from '../base/canonical-json.ts'
import { UserError } from '../base/errors.ts'
import { OutOfTime, withinSeconds } from '../base/time-budget.ts'
import { languageOf } from '../code-index/language-of.ts'
import type {
  LanguageServers,
  Location,
  ServerAnswer,
  ServerDiagnostic,
} from '../code-index/language-servers/contract.ts'
import type { Side } from '../domain/change-set.ts'
import type { Journal } from '../domain/journal.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import type { Attributed, CheckedPlace, Checker, Problem } from '../pipeline/validation/checker/contract.ts'
import { runRecorded } from './run-recorded.ts'

export type OpenedChecker = Checker & {
  /** What a person should know: that the time was too short. */
  remarks(): string[]
  /** Ends all servers. */
  close(): Promise<void>
}

export type CheckerParts = {
  /** As it was collected, not as it is recorded: what servers read is no part of the run. */
  change: Pick<CollectedChange, 'base' | 'head'>
  /** Opens the servers of one side; null in a replay, where only the journal answers. */
  openServers: ((side: Side) => LanguageServers) | null
  journal: Journal | null
  /** For all questions together. */
  seconds: number
  signal: AbortSignal
}

type Question = { ask: keyof Checker; side: Side; path: string; more?: object }

/** Types that everything fits, in the words of servers. */
const anything = /\b(?:any|Any|Unknown)\b|invalid type/
/** What servers say is foreign. */
const wellFormedCode = /^[\w.:/-]{1,60}$/
/** Words of a message that are looked for in the file. */
const mostNames = 100
const mostProblems = 2_000

export function openChecker({ change, openServers, journal, seconds, signal }: CheckerParts): OpenedChecker {
  const trees = { old: change.base.tree, new: change.head.tree }
  const opened = new Map<Side, LanguageServers>()
  const answers = new Map<string, Promise<unknown>>()
  let spentMs = 0
  let wasLate = false

  function serversOf(side: Side): LanguageServers | null {
    const servers = opened.get(side) ?? openServers?.(side) ?? null
    if (servers) opened.set(side, servers)
    return servers
  }

  /** Each question once in a run; null is no answer. */
  function ask<Answer>(
    question: Question,
    work: (servers: LanguageServers) => Promise<Attributed<Answer> | null>,
  ): Promise<Attributed<Answer> | null> {
    const key = canonicalJson(question)
    const known = answers.get(key) as Promise<Attributed<Answer> | null> | undefined
    if (known) return known
    const answer = onRecord(question, work)
    answers.set(key, answer)
    return answer
  }

  async function onRecord<Answer>(
    { ask: name, side, path, more }: Question,
    work: (servers: LanguageServers) => Promise<Attributed<Answer> | null>,
  ): Promise<Attributed<Answer> | null> {
    const servers = serversOf(side)
    type Kept = { told: Attributed<Answer> | null }
    const input = { version: 2, tree: trees[side], path, ...more }
    // An earlier run's answer stands when the same server in the same version would be asked.
    const stands = async ({ told }: Kept) =>
      servers === null || (told !== null && told.by === (await servers.serverFor(languageOf(path) ?? '')))
    try {
      const address = `validate/${name} ${path}`
      const task = { kind: 'tool', address, tool: `language-server-${name}`, input } as const
      const done = async (): Promise<Kept> => ({ told: servers ? await inTime(servers, work) : null })
      return (await runRecorded(journal, task, done, stands)).result.told
    } catch (error) {
      // A replay of a run that did not ask has no answers.
      if (error instanceof UserError) return null
      throw error
    }
  }

  async function inTime<Answer>(
    servers: LanguageServers,
    work: (servers: LanguageServers) => Promise<Attributed<Answer> | null>,
  ): Promise<Attributed<Answer> | null> {
    const leftMs = Math.ceil(seconds * 1000 - spentMs)
    wasLate ||= leftMs <= 0
    if (leftMs <= 0) return null
    const startedAt = performance.now()
    try {
      return await withinSeconds(leftMs / 1000, signal, () => work(servers))
    } catch (error) {
      signal.throwIfAborted()
      // Anything else is a fault of ours in reading a server's answer, and must not take the review with it.
      wasLate ||= error instanceof OutOfTime
      return null
    } finally {
      spentMs += performance.now() - startedAt
    }
  }

  const problems = (question: Question, text?: string) =>
    ask(question, async (servers) => {
      const { path, side } = question
      const answer = await servers.diagnostics(path, text)
      const { checksTypes, knowsGlobals } = answer
      const own = text ?? (await (side === 'old' ? change.base : change.head).read(path))?.text ?? ''
      return tell(answer, (found) => ({ checksTypes, knowsGlobals, problems: toProblems(found, own) }))
    })
  const placeOf = ({ line, column }: CheckedPlace) => ({ line, column })
  return {
    problems: (side, path) => problems({ ask: 'problems', side, path }),
    problemsWith: (path, text) =>
      problems({ ask: 'problemsWith', side: 'new', path, more: { text: sha256(text) } }, text),
    definition: (at) =>
      ask({ ask: 'definition', side: 'new', path: at.path, more: placeOf(at) }, async (servers) => {
        const answer = await servers.definition(at)
        return tell(answer, (found) => ({ places: toPlaces(found), outside: answer.outside }))
      }),
    references: (at) =>
      ask({ ask: 'references', side: 'new', path: at.path, more: placeOf(at) }, async (servers) =>
        tell(await servers.references(at), (found) => ({ places: toPlaces(found) })),
      ),
    type: (at) =>
      ask({ ask: 'type', side: 'new', path: at.path, more: placeOf(at) }, async (servers) =>
        tell(await servers.type(at), ([type]) => ({ isKnown: type !== undefined && !anything.test(type) })),
      ),
    remarks: () =>
      wasLate
        ? [`language servers did not answer all questions within ${seconds} s (\`validation.serverSeconds\`)`]
        : [],
    async close() {
      await Promise.all([...opened.values()].map((servers) => servers.close()))
    },
  }
}

/** Only whole answers count. */
function tell<Found, Answer>(
  { source, state, found }: ServerAnswer<Found>,
  read: (found: readonly Found[]) => Answer,
): Attributed<Answer> | null {
  return state === 'complete' && source !== null ? { by: source, ...read(found) } : null
}

/** `text`: of the file that they are about. */
function toProblems(found: readonly ServerDiagnostic[], text: string): Problem[] {
  const known = new Set(wordsOf(text))
  return found
    .filter(({ severity }) => severity === 'error')
    .slice(0, mostProblems)
    .map(({ path, line, column, endLine, endColumn, message, code, isAbsence }) => ({
      path,
      line,
      column,
      endLine,
      endColumn,
      names: namesIn(message.split('\n')[0] ?? '', known),
      messageId: sha256(message).slice(0, 16),
      code: code !== null && wellFormedCode.test(code) ? code : null,
      isAbsence,
    }))
}

function namesIn(message: string, known: ReadonlySet<string>): string[] {
  const names = wordsOf(message).slice(0, mostNames)
  return [...new Set(names)].filter((name) => known.has(name))
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []
}

function toPlaces(found: readonly Location[]): CheckedPlace[] {
  return found.map(({ path, line, column }) => ({ path, line, column }))
}

/** Runs in a separate child process: matches rules against texts of one language. Ends with its parent. */
import { outOfMemory, serveBatches } from '../../../../base/serve-batches.ts'
import { loadEngine } from './load-engine.ts'
import { type Engine, matchText, planSearch, type Search } from './match-text.ts'
import type { Batch, Question, Reply } from './protocol.ts'

/** Resident bytes past which the child wants to be replaced: the engine never gives memory back. */
const full = 200 * 2 ** 20

serveBatches(work)

async function work(
  { language, questions, texts, mostMatches }: Batch,
  send: (reply: Reply) => Promise<void>,
): Promise<void> {
  const engine = await loadEngine(language)
  const { refused, search } = prepared(engine, language, questions)
  await send({ type: 'ready', refused })
  for (const [index, text] of texts.entries()) {
    const answer = orGiveUp(() => matchText(engine, language, search, text, mostMatches))
    await send({ type: 'answer', index, ...answer })
    if (index < texts.length - 1 && process.memoryUsage.rss() > full) {
      await send({ type: 'full' })
      return
    }
  }
  await send({ type: process.memoryUsage.rss() > full ? 'full' : 'done' })
}

type Prepared = { refused: { question: number; message: string }[]; search: Search }

/** The same rules are asked about the code before and after a change, and of an agent's next text. */
const known = new Map<string, Prepared>()
const mostKnown = 4

function prepared(engine: Engine, language: string, questions: readonly Question[]): Prepared {
  const key = JSON.stringify([language, questions])
  const { refused, search } = known.get(key) ?? prepare(engine, language, questions)
  known.delete(key)
  if (known.size >= mostKnown) known.clear()
  known.set(key, { refused, search })
  // What a batch may spend on walks is its own.
  return { refused, search: { ...search } }
}

function prepare(engine: Engine, language: string, questions: readonly Question[]): Prepared {
  const refused = questions.flatMap((question, index) => {
    const message = refusal(engine, language, question)
    return message === null ? [] : [{ question: index, message }]
  })
  const bad = new Set(refused.map(({ question }) => question))
  const accepted = questions.map((question, index) => (bad.has(index) ? null : question))
  return { refused, search: planSearch(engine, language, accepted) }
}

/** Node has it, but its types leave it to those of browsers. */
declare const WebAssembly: { RuntimeError: new () => Error }

/** After a trap, most likely out of memory, the engine is of no more use, and the same text would end it again. */
function orGiveUp<Answer>(match: () => Answer): Answer {
  try {
    return match()
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) process.exit(outOfMemory)
    throw error
  }
}

/** The engine's message when it cannot use this matcher, or null. */
function refusal(engine: Engine, language: string, { matcher }: Question): string | null {
  const tree = engine.parse(language, '')
  try {
    tree.root().findAll(matcher)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    tree.free()
  }
}

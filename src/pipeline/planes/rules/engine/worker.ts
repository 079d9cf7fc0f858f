/** Runs in a child process of its own: matches rules against texts of one language. Ends with its parent. */
import { serveBatches } from '../../../../base/serve-batches.ts'
import { type Engine, loadEngine } from './ast-grep.ts'
import { matchText, planSearch } from './match-text.ts'
import type { Batch, Question, Reply } from './protocol.ts'

/** Resident bytes past which the child wants to be replaced: the engine never gives memory back. */
const full = 400 * 2 ** 20

serveBatches(work)

async function work(
  { language, questions, texts, mostMatches }: Batch,
  send: (reply: Reply) => Promise<void>,
): Promise<void> {
  const engine = await loadEngine(language)
  const refused = questions.flatMap((question, index) => {
    const message = refusal(engine, language, question)
    return message === null ? [] : [{ question: index, message }]
  })
  await send({ type: 'ready', refused })
  const bad = new Set(refused.map(({ question }) => question))
  const search = planSearch(questions.map((question, index) => (bad.has(index) ? null : question)))
  for (const [index, text] of texts.entries()) {
    await send({ type: 'answer', index, ...matchText(engine, language, search, text, mostMatches) })
    if (index < texts.length - 1 && process.memoryUsage.rss() > full) {
      await send({ type: 'full' })
      return
    }
  }
  await send({ type: 'done' })
}

/** The engine's own words on why it cannot use this matcher, or null. */
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

/** What was asked about a review so far: each question is a run of its own, which keeps all that was said before it. */
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { AskedTurn } from '../domain/asked-turn.ts'
import { findRun, listRuns, type StoredRun } from '../storage/runs/stored-run.ts'
import type { Services } from './services.ts'

/** What the header of such a run says of it. */
const AskOptions = z.object({
  of: z.string(),
  question: z.string(),
  earlier: z.array(AskedTurn),
  asking: z.string().optional(),
})

/** Of a run that answers a question: the whole conversation up to its own answer. Throws `run-unreadable` for another run. */
export function turnsOf(stored: StoredRun): AskedTurn[] {
  const turn = turnOf(stored)
  return [...askOf(stored).earlier, ...(turn ? [turn] : [])]
}

/** Throws `run-unreadable` for a run that answers no question. */
export function askOf(stored: StoredRun): z.infer<typeof AskOptions> {
  const ask = AskOptions.safeParse(stored.header.options.ask)
  if (ask.success) return ask.data
  throw new UserError('run-unreadable', `run ${stored.header.run} does not answer a question`)
}

/** Null until it is answered. */
export function turnOf({ entries }: StoredRun): AskedTurn | null {
  const notes = entries.flatMap((entry) => (entry.type === 'note' ? [entry.note] : []))
  const note = notes.findLast(({ type }) => type === 'ask')
  const turn = AskedTurn.safeParse(note?.detail)
  return turn.success ? turn.data : null
}

/** The review that is asked about, and what was said about it so far. */
export async function conversationOf(
  asked: string,
  { isNew, asking }: { isNew: boolean; asking: string | undefined },
  { runs }: Services,
): Promise<{ review: StoredRun; earlier: AskedTurn[] }> {
  const { run } = await findRun(runs, asked)
  const ask = AskOptions.safeParse(run.header.options.ask)
  const of = ask.success ? ask.data.of : run.header.run
  const review = ask.success ? (await findRun(runs, of)).run : run
  if (isNew) return { review, earlier: [] }
  const known = ask.success && asking === undefined ? [] : await questionsAbout(of, runs)
  const repeated = asking === undefined ? undefined : known.find((one) => one.ask.asking === asking)
  if (repeated) return { review, earlier: repeated.ask.earlier }
  const last = ask.success ? run.header.run : known.find(({ state }) => state === 'finished')?.run
  if (last === undefined) return { review, earlier: [] }
  const { run: continued } = await findRun(runs, last)
  const turn = turnOf(continued)
  return { review, earlier: turn ? [...askOf(continued).earlier, turn] : [] }
}

const searchedRuns = 100

/** Newest first. */
async function questionsAbout(of: string, runs: Services['runs']) {
  const { runs: newest } = await listRuns(runs, searchedRuns)
  return newest.flatMap(({ header, state }) => {
    const ask = AskOptions.safeParse(header.options.ask)
    return ask.success && ask.data.of === of ? [{ run: header.run, state, ask: ask.data }] : []
  })
}

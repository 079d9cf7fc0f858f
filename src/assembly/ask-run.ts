/** Questions about a recorded review: on its frozen change, with its tools, on record like a review, and priced. */

import type { AskedTurn } from '../domain/asked-turn.ts'
import type { Evidence } from '../domain/evidence.ts'
import type { Finding } from '../domain/finding.ts'
import type { RunCost } from '../domain/model-call.ts'
import type { Review } from '../domain/review.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { findByName, foldLedger } from '../ledger/fold.ts'
import { openFence } from '../llm/fence-of-run.ts'
import { answerQuestion } from '../pipeline/answer-question.ts'
import { findRun } from '../storage/runs/stored-run.ts'
import { askOf, conversationOf, turnOf } from './conversations.ts'
import { keysOf } from './follow-findings.ts'
import {
  type AboutParts,
  type FrozenFrom,
  onRecordAbout,
  openAnswering,
  openFromRecord,
  openFrozen,
  readFrozen,
} from './frozen-review.ts'
import type { PreparedModels } from './open-models.ts'
import type { Services } from './services.ts'

export type AskOptions = {
  /** A run, or an earlier question about one, which is continued. */
  run: string
  question: string
  /** Begins a new conversation instead of continuing the last one about this run. */
  isNew: boolean
  /** Names of the finding that the question is about, as the ledger knows them. */
  about?: readonly string[]
  /**
   * Names this asking where it may be repeated, as by a job whose worker was killed: it then goes on from where it first did,
   * and what was answered is taken from the record instead of paid for again.
   */
  asking?: string
  from: FrozenFrom
}

export type Asked = {
  /** The review that it is about, and the run of this question; null when it is not kept. */
  of: string
  run: string | null
  turn: AskedTurn
  /** Findings of the review by id, for people. */
  titles: ReadonlyMap<string, string>
  /** What is cited, by number. */
  evidence: ReadonlyMap<string, Evidence>
  cost: RunCost
  remarks: string[]
}

/** Rejects with `run-unknown`, `run-unreadable`, `no-model`. */
export async function askAboutRun(
  { run: asked, question: words, isNew, about = [], asking, from }: AskOptions,
  services: Services,
  prepared: PreparedModels,
): Promise<Asked> {
  const { review: stored, earlier } = await conversationOf(asked, { isNew, asking }, services)
  const frozen = await readFrozen(stored, services)
  const { review } = frozen
  const question = aboutFinding(words, about, review)
  const { change, shortage } = await openFrozen(review, frozen.reads, from, services)
  try {
    const label = `question about ${stored.header.run}`
    const record = { question, earlier, ...(asking === undefined ? {} : { asking }) }
    const ask = { kind: 'ask', label, record } as const
    const answered = await onRecordAbout(frozen, ask, change, prepared, services, async (outside) => {
      const done = await answer({ review, change, question, earlier, outside, services })
      return { done, detail: done.turn }
    })
    const conceded = await concede(answered.turn, review, change, services)
    return { ...answered, remarks: [...(shortage === null ? [] : [shortage]), ...conceded] }
  } finally {
    if (!('change' in from) || change !== from.change) await change.close()
  }
}

const goneSince = 'the newest review does not have this finding any more.'
const needsModel =
  'a free question needs a model, and none is set up here. `@sightline explain ID` needs none.'

/** Where no model may be asked: what the review recorded of the finding. Rejects with `run-unknown`, `run-unreadable`. */
export async function answerFromRecord(
  { run, question, about = [] }: Pick<AskOptions, 'run' | 'question' | 'about'>,
  services: Services,
): Promise<
  Pick<Asked, 'of' | 'run' | 'turn' | 'titles' | 'evidence' | 'remarks'> & { cost: { usd: number } }
> {
  const { review: stored } = await conversationOf(run, { isNew: true, asking: undefined }, services)
  const { review } = await readFrozen(stored, services)
  const finding = findingOf(about, review)
  const { explanation = '', remedy = null, verifiedBy = [], evidence = [] } = finding ?? {}
  const texts = [
    'No model is set up here. This is what the review recorded:',
    explanation,
    ...(remedy === null ? [] : [`Suggested fix: ${remedy}`]),
    ...(verifiedBy.length === 0 ? [] : [`Verified: ${verifiedBy.join('; ')}.`]),
  ]
  const turn = {
    ...{ question, cannot: '', disputed: null },
    statements: finding
      ? texts.map((text, at) => ({ text, citations: at === 1 ? evidence : [], isGuess: false }))
      : [],
    failed: finding ? null : about.length > 0 ? goneSince : needsModel,
  }
  return {
    ...{ of: stored.header.run, run: null, turn, remarks: [], cost: { usd: 0 } },
    titles: new Map(review.findings.map(({ id, title }) => [id, title])),
    evidence: new Map(review.evidence.map((item) => [item.id, item])),
  }
}

function findingOf(about: readonly string[], { findings }: Review): Finding | undefined {
  return findings.find(({ fingerprint }) =>
    about.some((name) => fingerprint.startsWith(name.split('-')[0] ?? name)),
  )
}

/** The words of the person, with the finding named that they wrote them under. */
function aboutFinding(words: string, about: readonly string[], review: Review): string {
  const finding = findingOf(about, review)
  return finding ? `About ${finding.id}: ${words}` : words
}

/** The same question from its record alone: no model is asked. `isIdentical`: the answer is the same to the byte. */
export async function replayQuestion(
  run: string,
  services: Services,
): Promise<Asked & { isIdentical: boolean }> {
  const { run: stored } = await findRun(services.runs, run)
  const { of, question, earlier } = askOf(stored)
  const answered = await answer({ ...(await openFromRecord(stored, services)), question, earlier })
  const isIdentical = JSON.stringify(answered.turn) === JSON.stringify(turnOf(stored))
  return { of, run: stored.header.run, ...answered, remarks: [], isIdentical }
}

type AnswerInput = AboutParts & { question: string; earlier: readonly AskedTurn[] }

async function answer({ question, earlier, ...about }: AnswerInput) {
  const { review, outside } = about
  const { tools, config, parts } = await openAnswering(about, 'a question needs a model; none may be asked.')
  const { turn, context } = await answerQuestion({
    ...parts,
    question,
    earlier,
    findings: review.findings,
    explorer: tools,
    fence: await openFence(`${review.context} ask`, outside.journal),
    config,
    onEvent: about.services.onEvent,
  })
  return {
    turn,
    titles: new Map(review.findings.map(({ id, title }) => [id, title])),
    evidence: new Map(context.evidence.map((item) => [item.id, item])),
    cost: parts.gateway.cost(),
  }
}

/** What the code shows to be wrong is dismissed, with the words of the code that show it. */
async function concede(
  { disputed }: AskedTurn,
  review: Review,
  change: CollectedChange,
  { ledger: store, now }: Services,
): Promise<string[]> {
  const finding = review.findings.find(({ id }) => id === disputed?.finding)
  if (disputed?.outcome !== 'conceded' || !finding) return []
  const { repository } = await keysOf(change)
  const ledger = foldLedger((await store.read(repository)).events)
  const [known] = findByName(ledger, finding.fingerprint.slice(0, 16))
  if (!known || known.dismissal) return []
  await store.append(repository, [
    {
      id: `conceded ${known.id} ${known.last.id}`.slice(0, 100),
      at: now().toISOString(),
      change: known.change,
      finding: known.id,
      type: 'dismissed',
      by: { kind: 'sightline', name: 'Sightline' },
      because: disputed.check.reason,
      kind: 'wrong',
      reach: { kind: 'here' },
      evidence: disputed.check.citations,
    },
  ])
  return [`the finding was dismissed: ${disputed.check.reason}`]
}

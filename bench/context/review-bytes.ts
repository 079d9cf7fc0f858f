/**
 * How many bytes does a review send, when its scout asks what the scout of an earlier evaluation with readers asked?
 *
 *   node bench/context/review-bytes.ts --mirrors FOLDER --desk FOLDER [--cache FOLDER] [--texts FOLDER] [--json FILE] CASES.jsonl…
 *
 * Over the cases of which the desk (`npm run evals -- desk`) holds questions, at depth standard, nothing cut for time. No
 * model is asked: each round makes the calls that are in the answers of the desk. Prints the bytes of the rounds and of the
 * first questions to reviewers, and how many of them no earlier prompt of the case begins with; beside them what the
 * desk was sent for the same. Follow-ups and independent checks depend on answers and are not in it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bytesOf, newBytes } from '../../evals/desk/new-bytes.ts'
import type { ToolCall } from '../../src/agent/contract.ts'
import { openContextTools } from '../../src/assembly/open-context-tools.ts'
import { showContext } from '../../src/assembly/show-context.ts'
import { createFence } from '../../src/base/untrusted/untrusted.ts'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { Config } from '../../src/config/schema.ts'
import { defaultSettings } from '../../src/config/settings/schema.ts'
import { openEvidenceBook } from '../../src/domain/evidence.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import type { Question } from '../../src/llm/contract.ts'
import { exploreChange } from '../../src/pipeline/explore/explore-change.ts'
import { renderScoutRequest } from '../../src/pipeline/explore/scout-request.ts'
import { scriptedGateway } from '../../test/helpers/scripted-gateway.ts'
import { type ContextCase, readCases } from './cases.ts'
import { planReview } from './plan-review.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mirrors: { type: 'string' },
    desk: { type: 'string' },
    cache: { type: 'string' },
    texts: { type: 'string' },
    json: { type: 'string' },
  },
})
const { mirrors, desk } = values
if (!mirrors || !desk || positionals.length === 0)
  throw new Error('see the head of this file for its options')

type Round = { reasoning: string; tools: ToolCall[]; done: boolean }
type Sent = { rounds: number[]; reviewer: number[]; new: number }

const config = Config.parse({
  review: { depth: 'standard' },
  explore: { seconds: 600 },
  context: { graphSeconds: 600, historySeconds: 60 },
})
const cacheFolder = values.cache ?? null
const facts = createFactStore({ cacheFolder })
const { signal } = new AbortController()
const rows: { id: string; now: Sent; desk: Sent }[] = []
try {
  for (const one of readCases(positionals, mirrors)) {
    const asked = readDesk(join(desk, one.head.slice(0, 12), 'reader'))
    if (!asked) continue
    try {
      const now = await measure(one, asked.rounds)
      rows.push({ id: one.id, now, desk: asked.sent })
      console.log(`${one.id}: ${words(now)}; at the desk ${words(asked.sent)}`)
    } catch (error) {
      console.log(`${one.id}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
} finally {
  await facts.close()
}
const total = (of: (row: (typeof rows)[number]) => Sent) => {
  const all = rows.map(of)
  const sent = sum(all.flatMap(({ rounds, reviewer }) => [...rounds, ...reviewer]))
  return `${Math.round(sent / rows.length / 1000)} KB a review, of which new ${Math.round(sum(all.map((one) => one.new)) / rows.length / 1000)}`
}
console.log(`\n${rows.length} cases: ${total(({ now }) => now)}; at the desk ${total((row) => row.desk)}`)
if (values.json) writeFileSync(values.json, `${JSON.stringify(rows, null, 1)}\n`)

function words({ rounds, reviewer, new: fresh }: Sent): string {
  return `rounds ${rounds.join(' + ')}, reviewer ${reviewer.join(' + ')}, new ${fresh}`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}

/** The rounds of a scout and the first questions to reviewers of one case, in the order of the desk. */
function readDesk(folder: string): { rounds: Round[]; sent: Sent } | null {
  if (!existsSync(folder)) return null
  const rounds: Round[] = []
  const sent: Sent = { rounds: [], reviewer: [], new: 0 }
  for (const name of readdirSync(folder).sort()) {
    const at = (file: string) => join(folder, name, file)
    if (!existsSync(at('answer.json')) || !existsSync(at('size.json'))) continue
    const answer = JSON.parse(readFileSync(at('answer.json'), 'utf8')) as Partial<Round>
    const size = JSON.parse(readFileSync(at('size.json'), 'utf8')) as { bytes: number; newBytes: number }
    const raw = JSON.parse(readFileSync(at('raw.json'), 'utf8')) as { messages: { role: string }[] }
    const isFollowUp = !answer.tools && raw.messages.some(({ role }) => role === 'assistant')
    if (isFollowUp) continue
    if (answer.tools) rounds.push({ reasoning: '', done: false, ...answer } as Round)
    sent[answer.tools ? 'rounds' : 'reviewer'].push(size.bytes)
    sent.new += size.newBytes
  }
  return { rounds, sent }
}

async function measure(
  { id, folder, base, head }: ContextCase & { folder: string },
  rounds: readonly Round[],
): Promise<Sent> {
  const selector = { kind: 'range', range: `${base}..${head}` } as const
  const change = await collectLocal({ folder, selector, limits: config.limits })
  try {
    const { sandbox } = defaultSettings
    const fence = createFence('0123456789abcdef')
    const { context } = await showContext({ change, config, facts, signal })
    const tools = openContextTools({ change, facts, cacheFolder, config, journal: null, sandbox, signal })
    const scout = scriptedGateway(
      (_, number) => rounds[number - 1] ?? { reasoning: '', tools: [], done: true },
    )
    const explored = await exploreChange({
      context,
      change: renderScoutRequest(context, fence),
      gateway: scout,
      toolbox: await tools.openToolbox(),
      fence,
      config,
      elapsedSeconds: async () => 0,
      onEvent: () => {},
      note: () => {},
      signal,
    })
    const book = openEvidenceBook(context.evidence)
    for (const item of explored.evidence) book.add(item)
    const questions = await planReview({
      context: { ...context, evidence: [...book.items] },
      head: change.head,
      facts,
      config,
      signal,
    })
    const asked = scout.questions.map(textsOf)
    const reviewed = questions.map(textsOf)
    const prompts = [...asked, ...reviewed]
    keepTexts(id, prompts)
    return {
      rounds: asked.map(bytesOf),
      reviewer: reviewed.map(bytesOf),
      new: sum(prompts.map((prompt, at) => newBytes(prompt, prompts.slice(0, at)))),
    }
  } finally {
    await change.close()
  }
}

/** One text for each message. */
function textsOf({ instructions, turns }: Pick<Question<unknown>, 'instructions' | 'turns'>): string[] {
  const text = (parts: readonly { text: string }[]) => parts.map((part) => part.text).join('')
  return [text(instructions), ...turns.map(({ parts }) => text(parts))]
}

function keepTexts(id: string, prompts: readonly string[][]): void {
  if (!values.texts) return
  const folder = join(values.texts, id.replaceAll(/[^\w.-]+/g, '_'))
  mkdirSync(folder, { recursive: true })
  for (const [at, texts] of prompts.entries())
    writeFileSync(join(folder, `${at + 1}.md`), texts.join('\n\n-----\n\n'))
}

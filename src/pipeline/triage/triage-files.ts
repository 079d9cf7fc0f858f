/**
 * Triage: which categories are worth asking about in which file. Rules first; a scout is asked once about what they leave
 * open. Whatever is not certain is asked about.
 */
import { z } from 'zod'
import { readPrompt } from '../../base/package-root.ts'
import { type Fence, Untrusted } from '../../base/untrusted/untrusted.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { FileChange } from '../../domain/change-set.ts'
import type { SkippedPair, Triage } from '../../domain/coverage.ts'
import type { EventListener } from '../../domain/events.ts'
import type { Candidate } from '../../domain/finding.ts'
import type { EstimateOf } from '../../domain/model-report.ts'
import { Category } from '../../domain/severity.ts'
import type { AnswerShape, Gateway, Question } from '../../llm/contract.ts'
import { type Weighed, weighFile } from './weigh-file.ts'

export type TriageInput = {
  /** Those that a person would read. */
  files: readonly FileChange[]
  /** Categories of the planes that will be asked; no other is worth a question. */
  categories: ReadonlySet<Category>
  /** Of planes of code: a category in which they found something is asked about. */
  candidates: readonly Pick<Candidate, 'anchor' | 'category'>[]
  /** False: everything that rules leave open is asked about. */
  scout: boolean
  /** The change as a scout may see it, fenced. */
  change: string
  gateway: Gateway
  fence: Fence
  onEvent: EventListener
  signal: AbortSignal
}

/** Never fails for what a model does. In path order, whichever file was weighed first. */
export async function triageFiles(input: TriageInput): Promise<Triage> {
  const weighed = weighAll(input)
  const leftOut: LeftOut = input.scout
    ? await askScout({ ...input, files: openFiles(weighed, input.categories) })
    : new Map()
  const triage: Triage = { files: [], skipped: [] }
  for (const [path, { skipped }] of weighed) {
    const said = leftOut.get(path) ?? new Map<Category, string>()
    const pairs = Category.options.flatMap((category): SkippedPair[] => {
      const [rule, scout] = [skipped.get(category), said.get(category)]
      if (rule !== undefined) return [{ path, category, by: 'rule', reason: rule }]
      return scout === undefined ? [] : [{ path, category, by: 'scout', reason: scout }]
    })
    const gone = new Set(pairs.map(({ category }) => category))
    const categories = Category.options.filter((category) => !gone.has(category))
    triage.files.push({ path, categories, by: said.size > 0 ? 'scout' : 'rule' })
    triage.skipped.push(...pairs.filter(({ category }) => input.categories.has(category)))
  }
  const byScout = triage.skipped.filter(({ by }) => by === 'scout').length
  const { files, skipped } = triage
  input.onEvent({ type: 'triage', files: files.length, skipped: skipped.length, byScout })
  return triage
}

/** What the scout's question would take at most; null when nothing is left to ask. Sends nothing. */
export function estimateTriage(input: Omit<TriageInput, 'onEvent'>): EstimateOf | null {
  const files = openFiles(weighAll(input), input.categories)
  if (!input.scout || files.length === 0 || !input.gateway.modelOf('scout')) return null
  return { calls: 1, ...input.gateway.estimate(triageQuestion({ ...input, files })) }
}

function weighAll({ files, candidates }: Pick<TriageInput, 'files' | 'candidates'>): Map<string, Weighed> {
  const found = new Map<string, Set<Category>>()
  for (const { anchor, category } of candidates)
    found.set(anchor.path, (found.get(anchor.path) ?? new Set<Category>()).add(category))
  const inOrder = files.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  const weighed = new Map(inOrder.map((file) => [file.path, weighFile(file, found.get(file.path))]))
  return withoutIdle(weighed)
}

const noCost = 'no loop, query, request or growing collection in any changed line'

/**
 * Performance is asked about in no file when no changed line of the whole change gives it anything to read: its plane would
 * be paid for an empty answer. With one sign anywhere it is asked about in all files, since costs reach across files.
 */
function withoutIdle(weighed: ReadonlyMap<string, Weighed>): Map<string, Weighed> {
  const isIdle = [...weighed.values()].every(
    ({ skipped, open }) => skipped.has('performance') || open.includes('performance'),
  )
  if (!isIdle) return new Map(weighed)
  return new Map(
    [...weighed].map(([path, one]) => [
      path,
      one.skipped.has('performance')
        ? one
        : {
            ...one,
            skipped: new Map([...one.skipped, ['performance' as const, noCost]]),
            open: one.open.filter((category) => category !== 'performance'),
          },
    ]),
  )
}

function openFiles(weighed: ReadonlyMap<string, Weighed>, categories: ReadonlySet<Category>) {
  return [...weighed].flatMap(([path, { open }]) => {
    const asked = open.filter((category) => categories.has(category))
    return asked.length === 0 ? [] : [{ path, open: asked }]
  })
}

/** A file with the categories that a scout may leave out. */
type OpenFile = { path: string; open: readonly Category[] }

/** By path and category, the scout's reason. */
type LeftOut = ReadonlyMap<string, ReadonlyMap<Category, string>>

type ScoutInput = {
  files: readonly OpenFile[]
  /** The change as a scout may see it, fenced. */
  change: string
  fence: Fence
  gateway: Gateway
  signal: AbortSignal
}

/**
 * Asks a cheap model once. It can only remove what is open; without a model or a usable answer, everything is asked about.
 */
async function askScout(input: ScoutInput): Promise<LeftOut> {
  const { gateway } = input
  const files = input.files.filter(({ open }) => open.length > 0).slice(0, mostFiles)
  if (files.length === 0 || !gateway.modelOf('scout')) return new Map()
  const reply = await gateway.ask(triageQuestion({ ...input, files }))
  return reply.outcome === 'answered' ? readAnswer(reply.value, files) : new Map()
}

const Answer = z.object({
  files: z.array(z.object({ number: z.number(), leave_out: z.array(Category), reason: z.string() })),
})
type TriageAnswer = z.infer<typeof Answer>

const triageAnswer: AnswerShape<TriageAnswer> = { name: 'triage', schema: Answer }
const mostFiles = 200
const maxOutputTokens = 4_000
const longestReason = 200

function triageQuestion({
  files,
  change,
  fence,
  signal,
}: Omit<ScoutInput, 'gateway'>): Question<TriageAnswer> {
  const prompt = readPrompt('triage', 1)
  const list = files.map(({ path, open }, index) => `${index + 1}. ${path} (${open.join(', ')})`)
  return {
    role: 'scout',
    address: 'triage',
    prompt: prompt.id,
    instructions: [{ text: prompt.text, stable: true }],
    turns: [
      {
        from: 'user',
        parts: [
          { text: change },
          {
            text: `The files, and what might be left out:\n${fence.render(new Untrusted('files', list.join('\n')))}`,
          },
        ],
      },
    ],
    answer: triageAnswer,
    maxOutputTokens,
    effort: 'low',
    signal,
  }
}

function readAnswer({ files: said }: TriageAnswer, files: readonly OpenFile[]): LeftOut {
  const leftOut = new Map<string, Map<Category, string>>()
  for (const { number, leave_out: categories, reason } of said) {
    const file = files[number - 1]
    const words = visibleLine(reason).trim().slice(0, longestReason)
    if (!file || words === '') continue
    const known = leftOut.get(file.path) ?? new Map<Category, string>()
    for (const category of categories)
      if (file.open.includes(category) && !known.has(category)) known.set(category, words)
    leftOut.set(file.path, known)
  }
  return leftOut
}

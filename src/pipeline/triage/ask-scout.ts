/** Asks a cheap model, once, what of the rest is not worth asking about. It can only take away, and only what is open. */
import { z } from 'zod'
import { readPrompt } from '../../base/package-root.ts'
import { type Fence, Untrusted } from '../../base/untrusted/untrusted.ts'
import { visibleLine } from '../../base/visible-text.ts'
import { Category } from '../../domain/severity.ts'
import type { AnswerShape, Gateway, Question } from '../../llm/contract.ts'

export type OpenFile = { path: string; open: readonly Category[] }

/** By path and category, the scout's reason. */
export type LeftOut = ReadonlyMap<string, ReadonlyMap<Category, string>>

const Answer = z.object({
  files: z.array(z.object({ number: z.number(), leave_out: z.array(Category), reason: z.string() })),
})
type TriageAnswer = z.infer<typeof Answer>

const triageAnswer: AnswerShape<TriageAnswer> = { name: 'triage', schema: Answer }
const mostFiles = 200
const maxOutputTokens = 4_000
const longestReason = 200

export type ScoutInput = {
  files: readonly OpenFile[]
  /** The change as a scout may see it, fenced. */
  change: string
  fence: Fence
  gateway: Gateway
  signal: AbortSignal
}

/** Empty when there is nobody to ask, nothing open, or no answer that can be used: then everything is asked about. */
export async function askScout(input: ScoutInput): Promise<LeftOut> {
  const { gateway } = input
  const files = input.files.filter(({ open }) => open.length > 0).slice(0, mostFiles)
  if (files.length === 0 || !gateway.modelOf('scout')) return new Map()
  const reply = await gateway.ask(triageQuestion({ ...input, files }))
  return reply.outcome === 'answered' ? readAnswer(reply.value, files) : new Map()
}

export function triageQuestion({
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

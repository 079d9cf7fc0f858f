/** The question to a judge: the dossier first, which is the same for all findings of one piece of code, then the finding. */
import { z } from 'zod'
import { renderViews, type ShownLines } from '../../agent/evidence-views.ts'
import { readPrompt } from '../../base/package-root.ts'
import { type Fence, Untrusted } from '../../base/untrusted/untrusted.ts'
import type { Config } from '../../config/schema.ts'
import type { DiffLine } from '../../domain/change-set.ts'
import type { Evidence } from '../../domain/evidence.ts'
import type { Finding } from '../../domain/finding.ts'
import { tagOf } from '../../domain/line-tag.ts'
import type { EstimateOf } from '../../domain/model-report.ts'
import { Severity } from '../../domain/severity.ts'
import type { AnswerShape, Gateway, Question, RoleModel, Turn } from '../../llm/contract.ts'
import type { Dossier } from './dossier.ts'
import { LookUp } from './look-up.ts'
import { widestLine } from './places.ts'

/** Bytes of evidence in one question. A small window leaves less: a byte is at most about a third of a token. */
const mostEvidenceBytes = 40_000
const shareOfWindow = 0.4
const bytesOfToken = 3

export const refutePrompt = () => readPrompt('refute', 2)

/** Tokens of an answer, thinking among them. A small window leaves less. */
const longestAnswer = 6_000
const unknownWindow = 32_000

export type QuestionParts = { fence: Fence; model: RoleModel; signal: AbortSignal }

export function evidenceRoom({ contextWindow }: RoleModel): number {
  const window = contextWindow ?? unknownWindow
  return Math.min(mostEvidenceBytes, Math.floor(window * shareOfWindow * bytesOfToken))
}

/** The first turn: what is common to all findings of the dossier, then this one. */
export function refuteQuestion(
  finding: Finding,
  dossier: Dossier,
  parts: QuestionParts,
): Question<JudgeAnswer> {
  const turn: Turn = {
    from: 'user',
    parts: [
      { text: dossierText(dossier, parts.fence), stable: true },
      { text: `\n\n${findingTurn(finding, parts.fence)}` },
    ],
  }
  return askedWith([turn], `refute/${finding.id}`, parts)
}

/** The same conversation with its look-up answered: everything before it stays the same, so that it is cached. */
export function secondQuestion(
  first: Question<JudgeAnswer>,
  answer: string,
  { found, shown }: { found: readonly Evidence[]; shown: ShownLines },
  fence: Fence,
): Question<JudgeAnswer> {
  const views = renderViews(found, shown, fence)
  const text = ['What you asked for:', ...views, 'Judge again. This was the only look-up.'].join('\n\n')
  return {
    ...first,
    address: `${first.address}/look-up`,
    turns: [
      ...first.turns,
      { from: 'model', parts: [{ text: answer }] },
      { from: 'user', parts: [{ text }] },
    ],
  }
}

function dossierText({ evidence, diffs, inDiffs, left }: Dossier, fence: Fence): string {
  const texts = diffs.flatMap(({ file, lines }) => {
    const text = lines.map(renderLine).join('\n')
    return text === '' ? [] : [fence.render(new Untrusted(`diff of ${file.path}`, text))]
  })
  return [
    fence.rule,
    ...(texts.length > 0 ? ['The relevant part of the diff:', ...texts] : []),
    ...(evidence.length > 0
      ? [
          'The evidence, each line once: before each part the numbers of what it holds, and their lines.',
          ...renderViews(evidence, inDiffs, fence),
        ]
      : []),
    ...(left.length > 0
      ? ['Left out for lack of room:', fence.render(new Untrusted('left out', left.join('\n')))]
      : []),
  ].join('\n\n')
}

function findingTurn(finding: Finding, fence: Fence): string {
  const held = finding.verifiedBy.join('\n')
  return [
    ...(held === '' ? [] : ['What code verified about it:', fence.render(new Untrusted('checks', held))]),
    'The finding:',
    fence.render(new Untrusted('a finding of another model', findingText(finding))),
    'Try to refute it: quotes first, then your judgement.',
  ].join('\n\n')
}

/** The question around a conversation, also for an estimate before there is a finding. */
function askedWith(
  turns: readonly Turn[],
  address: string,
  { model, signal }: Pick<QuestionParts, 'model' | 'signal'>,
): Question<JudgeAnswer> {
  const prompt = refutePrompt()
  return {
    role: 'judge',
    address,
    prompt: prompt.id,
    instructions: [{ text: prompt.text, stable: true }],
    turns,
    answer: judgeAnswer,
    maxOutputTokens: Math.min(longestAnswer, Math.floor((model.contextWindow ?? unknownWindow) * 0.2)),
    effort: 'medium',
    signal,
  }
}

const signs = { added: '+', removed: '-', context: ' ' } as const

function renderLine(line: DiffLine): string {
  const text = line.text.replace(/\r$/, '')
  const cut = text.length > widestLine ? `${text.slice(0, widestLine)} (cut)` : text
  return `[${tagOf(line)}] ${signs[line.kind]}${cut}`
}

type Based = {
  places?: readonly { path: string; startLine: number }[]
  documented?: { name: string; behaviour: string }
}

/** Neither severity nor confidence: a judge who knows how sure the author is tends to agree. */
function findingText(finding: Finding & Based): string {
  const { anchor, title, explanation, remedy, evidence, documented, places = [] } = finding
  const quotes = evidence.map((citation) => `${citation.evidence}: ${citation.quote}`)
  return [
    title,
    `At ${anchor.path} ${anchor.tags.slice(0, 12).join(' ')}`,
    ...places.map((place) => `Also at ${place.path}:${place.startLine}`),
    explanation,
    ...(documented
      ? [`It is based on documented behaviour of ${documented.name}: ${documented.behaviour}`]
      : []),
    ...(remedy === null ? [] : [`Suggested fix: ${remedy}`]),
    ...(quotes.length > 0 ? ['It quotes:', ...quotes] : []),
  ].join('\n')
}

/** The shape of a judge's answer: quotes first, then the judgement. */
const Answer = z.object({
  quotes: z.array(z.object({ id: z.string(), quote: z.string(), bears: z.enum(['against', 'for']) })),
  reason: z.string(),
  judgement: z.enum(['refuted', 'upheld', 'narrowed', 'pre-existing', 'undecided']),
  cut: z.array(z.string()).default([]),
  severity: Severity.nullable().default(null),
  look_up: LookUp.nullable().default(null),
})
export type JudgeAnswer = z.infer<typeof Answer>

const judgeAnswer: AnswerShape<JudgeAnswer> = {
  name: 'refutation',
  schema: Answer,
}

/** Few answers of a reviewer have more findings; `review.refutations` is the limit in any case. */
const findingsOfAQuestion = 5

/** The finding, the diff around it and the words between; and the answer to a look-up. */
const otherBytes = 16_000
const lookUpBytes = 8_000

type RefutationSize = {
  gateway: Gateway
  config: Config
  /** How many questions are put to reviewers. */
  questions: number
}

/**
 * The most that refutation can cost, before the number of findings is known: every judge asks for its look-up. Null without
 * a judge. Sends nothing.
 */
export function estimateRefutation({ gateway, config, questions }: RefutationSize): EstimateOf | null {
  const model = gateway.modelOf('judge')
  const findings = Math.min(config.review.refutations, questions * findingsOfAQuestion)
  if (!model || findings === 0) return null
  const first = evidenceRoom(model) + otherBytes
  const sizes = [first, first + lookUpBytes + longestAnswer * bytesOfToken]
  const both = sizes.map((bytes) => {
    const turns: Turn[] = [{ from: 'user', parts: [{ text: ' '.repeat(bytes) }] }]
    return gateway.estimate(
      askedWith(turns, 'refute/estimate', { model, signal: new AbortController().signal }),
    )
  })
  const sum = (part: (one: (typeof both)[number]) => number) =>
    findings * both.reduce((all, one) => all + part(one), 0)
  return {
    calls: findings * both.length,
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    usd: both.some(({ usd }) => usd === null) ? null : sum(({ usd }) => usd ?? 0),
  }
}

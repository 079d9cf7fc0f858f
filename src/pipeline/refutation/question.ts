/** The question to a judge: the dossier first, then the findings, each with a number and behind a fence of its own. */

import { z } from 'zod'
import { taggedLines } from '../../agent/diff-text.ts'
import { placeOf, renderViews, type ShownLines } from '../../agent/evidence-views.ts'
import { readPrompt } from '../../base/package-root.ts'
import { type Fence, Untrusted } from '../../base/untrusted/untrusted.ts'
import type { FileChange } from '../../domain/change-set.ts'
import type { Evidence } from '../../domain/evidence.ts'
import { type Finding, isHearsay } from '../../domain/finding.ts'
import { bothReadersWords } from '../../domain/proof.ts'
import { Severity } from '../../domain/severity.ts'
import type { AnswerShape, Question, RoleModel, Turn } from '../../llm/contract.ts'
import type { Dossier } from './dossier.ts'
import { LookUp } from './look-up.ts'
import { withoutWeight } from './second-check.ts'

/** Bytes of evidence in one question. A small window leaves less: a byte is at most about a third of a token. */
const mostEvidenceBytes = 40_000
/** What one of two readers found and the other did not is judged by half as much again. */
const doubtedBytes = mostEvidenceBytes * 1.5
const shareOfWindow = 0.4
export const bytesOfToken = 3

export const refutePrompt = () => readPrompt('refute', 7)

/** Tokens of an answer, thinking among them: about one finding, and about each further one. A small window leaves less. */
const longestAnswer = 6_000
const furtherAnswer = 1_500
const unknownWindow = 32_000

export type QuestionParts = {
  fence: Fence
  model: RoleModel
  /** Of the change. */
  files: readonly FileChange[]
  turn: 'first' | 'second'
  signal: AbortSignal
}

export function evidenceRoom({ contextWindow }: RoleModel, isDoubted = false): number {
  const window = contextWindow ?? unknownWindow
  const most = isDoubted ? doubtedBytes : mostEvidenceBytes
  return Math.min(most, Math.floor(window * shareOfWindow * bytesOfToken))
}

/** The first turn: what the findings are judged by, then the findings. */
export function refuteQuestion(
  findings: readonly Finding[],
  dossier: Dossier,
  parts: QuestionParts,
): Question<JudgeAnswer> {
  const turn: Turn = {
    from: 'user',
    parts: [
      { text: dossierText(dossier, parts), stable: true },
      { text: `\n\n${findingsText(findings, parts)}` },
    ],
  }
  const names = findings.map(({ id }) => id).join('+')
  const isSecond = parts.turn === 'second'
  const address = isSecond ? `refute/second/${names}` : `refute/${names}`
  const question = askedWith([turn], { address, findings: findings.length }, parts)
  return isSecond ? { ...question, apartFrom: parts.model.model } : question
}

/** What was found for the finding at this position. */
export type Found = { at: number; evidence: readonly Evidence[] }

/** The same conversation with its look-ups answered: everything before it stays the same, so that it is cached. */
export function secondQuestion(
  first: Question<JudgeAnswer>,
  answer: string,
  { found, shown }: { found: readonly Found[]; shown: ShownLines },
  fence: Fence,
): Question<JudgeAnswer> {
  const views = renderViews([...new Set(found.flatMap(({ evidence }) => evidence))], shown, fence)
  const places = found.map(({ at, evidence }) => `For ${labelOf(at)}: ${evidence.map(placeOf).join(', ')}`)
  const labels = found.map(({ at }) => labelOf(at)).join(', ')
  const text = [
    'What you asked for:',
    fence.render(new Untrusted('where they are', places.join('\n'))),
    ...views,
    `Judge again, each by itself: ${labels}. These were the only look-ups. Your other judgements count as they are unless you give them again.`,
  ].join('\n\n')
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

/** The second time in another order, so that what came first does not lead again. */
function dossierText(
  { evidence, diffs, inDiffs, left }: Dossier,
  { fence, files, turn }: QuestionParts,
): string {
  const texts = diffs.flatMap(({ file, lines }) => {
    const text = taggedLines(lines).join('\n')
    return text === '' ? [] : [fence.render(new Untrusted(`diff of ${file.path}`, text))]
  })
  const isSecond = turn === 'second'
  const diff = texts.length > 0 ? ['The relevant part of the diff:', ...texts] : []
  const shown =
    evidence.length > 0
      ? [
          'The evidence, each line once, each part with its number.',
          ...renderViews(isSecond ? evidence.toReversed() : evidence, inDiffs, fence),
        ]
      : []
  return [
    fence.rule,
    'All files of the change:',
    fence.render(new Untrusted('files of the change', filesText(files))),
    ...(isSecond ? [...shown, ...diff] : [...diff, ...shown]),
    ...(left.length > 0
      ? ['Left out for lack of room:', fence.render(new Untrusted('left out', left.join('\n')))]
      : []),
  ].join('\n\n')
}

const mostFiles = 60

function filesText(files: readonly FileChange[]): string {
  const lines = files.slice(0, mostFiles).map(({ status, path }) => `${status} ${path}`)
  return files.length > mostFiles
    ? [...lines, `and ${files.length - mostFiles} more`].join('\n')
    : lines.join('\n')
}

function findingsText(findings: readonly Finding[], { fence, turn }: QuestionParts): string {
  const each = findings.flatMap((finding, at) => {
    const label = labelOf(at)
    // That others say so too is nothing that code verified, and would lead a judge.
    const held = finding.verifiedBy.filter((words) => words !== bothReadersWords).join('\n')
    const text = turn === 'second' ? withoutWeight(findingText(finding)) : findingText(finding)
    return [
      ...(held === ''
        ? []
        : [`What code verified about ${label}:`, fence.render(new Untrusted(`${label}: checks`, held))]),
      `Finding ${label}:`,
      fence.render(new Untrusted(`${label}: a finding of ${authorOf(finding)}`, text)),
    ]
  })
  const labels = findings.map((_, at) => labelOf(at)).join(', ')
  return [
    'The findings:',
    ...each,
    `Try to refute each by itself (${labels}): quotes first, then your judgement.`,
  ].join('\n\n')
}

function authorOf(finding: Finding): string {
  return isHearsay(finding) ? 'another model' : 'a deterministic check'
}

/** The name of the finding at this position in its question, from `F1` on. */
export function labelOf(at: number): string {
  return `F${at + 1}`
}

/** The question around a conversation about so many findings, also for an estimate before there is one. */
export function askedWith(
  turns: readonly Turn[],
  { address, findings }: { address: string; findings: number },
  { model, signal }: Pick<QuestionParts, 'model' | 'signal'>,
): Question<JudgeAnswer> {
  const prompt = refutePrompt()
  const most = longestAnswer + furtherAnswer * (findings - 1)
  return {
    role: 'judge',
    address,
    prompt: prompt.id,
    instructions: [{ text: prompt.text, stable: true }],
    turns,
    answer: judgeAnswer,
    maxOutputTokens: Math.min(most, Math.floor((model.contextWindow ?? unknownWindow) * 0.2)),
    effort: 'medium',
    signal,
  }
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

/** On one finding: quotes first, then the judgement. */
const Judgement = z.object({
  finding: z.string(),
  quotes: z.array(z.object({ id: z.string(), quote: z.string(), bears: z.enum(['against', 'for']) })),
  reason: z.string(),
  judgement: z.enum(['refuted', 'upheld', 'narrowed', 'overstated', 'latent', 'pre-existing', 'undecided']),
  cut: z.array(z.string()).default([]),
  severity: Severity.nullable().default(null),
  same_as: z.string().default(''),
})
export type Judgement = z.infer<typeof Judgement>

const Answer = z.object({ judgements: z.array(Judgement), look_ups: z.array(LookUp).default([]) })
export type JudgeAnswer = z.infer<typeof Answer>

const judgeAnswer: AnswerShape<JudgeAnswer> = {
  name: 'refutation',
  schema: Answer,
}

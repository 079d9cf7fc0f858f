/** What a judge is shown for one finding, and the question: evidence first, then the finding, without its severity. */
import { z } from 'zod'
import { readPrompt } from '../../base/package-root.ts'
import { type Fence, Untrusted } from '../../base/untrusted/untrusted.ts'
import type { FactStore } from '../../code-index/contract.ts'
import type { Config } from '../../config/schema.ts'
import type { DiffLine, FileChange } from '../../domain/change-set.ts'
import type { CodeSymbol } from '../../domain/code-symbol.ts'
import type { Evidence, EvidenceBook, EvidenceDraft } from '../../domain/evidence.ts'
import type { Finding } from '../../domain/finding.ts'
import { tagOf } from '../../domain/line-tag.ts'
import type { EstimateOf } from '../../domain/model-report.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { AnswerShape, Gateway, Question, RoleModel } from '../../llm/contract.ts'

/** Bytes of evidence in one question. */
const mostEvidenceBytes = 24_000

/** Of a longer definition, and of a longer hunk, only the lines near the finding are shown. */
const longestDefinition = 120
const aroundDefinition = 40
const aroundDiff = 40

/** Lines above and below a finding outside any definition. */
const beside = 20

export type Dossier = {
  finding: Finding
  file: FileChange | null
  /** Numbered; what the finding cites comes first. */
  evidence: Evidence[]
  /** Lines of the one file, around the finding. */
  diff: DiffLine[]
}

type DossierContext = {
  context: ReviewContext
  book: EvidenceBook
  base: RepoSnapshot
  head: RepoSnapshot
  facts: FactStore
}

/** Adds the definition, or the lines around, to the book, so that it can be cited. */
export async function gatherDossier(finding: Finding, input: DossierContext): Promise<Dossier> {
  const { context, book } = input
  const file = context.change.files.find(({ path }) => path === finding.anchor.path) ?? null
  const cited = [...new Set(finding.evidence.map(({ evidence }) => evidence))]
  const definition = file && (await definitionAround(finding, file, input))
  const ids = [...cited, ...(definition ? [book.add(definition)] : [])]
  let room = mostEvidenceBytes
  const evidence = [...new Set(ids)].flatMap((id) => {
    const item = book.get(id)
    room -= item ? Buffer.byteLength(item.text) : 0
    return item && room >= 0 ? [item] : []
  })
  return { finding, file, evidence, diff: file ? diffAround(finding, file) : [] }
}

async function definitionAround(
  { side, startLine, endLine }: Finding,
  file: FileChange,
  { base, head, facts }: DossierContext,
): Promise<EvidenceDraft | null> {
  const path = side === 'old' ? (file.oldPath ?? file.path) : file.path
  const source = await (side === 'old' ? base : head).read(path)
  if (!source) return null
  const known = await facts.facts([{ path, blob: source.blob, text: source.text }])
  const symbol = innermost(known.get(path)?.symbols ?? [], startLine, endLine)
  const [from, to] = symbol ? rangeIn(symbol, startLine) : [Math.max(1, startLine - beside), endLine + beside]
  const lines = source.text.split('\n').slice(from - 1, to)
  if (lines.at(-1) === '') lines.pop()
  if (lines.length === 0) return null
  return {
    source: 'file',
    trust: 'foreign',
    title: symbol
      ? `the ${symbol.kind} \`${symbol.name}\` around the finding`
      : 'the lines around the finding',
    path,
    blob: source.blob,
    side,
    startLine: from,
    endLine: from + lines.length - 1,
    text: lines.map((line) => line.replace(/\r$/, '')).join('\n'),
  }
}

function rangeIn({ startLine, endLine }: CodeSymbol, near: number): [number, number] {
  if (endLine - startLine < longestDefinition) return [startLine, endLine]
  return [Math.max(startLine, near - aroundDefinition), Math.min(endLine, near + aroundDefinition)]
}

/** The smallest definition of more than one line that holds all of the lines. */
function innermost(symbols: readonly CodeSymbol[], from: number, to: number): CodeSymbol | null {
  let best: CodeSymbol | null = null
  for (const symbol of symbols) {
    if (symbol.startLine > from || symbol.endLine < to || symbol.startLine === symbol.endLine) continue
    if (!best || symbol.endLine - symbol.startLine <= best.endLine - best.startLine) best = symbol
  }
  return best
}

/** The lines of its hunk, or of a long one those nearby; without a line, the start of the first hunk. */
function diffAround({ side, startLine, endLine }: Finding, { hunks }: FileChange): DiffLine[] {
  const isIn = (line: DiffLine) => {
    const number = line[side]
    return number !== null && startLine <= number && number <= endLine
  }
  for (const { lines } of hunks) {
    const first = lines.findIndex(isIn)
    if (first < 0) continue
    const last = lines.findLastIndex(isIn)
    return lines.slice(Math.max(0, first - aroundDiff), Math.min(last, first + aroundDiff) + aroundDiff + 1)
  }
  return hunks[0]?.lines.slice(0, aroundDiff) ?? []
}

export const refutePrompt = () => readPrompt('refute', 1)

/** Tokens of an answer, thinking among them. A small window leaves less. */
const longestAnswer = 6_000
const unknownWindow = 32_000
const longestText = 12_000
const widestLine = 1_000

export type QuestionParts = { fence: Fence; model: RoleModel; signal: AbortSignal }

export function refuteQuestion(dossier: Dossier, parts: QuestionParts): Question<JudgeAnswer> {
  const { fence } = parts
  const { finding, file, evidence, diff } = dossier
  const shown = evidence.map((item) => renderEvidence(item, fence))
  const lines = diff.map(renderLine).join('\n')
  const held = finding.verifiedBy.join('\n')
  const texts = [
    fence.rule,
    ...(shown.length > 0 ? ['The evidence:', ...shown] : []),
    ...(file && lines !== ''
      ? ['The relevant part of the diff:', fence.render(new Untrusted(`diff of ${file.path}`, lines))]
      : []),
    ...(held === '' ? [] : ['What code verified about it:', fence.render(new Untrusted('checks', held))]),
    'The finding:',
    fence.render(new Untrusted('a finding of another model', findingText(finding))),
    'Try to refute it: quotes first, verdict last.',
  ]
  return askedWith(texts.join('\n\n'), `refute/${finding.id}`, parts)
}

/** The question around a text, also for an estimate before there is a finding. */
export function askedWith(
  text: string,
  address: string,
  { model, signal }: Pick<QuestionParts, 'model' | 'signal'>,
): Question<JudgeAnswer> {
  const prompt = refutePrompt()
  return {
    role: 'judge',
    address,
    prompt: prompt.id,
    instructions: [{ text: prompt.text, stable: true }],
    turns: [{ from: 'user', parts: [{ text }] }],
    answer: judgeAnswer,
    maxOutputTokens: Math.min(longestAnswer, Math.floor((model.contextWindow ?? unknownWindow) * 0.2)),
    effort: 'medium',
    signal,
  }
}

function renderEvidence(item: Evidence, fence: Fence): string {
  const { id, title, path, startLine, endLine, side, text } = item
  const lines = startLine === null ? '' : `:${startLine}-${endLine ?? startLine}`
  const place = path === null ? '' : ` in ${path}${lines}${side === 'old' ? ' before the change' : ''}`
  const cut = text.length > longestText ? `${text.slice(0, longestText)}\n(cut)` : text
  return `${id}:\n${fence.render(new Untrusted(`${title}${place}`, cut))}`
}

const signs = { added: '+', removed: '-', context: ' ' } as const

function renderLine(line: DiffLine): string {
  const text = line.text.replace(/\r$/, '')
  const cut = text.length > widestLine ? `${text.slice(0, widestLine)} (cut)` : text
  return `[${tagOf(line)}] ${signs[line.kind]}${cut}`
}

/** Neither severity nor confidence: a judge who knows how sure the author is tends to agree. */
function findingText({ anchor, title, explanation, remedy, evidence }: Finding): string {
  const quotes = evidence.map((citation) => `${citation.evidence}: ${citation.quote}`)
  return [
    title,
    `At ${anchor.path} ${anchor.tags.slice(0, 6).join(' ')}`,
    explanation,
    ...(remedy === null ? [] : [`Suggested fix: ${remedy}`]),
    ...(quotes.length > 0 ? ['It quotes:', ...quotes] : []),
  ].join('\n')
}

/** The shape of a judge's answer: quotes first, the judgement last. */
const Answer = z.object({
  quotes: z.array(z.object({ id: z.string(), quote: z.string(), bears: z.enum(['against', 'for']) })),
  reason: z.string(),
  judgement: z.enum(['refuted', 'upheld', 'undecided']),
})
export type JudgeAnswer = z.infer<typeof Answer>

const judgeAnswer: AnswerShape<JudgeAnswer> = { name: 'refutation', schema: Answer }

/** Few answers of a reviewer have more findings; `review.refutations` is the limit in any case. */
const findingsOfAQuestion = 5

/** The finding, the diff around it and the words between. */
const otherBytes = 12_000

type RefutationSize = {
  gateway: Gateway
  config: Config
  /** How many questions are put to reviewers. */
  questions: number
}

/** The most that refutation can cost, before the number of findings is known. Null without a judge. Sends nothing. */
export function estimateRefutation({ gateway, config, questions }: RefutationSize): EstimateOf | null {
  const model = gateway.modelOf('judge')
  const calls = Math.min(config.review.refutations, questions * findingsOfAQuestion)
  if (!model || calls === 0) return null
  const text = ' '.repeat(mostEvidenceBytes + otherBytes)
  const one = gateway.estimate(
    askedWith(text, 'refute/estimate', { model, signal: new AbortController().signal }),
  )
  return {
    calls,
    inputTokens: calls * one.inputTokens,
    outputTokens: calls * one.outputTokens,
    usd: one.usd === null ? null : calls * one.usd,
  }
}

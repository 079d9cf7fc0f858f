/** Fits passages into a budget by what they are worth for their length, and tells what was left out. */
import type { EvidenceDraft } from '../../../domain/evidence.ts'
import type { FileText } from '../../../domain/snapshot.ts'
import type { RankedPassage } from './contract.ts'

/** Bytes for a token: fewer than any tokenizer needs for code, so that an estimate is rather too high. */
const bytesPerToken = 3
/** What a heading and its place cost beside the text. */
const overheadTokens = 12
/** 0 would take the best first whatever their length, 1 only what they are worth by the token. */
const thrift = 0.4

export function tokensIn(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}

export type Trimmed = {
  /** In the order of their worth. */
  kept: { passage: RankedPassage; draft: EvidenceDraft; tokens: number }[]
  left: number
  tokens: number
}

/** Deterministic: equal worth keeps the order of the passages. Passages whose file cannot be read are left out. */
export function trimPassages(
  passages: readonly RankedPassage[],
  texts: ReadonlyMap<string, FileText>,
  budgetTokens: number,
): Trimmed {
  const priced = passages.flatMap((passage) => {
    const draft = draftOf(passage, texts.get(passage.path))
    if (!draft) return []
    const tokens = tokensIn(draft.text) + overheadTokens
    return [{ passage, draft, tokens, worth: passage.score / tokens ** thrift }]
  })
  priced.sort((a, b) => b.worth - a.worth)
  const kept: Trimmed['kept'] = []
  let tokens = 0
  for (const { worth: _, ...one } of priced) {
    if (tokens + one.tokens > budgetTokens) continue
    tokens += one.tokens
    kept.push(one)
  }
  return { kept, left: priced.length - kept.length, tokens }
}

function draftOf(
  { path, startLine, endLine, title }: RankedPassage,
  file: FileText | undefined,
): EvidenceDraft | null {
  const lines = file?.text.split('\n').slice(startLine - 1, endLine) ?? []
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop()
  if (!file || lines.length === 0) return null
  return {
    source: 'file',
    trust: 'foreign',
    title,
    path,
    blob: file.blob,
    side: 'new',
    startLine,
    endLine: startLine + lines.length - 1,
    text: lines.join('\n'),
  }
}

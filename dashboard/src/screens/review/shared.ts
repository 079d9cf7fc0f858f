/** What the tabs of a review share: the pieces of its record, and how a line of the change is named in an address. */
import type { AnswerOf } from '../../api/contract.ts'

export type RunDetail = AnswerOf<'/runs/{run}'>
export type FindingsAnswer = AnswerOf<'/runs/{run}/findings'>
export type FindingItem = FindingsAnswer['findings'][number]
export type EvidenceItem = AnswerOf<'/runs/{run}/evidence'>['items'][number]

export type Target = { path: string; side: 'old' | 'new'; line: number }

/** `new:12:src/a.ts`, escaped for an address. */
export function atOf(path: string, side: 'old' | 'new', line: number): string {
  return encodeURIComponent(`${side}:${line}:${path}`)
}

export function targetOf(at: string | null): Target | null {
  const [, side, line, path] = /^(old|new):(\d+):(.+)$/s.exec(at ?? '') ?? []
  return side && line && path ? { side: side as Target['side'], line: Number(line), path } : null
}

/** The one request for more context: whether it may be granted, and if not, why not. Decided by code, never by a model. */
import { count } from '../../../base/count.ts'
import { visibleLine } from '../../../base/visible-text.ts'
import type { FollowUpRefusal } from '../../../domain/model-report.ts'
import type { FileText, RepoSnapshot } from '../../../domain/snapshot.ts'
import type { ContextRequest } from '../answer/schema.ts'
import { tokensOf } from '../question-size.ts'

export type GrantedRange = {
  path: string
  /** 1-based, inclusive, at the head. */
  startLine: number
  endLine: number
  text: string
  blob: string
}

export type RequestRules = {
  /** Changed files, and those the bundle shows evidence of. */
  scope: ReadonlySet<string>
  head: Pick<RepoSnapshot, 'read'>
  maxTokens: number
}

export type Refused = { refused: { kind: FollowUpRefusal; detail: string } }

/** In this order: scope, range, presence, whole file, length. Nothing is read of a file that is out of scope. */
export async function checkRequest(
  request: ContextRequest,
  { scope, head, maxTokens }: RequestRules,
): Promise<GrantedRange | Refused> {
  const path = request.file.trim().replace(/^\.\//, '')
  if (!scope.has(path))
    return refuse('out-of-scope', `${name(path)} is neither part of the change nor of its bundle`)
  const [startLine, endLine] = [request.line_start, request.line_end]
  if (!isLine(startLine) || !isLine(endLine)) return refuse('no-range', `no lines of ${name(path)} are named`)
  if (endLine < startLine) return refuse('no-range', `the lines ${startLine}-${endLine} run backwards`)
  const file = await head.read(path)
  if (!file) return refuse('absent', `${name(path)} cannot be read after the change`)
  return cutRange(path, file, startLine, endLine, maxTokens)
}

function cutRange(
  path: string,
  { text, blob }: FileText,
  startLine: number,
  wantedEnd: number,
  maxTokens: number,
): GrantedRange | Refused {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  if (startLine > lines.length)
    return refuse('no-range', `${name(path)} has only ${count(lines.length, 'line')}`)
  const endLine = Math.min(wantedEnd, lines.length)
  if (startLine === 1 && endLine === lines.length)
    return refuse('whole-file', `all ${count(lines.length, 'line')} of ${name(path)} were asked for`)
  const range = lines
    .slice(startLine - 1, endLine)
    .map((line) => line.replace(/\r$/, ''))
    .join('\n')
  const tokens = tokensOf(range)
  if (tokens > maxTokens)
    return refuse(
      'too-long',
      `lines ${startLine}-${endLine} are about ${tokens} tokens; ${maxTokens} are allowed`,
    )
  return { path, startLine, endLine, text: range, blob }
}

function isLine(value: number | null): value is number {
  return value !== null && Number.isSafeInteger(value) && value > 0
}

function name(path: string): string {
  return `\`${visibleLine(path).slice(0, 120)}\``
}

function refuse(kind: FollowUpRefusal, detail: string): Refused {
  return { refused: { kind, detail } }
}

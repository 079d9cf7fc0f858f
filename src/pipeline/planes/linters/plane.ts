/**
 * The linters plane: what other tools say of changed lines, from files or from linters that the operator named. Their word
 * is not proof: a judge may refute it, and a high severity needs more than it.
 */

import { sha256 } from '../../../base/canonical-json.ts'
import { count } from '../../../base/count.ts'
import type { ChangeSet, DiffLine, FileChange } from '../../../domain/change-set.ts'
import { nowhere } from '../../../domain/evidence.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import { tagOf } from '../../../domain/line-tag.ts'
import type { Severity } from '../../../domain/severity.ts'
import { changedPathOf, rankToolResults, type ToolResult } from '../../../domain/tool-result.ts'
import { changedLines } from '../changed-lines.ts'
import { citeLines } from '../cite-lines.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'

export const lintersPlane: Plane = {
  name: 'linters',
  description: 'results of other tools on changed lines, given with --sarif',
  wrongIf: 'the tool is set up for other code than this',
  applies: ({ toolResults = [] }) => toolResults.length > 0,
  look,
}

async function look({ context, head }: PlaneInput): Promise<PlaneReport> {
  const { change, request } = context
  const located = rankToolResults(request.toolResults ?? []).flatMap((result) => locate(result, change))
  // One mistake made ten times in a file is one finding.
  const groups = Map.groupBy(located, ({ result: { tool, rule, message }, file }) =>
    JSON.stringify([tool, rule, message, file.path]),
  )
  const candidates = await Promise.all([...groups.values()].map((group) => candidate(group, head)))
  return { candidates: candidates.flat(), limits: [] }
}

type Located = { result: ToolResult; file: FileChange; line: DiffLine }

/** A result on more lines than this is about the whole, and on a changed line only where it begins on one. */
const longestRange = 10

function locate(result: ToolResult, change: ChangeSet): Located[] {
  const { startLine, endLine } = result
  const path = changedPathOf(
    result.path,
    change.files.map((file) => file.path),
  )
  const file = change.files.find((one) => one.path === path)
  const last = endLine - startLine < longestRange ? endLine : startLine
  const [line] = file ? changedLines(file, 'new', startLine, last) : []
  return file && line ? [{ result, file, line }] : []
}

const severities: Readonly<Record<ToolResult['level'], Severity>> = {
  security: 'high',
  error: 'medium',
  warning: 'low',
  note: 'low',
}

/** Lines that one finding is shown on. */
const mostLines = 20

async function candidate(group: readonly Located[], head: PlaneInput['head']): Promise<CandidateDraft[]> {
  const [first] = group
  if (!first) return []
  const { result, file } = first
  const { tool, rule, level, message, help } = result
  const name = rule === '' ? tool : `${tool} ${rule}`
  const lines = [...new Map(group.map(({ line }) => [tagOf(line), line])).values()].slice(0, mostLines)
  const where = lines.length > 1 ? ` (${count(lines.length, 'line')})` : ''
  const said = [message, ...(help !== '' && help !== message ? [help] : [])].join('\n\n')
  const places = lines.map((line) => ({
    path: file.path,
    line: line.new ?? 1,
    endLine: line.new ?? 1,
    title: name,
  }))
  return [
    {
      plane: 'linters',
      rule: `linters/${slug(tool)}/${rule === '' ? sha256(message).slice(0, 8) : slug(rule)}`,
      severity: severities[level],
      category: level === 'security' ? 'security' : level === 'error' ? 'correctness' : 'maintainability',
      confidence: 'likely',
      title: `${name}: ${firstSentence(message)}`.slice(0, 300 - where.length) + where,
      explanation: `${said}\n\n${tool} reported this before the review; Sightline did not check it.`.slice(
        -4000,
      ),
      remedy: null,
      anchor: { path: file.path, tags: lines.map(tagOf) },
      claims: [],
      suggestion: null,
      preExisting: false,
      byTool: tool,
      about: { title: name.slice(0, 300), help: help || message },
      evidence: [
        {
          item: {
            source: 'tool',
            trust: 'foreign',
            title: `what ${name} says`.slice(0, 200),
            ...nowhere,
            text: said,
          },
          quote: message,
        },
        ...(await citeLines(places, head)),
      ],
    },
  ]
}

function firstSentence(message: string): string {
  const [line = ''] = message.split('\n')
  return (/^.{20,200}?[.!?](?=\s)/.exec(line)?.[0] ?? line).replace(/\.$/, '')
}

function slug(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'other'
  )
}

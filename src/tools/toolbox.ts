/** The one place where calls of tools are checked, bounded in time, run, cut, kept and noted. */

import type { z } from 'zod'
import { callKey } from '../agent/answer.ts'
import type { CitedRange, ToolAnswer, Toolbox, ToolCall } from '../agent/contract.ts'
import { canonicalJson, sha256 } from '../base/canonical-json.ts'
import { compareText } from '../base/compare-text.ts'
import { linesWithin } from '../base/line-bytes.ts'
import { withinSeconds } from '../base/time-budget.ts'
import { cutAt } from '../base/trim-text.ts'
import { argumentSchema } from './argument-schema.ts'
import { type OutputLimits, type Tool, ToolError, type ToolOutput, type ToolScope } from './contract.ts'
import { guideOf } from './guide.ts'

/** Answers of earlier runs, by a key that names the tree. Must never reject; a miss is null. */
export interface AnswerCache {
  get(key: string): Promise<string | null>
  set(key: string, value: string): Promise<void>
}

export type ToolboxOptions = {
  tools: readonly Tool[]
  /** Told in the guide: what cannot be asked here, and why. */
  missing?: readonly { name: string; why: string }[]
  scope: ToolScope
  cache?: AnswerCache | null
  /** For each call; a tool that takes longer is told as failed. */
  seconds?: number | undefined
  onAnswer?: (answer: ToolAnswer) => void
}

const defaultSeconds = 10

type Kept = Omit<ToolAnswer, 'call' | 'isError' | 'cached' | 'durationMs'>

export function createToolbox({
  tools,
  missing = [],
  scope,
  cache = null,
  seconds = defaultSeconds,
  onAnswer,
}: ToolboxOptions): Toolbox {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return {
    guide: guideOf(tools, missing),
    names: tools.map(({ name }) => name),
    argumentTypes: argumentTypesOf(tools),
    check(call) {
      const tool = byName.get(call.tool)
      if (!tool)
        return { ok: false, fault: 'unknown-tool', detail: `there is no tool ${call.tool.slice(0, 40)}` }
      const given = Object.entries(call.args).filter(([, value]) => value !== null && value !== undefined)
      const parsed = tool.args.safeParse(Object.fromEntries(given))
      if (!parsed.success) return { ok: false, fault: 'bad-arguments', detail: problemsIn(parsed.error) }
      return { ok: true, call: { tool: call.tool, args: parsed.data as ToolCall['args'] } }
    },
    async run(call, signal) {
      const startedAt = performance.now()
      const tool = byName.get(call.tool)
      const answered = (kept: Kept, isError: boolean, cached: boolean): ToolAnswer => {
        const answer = { call, ...kept, isError, cached, durationMs: performance.now() - startedAt }
        onAnswer?.(answer)
        return answer
      }
      if (!tool) return answered(nothing('there is no such tool'), true, false)
      const key = tool.keeps ? keyOf(tool, call, scope) : null
      const known = key && (await cache?.get(key))
      if (known) return answered(JSON.parse(known) as Kept, false, true)
      try {
        const output = await withinSeconds(seconds, signal, (inner) => tool.run(call.args, scope, inner))
        const kept = keptOf(tool, output)
        if (key) await cache?.set(key, JSON.stringify(kept))
        return answered(kept, false, false)
      } catch (error) {
        signal.throwIfAborted()
        return answered(nothing(failureIn(error)), true, false)
      }
    },
  }
}

function keyOf({ version, knowsChange = false }: Tool, call: ToolCall, scope: ToolScope): string {
  const { head, base, surroundings } = scope
  const change = knowsChange ? [base.tree, surroundings] : []
  return sha256(canonicalJson([version, head.tree, callKey(call), ...change]))
}

function keptOf({ limits, narrow }: Tool, output: ToolOutput): Kept {
  const { lines, remarks, ranges = [], isPartial = false, emptiness } = output
  const { kept, shortened } = compact(lines, limits)
  const why = lines.length === 0 && emptiness ? [emptinessIn(emptiness)] : []
  return {
    lines: kept,
    ranges: ranges.flatMap((range) => intact(range, kept, lines)),
    total: lines.length,
    shortened,
    remarks: [...remarks, ...why],
    narrow,
    isPartial,
    isConclusive: lines.length === 0 && (emptiness?.isEvidence ?? false),
  }
}

function nothing(remark: string): Kept {
  const empty = { lines: [], ranges: [], total: 0, shortened: 0, narrow: '', isPartial: false }
  return { ...empty, remarks: [remark], isConclusive: false }
}

/** The parts of a range that were kept whole: a line that was cut could not be quoted verbatim any more. */
function intact(range: CitedRange, kept: readonly string[], lines: readonly string[]): CitedRange[] {
  const parts: CitedRange[] = []
  let open: string[] = []
  for (const [index, line] of range.lines.entries()) {
    const at = range.at + index
    if (at >= kept.length || kept[at] !== lines[at]) {
      open = []
      continue
    }
    open.push(line)
    if (open.length === 1) parts.push({ ...range, at, startLine: range.startLine + index, lines: open })
  }
  return parts
}

/** Whether an empty answer proves that there is nothing, in words that a model reads alike under every tool. */
function emptinessIn({ isEvidence, why }: { isEvidence: boolean; why: string }): string {
  return `no match (this is ${isEvidence ? 'conclusive' : 'not conclusive'}): ${why}`
}

function failureIn(error: unknown): string {
  if (error instanceof ToolError) return `not possible: ${error.message}`
  const why = error instanceof Error ? error.message : String(error)
  return `the tool failed: ${why.slice(0, 200)}`
}

function problemsIn(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
}

function argumentTypesOf(tools: readonly Tool[]): Toolbox['argumentTypes'] {
  const types = { string: 'text', integer: 'number', number: 'number', boolean: 'flag' } as const
  const found = new Map<string, 'text' | 'number' | 'flag'>()
  for (const tool of tools) {
    for (const [name, { type = 'string' }] of Object.entries(argumentSchema(tool).properties ?? {}))
      found.set(name, types[type as keyof typeof types])
  }
  return Object.fromEntries([...found].sort(([a], [b]) => compareText(a, b)))
}

/** Cut to what a model can use. `shortened`: how many of the lines that are kept lost their ends. */
function compact(lines: readonly string[], limits: OutputLimits): { kept: string[]; shortened: number } {
  const short = lines.slice(0, limits.lines).map((line) => cutAt(line, limits.lineLength))
  const kept = linesWithin(short, limits.bytes)
  return { kept, shortened: kept.filter((line, at) => line !== lines[at]).length }
}

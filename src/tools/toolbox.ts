/** The one place where calls of tools are checked, bounded in time, run, cut, kept and noted. */
import { z } from 'zod'
import { callKey } from '../agent/call-key.ts'
import type { ToolAnswer, Toolbox, ToolCall } from '../agent/contract.ts'
import { canonicalJson, sha256 } from '../base/canonical-json.ts'
import { withinSeconds } from '../base/time-budget.ts'
import { compact } from './compact.ts'
import { type Tool, ToolError, type ToolOutput, type ToolScope } from './contract.ts'
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
  seconds?: number
  onAnswer?: (answer: ToolAnswer) => void
}

const usualSeconds = 10

type Kept = Pick<ToolAnswer, 'text' | 'evidence'>

export function createToolbox({
  tools,
  missing = [],
  scope,
  cache = null,
  seconds = usualSeconds,
  onAnswer,
}: ToolboxOptions): Toolbox {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return {
    guide: guideOf(tools, missing),
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
      if (!tool) return answered({ text: 'there is no such tool', evidence: [] }, true, false)
      const key = tool.keeps ? sha256(canonicalJson([tool.version, scope.head.tree, callKey(call)])) : null
      const known = key && (await cache?.get(key))
      if (known) return answered(JSON.parse(known) as Kept, false, true)
      try {
        const output = await withinSeconds(seconds, signal, (inner) => tool.run(call.args, scope, inner))
        const kept = keptOf(tool, call, output)
        if (key) await cache?.set(key, JSON.stringify(kept))
        return answered(kept, false, false)
      } catch (error) {
        signal.throwIfAborted()
        return answered({ text: failureIn(error), evidence: [] }, true, false)
      }
    },
  }
}

/** What was read of a file can be cited as lines of it; every other answer as the text that the tool gave. */
function keptOf(tool: Tool, call: ToolCall, { lines, remarks, range }: ToolOutput): Kept {
  const { lines: kept, cut } = compact(lines, tool.limits)
  const told = [...remarks, ...(cut === null ? [] : [cut])]
  const text = [...kept, ...told.map((remark) => `(${remark})`)].join('\n')
  if (kept.length === 0 && !range) return { text, evidence: [] }
  const shared = { source: 'file', trust: 'foreign', side: 'new' } as const
  const title = callKey(call)
  if (!range)
    return {
      text,
      evidence: [
        {
          ...shared,
          source: 'tool',
          title,
          path: null,
          blob: null,
          side: null,
          startLine: null,
          endLine: null,
          text: kept.join('\n'),
        },
      ],
    }
  const whole = range.text.split('\n')
  // A line that was cut could not be quoted verbatim any more.
  const clean = kept.findIndex((line, at) => line !== lines[at])
  const shown = clean < 0 ? kept.length : clean
  if (shown === 0) return { text, evidence: [] }
  const { path, blob, startLine } = range
  const endLine = (startLine ?? 1) + shown - 1
  return {
    text,
    evidence: [
      {
        ...shared,
        title: `read ${path}`,
        path,
        blob,
        startLine,
        endLine,
        text: whole.slice(0, shown).join('\n'),
      },
    ],
  }
}

function failureIn(error: unknown): string {
  if (error instanceof ToolError) return `(not possible: ${error.message})`
  const why = error instanceof Error ? error.message : String(error)
  return `(the tool failed: ${why.slice(0, 200)})`
}

function problemsIn(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
}

function argumentTypesOf(tools: readonly Tool[]): Toolbox['argumentTypes'] {
  const types = { string: 'text', integer: 'number', number: 'number', boolean: 'flag' } as const
  const found = new Map<string, 'text' | 'number' | 'flag'>()
  for (const tool of tools) {
    const schema = z.toJSONSchema(tool.args, { io: 'input' }) as {
      properties?: Record<string, { type?: keyof typeof types }>
    }
    for (const [name, { type = 'string' }] of Object.entries(schema.properties ?? {}))
      found.set(name, types[type])
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

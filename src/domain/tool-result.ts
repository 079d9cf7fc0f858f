/** What another tool says of a line: a linter, an analyser or a compiler that the operator ran. All words are foreign. */
import { z } from 'zod'

export const ToolResult = z.object({
  /** `ESLint`, `Semgrep`. */
  tool: z.string().min(1).max(100),
  /** As the tool names it; empty when it does not. */
  rule: z.string().max(200),
  /** `error` is worst; `security` when the tool rates it as a vulnerability that is high or critical. */
  level: z.enum(['security', 'error', 'warning', 'note']),
  message: z.string().min(1).max(2000),
  /** What the rule is about; empty when the tool does not say. */
  help: z.string().max(2000),
  /** As the tool writes it, with slashes; relative, or absolute on the machine where the tool ran. */
  path: z.string().min(1).max(4096),
  startLine: z.number().int().positive(),
  endLine: z.number().int().positive(),
})
export type ToolResult = z.infer<typeof ToolResult>

/**
 * The path of the change that a tool means, or null. An absolute path is of another machine: the longest path of the change
 * that it ends with is meant.
 */
export function changedPathOf(written: string, paths: readonly string[]): string | null {
  if (paths.includes(written)) return written
  if (!/^(?:\/|[A-Za-z]:\/)/.test(written)) return null
  const ends = paths.filter((path) => written.endsWith(`/${path}`))
  return ends.sort((a, b) => b.length - a.length)[0] ?? null
}

const levels: readonly ToolResult['level'][] = ToolResult.shape.level.options

/** Worst first; equal ones stay in their order. */
export function rankToolResults(results: readonly ToolResult[]): ToolResult[] {
  return results.toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level))
}

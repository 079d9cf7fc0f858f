/** Files in which linters, analysers and compilers write their results. Each format is one file of this folder. */
import type { ToolResult } from '../../domain/tool-result.ts'

export interface ResultFormat {
  /** For people: `SARIF`. */
  readonly name: string
  /** By the content alone; `text` begins without white space or a byte order mark. */
  matches(text: string): boolean
  /**
   * In the order of the file, without results that have no place, that the tool itself suppressed, or that passed.
   * Throws an `Error` with a sentence when the text is not of the format.
   */
  read(text: string): ToolResult[]
}

/** Null when it lacks what a result needs. Long words are cut. */
export function resultFrom(found: {
  tool: string
  rule: string | undefined
  level: ToolResult['level']
  message: string | undefined
  help?: string | undefined
  path: string | undefined
  startLine: number | undefined
  endLine?: number | undefined
}): ToolResult[] {
  const { tool, rule = '', level, message = '', help = '', path = '', startLine = 0, endLine = 0 } = found
  if (message.trim() === '' || path === '' || !Number.isSafeInteger(startLine) || startLine < 1) return []
  const last = Number.isSafeInteger(endLine) ? Math.max(startLine, endLine) : startLine
  return [
    {
      tool: tool.trim().slice(0, 100) || 'unnamed tool',
      rule: rule.slice(0, 200),
      level,
      message: message.trim().slice(0, 2000),
      help: help.trim().slice(0, 2000),
      path: plainPath(path).slice(0, 4096),
      startLine,
      endLine: last,
    },
  ]
}

/** `file:///work/a%20b.ts` → `/work/a b.ts`; `.\src\a.ts` → `src/a.ts`. */
function plainPath(written: string): string {
  const isAddress = /^file:\/\//i.test(written)
  const path = (isAddress ? written.replace(/^file:\/\/[^/]*/i, '') : written).replaceAll('\\', '/')
  return decoded(path).replace(/^(?:\.\/)+/, '')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

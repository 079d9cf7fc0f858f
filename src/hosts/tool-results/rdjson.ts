/** reviewdog's rdjson and rdjsonl: https://github.com/reviewdog/reviewdog/tree/master/proto/rdf */
import { z } from 'zod'
import type { ToolResult } from '../../domain/tool-result.ts'
import { type ResultFormat, resultFrom } from './contract.ts'

const Source = z.object({ name: z.string().default('') })
/** A name, or its number in the protocol. */
const Level = z.union([z.string(), z.number()])

const Diagnostic = z.object({
  message: z.string(),
  location: z.object({
    path: z.string(),
    range: z
      .object({
        start: z.object({ line: z.number().optional() }).optional(),
        end: z.object({ line: z.number().optional() }).optional(),
      })
      .optional(),
  }),
  severity: Level.optional(),
  source: Source.optional(),
  code: z.object({ value: z.string().default('') }).optional(),
})
type Diagnostic = z.infer<typeof Diagnostic>

const Report = z.object({
  source: Source.optional(),
  severity: Level.optional(),
  diagnostics: z.array(Diagnostic),
})

export const rdjson: ResultFormat = {
  name: 'rdjson',
  matches: (text) => text.startsWith('{') && /"(?:diagnostics|location)"\s*:/.test(text),
  read(text) {
    const { source, severity, diagnostics } = Report.parse(asReport(text))
    return diagnostics.flatMap((one) => readDiagnostic(one, source?.name ?? '', severity))
  },
}

/** One JSON text, or one diagnostic on each line. */
function asReport(text: string): unknown {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (!/^\{.*\}\s*$/.test(lines[0] ?? '') || /"diagnostics"\s*:/.test(lines[0] ?? '')) return JSON.parse(text)
  return { diagnostics: lines.map((line) => JSON.parse(line)) }
}

function readDiagnostic(
  { message, location, severity, source, code }: Diagnostic,
  tool: string,
  otherwise: string | number | undefined,
): ToolResult[] {
  return resultFrom({
    tool: source?.name || tool,
    rule: code?.value,
    level: levelOf(severity ?? otherwise),
    message,
    path: location.path,
    startLine: location.range?.start?.line,
    endLine: location.range?.end?.line,
  })
}

function levelOf(severity: string | number | undefined): ToolResult['level'] {
  if (severity === 'ERROR' || severity === 1) return 'error'
  return severity === 'INFO' || severity === 3 ? 'note' : 'warning'
}

/** SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/ (Semgrep, CodeQL, ESLint, Ruff, golangci-lint, compilers). */
import { z } from 'zod'
import type { ToolResult } from '../../domain/tool-result.ts'
import { type ResultFormat, resultFrom } from './contract.ts'

const Level = z.enum(['none', 'note', 'warning', 'error'])
const Message = z.object({
  text: z.string().optional(),
  id: z.string().optional(),
  arguments: z.array(z.string()).optional(),
})
const Properties = z.object({ 'security-severity': z.union([z.string(), z.number()]).optional() })

const Rule = z.object({
  id: z.string().optional(),
  shortDescription: Message.optional(),
  fullDescription: Message.optional(),
  messageStrings: z.record(z.string(), Message).optional(),
  defaultConfiguration: z.object({ level: Level.optional() }).optional(),
  properties: Properties.optional(),
})
type Rule = z.infer<typeof Rule>

const Component = z.object({ name: z.string().optional(), rules: z.array(Rule).default([]) })

const Result = z.object({
  ruleId: z.string().optional(),
  ruleIndex: z.number().int().optional(),
  rule: z
    .object({
      id: z.string().optional(),
      index: z.number().int().optional(),
      toolComponent: z.object({ index: z.number().int().optional() }).optional(),
    })
    .optional(),
  kind: z.string().optional(),
  level: Level.optional(),
  message: Message,
  suppressions: z.array(z.object({ status: z.string().optional() })).optional(),
  properties: Properties.optional(),
  locations: z
    .array(
      z.object({
        physicalLocation: z
          .object({
            artifactLocation: z
              .object({ uri: z.string().optional(), index: z.number().int().optional() })
              .optional(),
            region: z.object({ startLine: z.number().optional(), endLine: z.number().optional() }).optional(),
          })
          .optional(),
      }),
    )
    .default([]),
})
type Result = z.infer<typeof Result>

const Run = z.object({
  tool: z.object({ driver: Component, extensions: z.array(Component).default([]) }),
  artifacts: z.array(z.object({ location: z.object({ uri: z.string().optional() }).optional() })).default([]),
  results: z.array(Result).nullish(),
})
type Run = z.infer<typeof Run>

const Log = z.object({ runs: z.array(Run) })

export const sarif: ResultFormat = {
  name: 'SARIF',
  matches: (text) => text.startsWith('{') && /"runs"\s*:/.test(text),
  read: (text) => Log.parse(JSON.parse(text)).runs.flatMap(readRun),
}

function readRun({ tool: { driver, extensions }, artifacts, results }: Run): ToolResult[] {
  return (results ?? []).filter(isReported).flatMap((result) => {
    const from = result.rule?.toolComponent?.index
    const { rules } = (from === undefined ? driver : extensions[from]) ?? driver
    const index = result.rule?.index ?? result.ruleIndex ?? -1
    const id = result.ruleId ?? result.rule?.id
    const rule = rules[index] ?? rules.find((one) => one.id === id)
    const { artifactLocation, region } = result.locations[0]?.physicalLocation ?? {}
    return resultFrom({
      tool: driver.name ?? '',
      rule: id ?? rule?.id,
      level: levelOf(result, rule),
      message: textOf(result.message, rule),
      help: rule?.fullDescription?.text ?? rule?.shortDescription?.text,
      path: artifactLocation?.uri ?? artifacts[artifactLocation?.index ?? -1]?.location?.uri,
      startLine: region?.startLine,
      endLine: region?.endLine,
    })
  })
}

function isReported({ kind = 'fail', level, suppressions = [] }: Result): boolean {
  const isSuppressed = suppressions.some(({ status = 'accepted' }) => status === 'accepted')
  return !isSuppressed && level !== 'none' && (kind === 'fail' || kind === 'open' || kind === 'review')
}

/** From 7.0 on a score of CVSS is high. */
const highScore = 7

function levelOf({ level, properties }: Result, rule: Rule | undefined): ToolResult['level'] {
  const score = Number(properties?.['security-severity'] ?? rule?.properties?.['security-severity'])
  if (score >= highScore) return 'security'
  const own = level ?? rule?.defaultConfiguration?.level ?? 'warning'
  return own === 'none' ? 'note' : own
}

/** Placeholders `{0}` are filled in. */
function textOf({ text, id, arguments: given = [] }: z.infer<typeof Message>, rule: Rule | undefined) {
  const template = text ?? (id === undefined ? undefined : rule?.messageStrings?.[id]?.text)
  return template?.replace(/\{(\d{1,3})\}/g, (whole, index) => given[Number(index)] ?? whole)
}

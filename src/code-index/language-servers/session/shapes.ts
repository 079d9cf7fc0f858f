/** The parts of the protocol that are read, as schemas: what a server sends is foreign. Unknown keys are let go. */
import { z } from 'zod'

const place = z.object({ line: z.int().min(0), character: z.int().min(0) })
const range = z.object({ start: place, end: place })
export type RangeShape = z.infer<typeof range>

const location = z.object({ uri: z.string(), range })
const locationLink = z.object({ targetUri: z.string(), targetSelectionRange: range })

export const Initialized = z.object({
  capabilities: z.record(z.string(), z.unknown()),
  serverInfo: z.object({ name: z.string().optional(), version: z.string().optional() }).nullish(),
})

/** One, several, or none, in any of the forms that the protocol knows. */
export const Locations = z
  .union([location, z.array(z.union([location, locationLink]))])
  .nullable()
  .transform((answer) => (answer === null ? [] : Array.isArray(answer) ? answer : [answer]))
  .transform((all) =>
    all.map((one) => ('uri' in one ? one : { uri: one.targetUri, range: one.targetSelectionRange })),
  )
export type LocationShape = { uri: string; range: RangeShape }

export type SymbolShape = {
  name: string
  kind: number
  range: RangeShape
  selectionRange: RangeShape
  children?: SymbolShape[] | null | undefined
}

const documentSymbol: z.ZodType<SymbolShape> = z.object({
  name: z.string(),
  kind: z.int(),
  range,
  selectionRange: range,
  get children() {
    return z.array(documentSymbol).nullish()
  },
})

export const FlatSymbol = z.object({
  name: z.string(),
  kind: z.int(),
  containerName: z.string().nullish(),
  location: z.object({ uri: z.string(), range: range.optional() }),
})
export type FlatSymbol = z.infer<typeof FlatSymbol>

/** A tree, or the flat list of older servers. */
export const DocumentSymbols = z
  .union([z.array(documentSymbol), z.array(FlatSymbol)])
  .nullable()
  .transform((answer): SymbolShape[] =>
    (answer ?? []).flatMap((one) => {
      if ('selectionRange' in one) return [one]
      const { name, kind, location } = one
      return location.range ? [{ name, kind, range: location.range, selectionRange: location.range }] : []
    }),
  )

export const WorkspaceSymbols = z
  .array(FlatSymbol)
  .nullable()
  .transform((all) => all ?? [])

export const DiagnosticShape = z.object({
  range,
  message: z.string(),
  severity: z.int().min(1).max(4).optional(),
  code: z.union([z.string(), z.int()]).optional(),
})
export type DiagnosticShape = z.infer<typeof DiagnosticShape>

export const PulledDiagnostics = z.object({ items: z.array(DiagnosticShape).default([]) })
export const PublishedDiagnostics = z.object({
  uri: z.string(),
  version: z.int().nullish(),
  diagnostics: z.array(DiagnosticShape),
})
/** `at`: of `performance.now()`; `version`: of the document, where the server tells. */
export type Published = { version: number | null; diagnostics: readonly DiagnosticShape[]; at: number }

const marked = z.union([z.string(), z.object({ value: z.string() })])

/** What stands in the box that editors show, as one text; null when there is nothing to show. */
export const Hover = z
  .object({ contents: z.union([marked, z.array(marked)]) })
  .nullable()
  .transform((answer) => {
    const parts = answer === null ? [] : [answer.contents].flat()
    return answer === null ? null : parts.map((one) => (typeof one === 'string' ? one : one.value)).join('\n')
  })

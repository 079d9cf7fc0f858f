/** What the operator's MCP servers offer to a review: tools that were trusted as they are, and calls of them. */
import { z } from 'zod'

export const ForeignArgument = z.object({
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,40}$/),
  type: z.enum(['text', 'number', 'flag']),
  isRequired: z.boolean(),
})
export type ForeignArgument = z.infer<typeof ForeignArgument>

/** Plain data, so that a run keeps it. */
export const ForeignTool = z.object({
  /** As a model calls it: `docs_search`. */
  name: z.string(),
  /** Name of the server in the settings, and of the tool there. */
  server: z.string(),
  tool: z.string(),
  /** What the tool says of itself: foreign words, in one visible line. */
  about: z.string(),
  arguments: z.array(ForeignArgument),
})
export type ForeignTool = z.infer<typeof ForeignTool>

export const ForeignOffer = z.object({
  tools: z.array(ForeignTool),
  /** What the operator listed and cannot be called, with the reason in words. */
  missing: z.array(z.object({ name: z.string(), why: z.string() })),
})
export type ForeignOffer = z.infer<typeof ForeignOffer>

export interface ForeignTools extends ForeignOffer {
  /** What the tool answers, as text, redacted. Throws with a plain sentence. */
  call(tool: ForeignTool, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<string>
}

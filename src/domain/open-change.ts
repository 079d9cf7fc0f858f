/** A change request that is open beside the reviewed one, and where it changes the same files. All its words are foreign. */
import { z } from 'zod'

const LineRange = z.object({ start: z.number().int().positive(), end: z.number().int().positive() })

export const OpenChange = z.object({
  /** `#812`, `!7`; for a branch, its name. */
  name: z.string().max(300),
  title: z.string().max(300),
  author: z.string().max(200).nullable(),
  isDraft: z.boolean(),
  /** Only files that the reviewed change has in common with it, by their path at its base. */
  files: z.array(
    z.object({
      path: z.string(),
      /**
       * Lines at the base of the reviewed change that it replaces, or between which it adds (1-based, inclusive). Null when
       * that is not known: no text, too large, or another version of the file.
       */
      places: z.array(LineRange).nullable(),
    }),
  ),
})
export type OpenChange = z.infer<typeof OpenChange>

/** What two open changes have in common. */
export type Overlap = {
  other: OpenChange
  /** Files in which both change the same or neighbouring lines, so that whoever merges second has a conflict to solve. */
  lines: { path: string; start: number; end: number }[]
  /** Functions and the like that both change. */
  symbols: string[]
  /** Other files that both change. */
  files: string[]
}

/** The first line says which and whose, each further one what it has in common. */
export function describeOverlap({ other, lines, symbols, files }: Overlap): string[] {
  const { name, title, author, isDraft } = other
  const from = [...(author === null ? [] : [`by ${author}`]), isDraft ? 'draft' : 'open']
  return [
    `${name} (${from.join(', ')}): ${title}`,
    ...lines.map(
      ({ path, start, end }) => `  same lines: ${path}:${start === end ? start : `${start}-${end}`}`,
    ),
    ...symbols.map((symbol) => `  same definition: ${symbol}`),
    ...files.map((path) => `  same file: ${path}`),
  ]
}

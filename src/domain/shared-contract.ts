/**
 * What one repository provides and others use: an export of a package, a route, a field, a column, a variable. Found in
 * the files of one commit; what a change breaks of it, and who uses that, is frozen in the request.
 */
import { z } from 'zod'

export const SharedKind = z.enum([
  'package',
  'http',
  'graphql',
  'protobuf',
  'schema',
  'event',
  'sql',
  'setting',
  'image',
  'workflow',
])
export type SharedKind = z.infer<typeof SharedKind>

/** 1-based lines of one file, both included. */
export const SharedPlace = z.object({
  path: z.string(),
  line: z.number().int().positive(),
  endLine: z.number().int().positive(),
})
export type SharedPlace = z.infer<typeof SharedPlace>

/** The lines alone of something that has them. */
export function placeOf({ path, line, endLine }: SharedPlace): SharedPlace {
  return { path, line, endLine: Math.max(line, endLine) }
}

export const BreakHow = z.enum(['removed', 'renamed', 'narrowed', 'required', 'changed'])
export type BreakHow = z.infer<typeof BreakHow>

/** Something that the base provides and the head no longer does, or no longer in the same form. All its words are foreign. */
export const SharedBreak = z.object({
  kind: SharedKind,
  /** As its users call it: `GET /users/{}`, `User.email`, `@acme/client#connect`. */
  name: z.string().max(300),
  how: BreakHow,
  /** The new name; set where `how` is `renamed`. */
  renamedTo: z.string().max(300).optional(),
  /** What is different, in half a sentence with the code in backticks: `the parameter \`limit\` is now required`. */
  what: z.string().max(400),
  /** Where the base has it, and where the head has what became of it; at least one is set. */
  before: SharedPlace.nullable(),
  after: SharedPlace.nullable(),
})
export type SharedBreak = z.infer<typeof SharedBreak>

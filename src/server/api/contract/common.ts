/** What all resources of the API share: versions, pages, errors. */
import { z } from 'zod'

/** A change that breaks clients gets a new number; additions do not. */
export const apiBase = '/api/v1'

export const ErrorCode = z.enum([
  'invalid',
  'sign-in-required',
  'forbidden',
  'not-found',
  'conflict',
  'too-large',
  'too-many',
  'unavailable',
])
export type ErrorCode = z.infer<typeof ErrorCode>

/** Every answer with a status of 400 or more. */
export const ApiError = z.object({
  error: z.object({
    code: ErrorCode,
    /** For people: what is wrong, and what to do about it. */
    message: z.string(),
    /** The parameter or property that is wrong; absent when it is none in particular. */
    field: z.string().optional(),
  }),
})
export type ApiError = z.infer<typeof ApiError>

/** Of a list. A cursor is taken from `next` of the page before and means nothing by itself. */
export const PageQuery = z.object({
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
export type PageQuery = z.infer<typeof PageQuery>

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    /** Cursor of the next page; null on the last one. */
    next: z.string().nullable(),
  })
}
export type Page<Item> = { items: Item[]; next: string | null }

/** A text that may be too long to be sent whole. Foreign unless said otherwise. */
export const CutText = z.object({
  text: z.string(),
  /** Characters that were left out at its end. */
  omitted: z.number().int().nonnegative(),
})
export type CutText = z.infer<typeof CutText>

/** What all resources of the API share: versions, pages, errors. */
import { z } from 'zod'

/** A change that breaks clients gets a new number; additions do not. */
export const apiBase = '/api/v1'

/** What each route states about itself; `openListener` enforces it, and refuses to start with a route that contradicts itself. */
export type RouteRules = {
  /**
   * Who may call it. `public`: anybody. `signed`: the handler checks the proof that the request carries: a signature, a
   * state, a token in the body. `metrics`: whoever has the metrics token, if one is set. `operator`: the admin token of the
   * server. Otherwise a token or session with that scope.
   */
  readonly scope: 'public' | 'signed' | 'metrics' | 'operator' | 'read' | 'review' | 'admin'
  /** Whose data it touches. `proven`: of the tenant that follows from the proof, or that the operator names. */
  readonly tenant: 'none' | 'caller' | 'proven'
  /** The action that each success adds to the audit log, or why none does. */
  readonly audit: `${string}.${string}` | { readonly none: string }
  /** Largest body; 0: it takes none. */
  readonly bodyBytes: number
  /** Requests of one caller, one address or, on a `signed` route that counts, one signer. */
  readonly rate: {
    readonly most: number
    readonly seconds: number
    readonly of: 'caller' | 'address' | 'signer'
  }
}

/** Rates that most routes share: far more than people and their programs need. */
export const rates = {
  read: { most: 1_200, seconds: 60, of: 'caller' },
  change: { most: 240, seconds: 60, of: 'caller' },
  anybody: { most: 6_000, seconds: 60, of: 'address' },
  signIn: { most: 120, seconds: 60, of: 'address' },
} as const satisfies Record<string, RouteRules['rate']>

/** Of an API request. */
export const largestBody = 64 * 1024

export const readOnly = { none: 'it changes nothing' } as const

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

/** A named thing in source code, and what a change did to it. */
import { z } from 'zod'
import { symbolKinds } from './names.ts'

export const SymbolKind = z.enum(symbolKinds)
export type SymbolKind = z.infer<typeof SymbolKind>

export const Parameter = z.object({
  name: z.string(),
  type: z.string().nullable(),
  /** A caller may leave it out: it has a default, is optional, or is variadic. */
  optional: z.boolean(),
  variadic: z.boolean(),
  /** Can only be given by name (Python after `*`). */
  keywordOnly: z.boolean(),
})
export type Parameter = z.infer<typeof Parameter>

export const Signature = z.object({
  /** The text before the body, white space folded. */
  text: z.string(),
  /** Null for things that take no parameter list (classes without one, variables …). */
  parameters: z.array(Parameter).nullable(),
  returnType: z.string().nullable(),
})
export type Signature = z.infer<typeof Signature>

/** `exported`: seen outside its file or package; `internal`: package- or module-wide; `private`: its container only. */
export const Visibility = z.enum(['exported', 'internal', 'private'])
export type Visibility = z.infer<typeof Visibility>

export const CodeSymbol = z.object({
  name: z.string(),
  kind: SymbolKind,
  /** Enclosing symbols, outermost first, joined by a dot; empty at top level. */
  scope: z.string(),
  /** 1-based, inclusive: the whole definition with its decorators. */
  startLine: z.number().int().positive(),
  endLine: z.number().int().positive(),
  /** The line on which the name itself stands. */
  nameLine: z.number().int().positive(),
  signature: Signature,
  visibility: Visibility,
  /** SHA-256 prefixes (16 hex) of the signature and the body, without comments and white space. */
  signatureHash: z.string(),
  bodyHash: z.string(),
  /** A test case or a test suite, by the language's conventions. */
  isTest: z.boolean(),
  /** First line of the documentation comment, or null. */
  doc: z.string().nullable(),
})
export type CodeSymbol = z.infer<typeof CodeSymbol>

/** What a test defines for itself: of all names only titles of tests have spaces. */
export function isInsideTest({ scope }: CodeSymbol): boolean {
  return /\s/.test(scope)
}

export const SignatureDelta = z.object({
  parametersAdded: z.array(Parameter),
  parametersRemoved: z.array(Parameter),
  /** Same parameters in another order. */
  reordered: z.boolean(),
  /** Parameters whose type, default or kind changed, by name. */
  parametersChanged: z.array(z.object({ name: z.string(), before: Parameter, after: Parameter })),
  returnType: z.object({ before: z.string().nullable(), after: z.string().nullable() }).nullable(),
  visibility: z.object({ before: Visibility, after: Visibility }).nullable(),
})
export type SignatureDelta = z.infer<typeof SignatureDelta>

export const SymbolChangeKind = z.enum([
  'added',
  'removed',
  'renamed',
  'moved',
  'signature-changed',
  'body-changed',
])
export type SymbolChangeKind = z.infer<typeof SymbolChangeKind>

/** One symbol's fate in a change. A renamed or moved symbol may carry a signature delta and a changed body too. */
export const SymbolChange = z.object({
  kind: SymbolChangeKind,
  language: z.string(),
  /** Where the symbol stood at the base, and what it was; null when added. */
  before: z.object({ path: z.string(), symbol: CodeSymbol }).nullable(),
  /** Where it stands at the head; null when removed. */
  after: z.object({ path: z.string(), symbol: CodeSymbol }).nullable(),
  delta: SignatureDelta.nullable(),
  bodyChanged: z.boolean(),
  /** 0 to 1, how alike the two bodies are, for renames and moves found by content. */
  similarity: z.number().min(0).max(1).nullable(),
})
export type SymbolChange = z.infer<typeof SymbolChange>

/** GraphQL in files: whole documents, and literals in code that are one. The reference implementation is loaded when it is needed. */
import type { DefinitionNode } from 'graphql'
import { oncePer } from '../../../base/remembered.ts'
import { type CodeString, codeStrings } from '../../code-strings.ts'
import type { SourceFile } from '../../contract.ts'

type Library = typeof import('graphql')

let library: Library | null = null

async function loadGraphql(): Promise<void> {
  library ??= await import('graphql')
}

/** `provided` and `uses` load it; what is compared and judged came from them. */
export function graphql(): Library {
  if (!library) throw new Error('GraphQL was not loaded: call `provided` or `uses` of the kind first.')
  return library
}

/** A text that may be GraphQL; `start` is its offset in the file. */
type Candidate = Pick<CodeString, 'start' | 'text' | 'holes'>

/** `holes`: where names stand in for values that the program fills in. */
export type GraphqlDocument = {
  start: number
  text: string
  definitions: readonly DefinitionNode[]
  holes: CodeString['holes']
}

export function isGraphqlPath(path: string): boolean {
  return /\.(?:graphqls?|gql)$/.test(path)
}

/** Those that parse, in order. */
export async function documentsOf(file: SourceFile): Promise<readonly GraphqlDocument[]> {
  if (candidatesOf(file).length > 0) await loadGraphql()
  return loadedDocumentsOf(file)
}

/** The same where the library is loaded. */
export const loadedDocumentsOf = oncePer((file: SourceFile): readonly GraphqlDocument[] =>
  candidatesOf(file).flatMap(parsed),
)

function candidatesOf({ path, text }: SourceFile): Candidate[] {
  if (isGraphqlPath(path)) return [{ start: 0, text, holes: [] }]
  return codeStrings(path, text).filter(isGraphql)
}

const tag = /(?:\bg(?:raph)?ql(?:<[^<>]{0,60}>)?\(?|\/\* ?graphql ?\*\/)$/i
const opening =
  /^(?:\s|#[^\n]*\n)*(?:(?:query|mutation|subscription|fragment)\b[^{}]{0,2000}\{|(?:extend\s{1,9})?(?:type|input|enum|interface|schema)\b[^{}\n]{0,500}\{[ \t]*\r?\n)/

function isGraphql({ text, before }: CodeString): boolean {
  return tag.test(before) || /^\s*#graphql\b/i.test(text.slice(0, 200)) || opening.test(text)
}

const mostTokens = 200_000

/** Fragments that are inserted stand between definitions, and other values where a name may stand. */
function parsed({ start, text, holes }: Candidate): GraphqlDocument[] {
  const plain = definitionsIn(text)
  if (plain) return [{ start, text, definitions: plain, holes: [] }]
  const definitions = holes.length > 0 ? definitionsIn(filled(text, holes)) : null
  return definitions ? [{ start, text, definitions, holes }] : []
}

function filled(text: string, holes: CodeString['holes']): string {
  const pieces: string[] = []
  let at = 0
  for (const { start, end } of holes) {
    pieces.push(text.slice(at, start), '_'.repeat(end - start))
    at = end
  }
  return pieces.join('') + text.slice(at)
}

/** Null for what is none. Deep nesting overflows the stack of the parser. */
export function definitionsIn(text: string): readonly DefinitionNode[] | null {
  try {
    return graphql().parse(text, { maxTokens: mostTokens }).definitions
  } catch {
    return null
  }
}

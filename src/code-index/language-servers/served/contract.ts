/** Answers about code for which a language server was asked beside the index. Each edge says who vouches for it. */
import type {
  Caller,
  CallersAnswer,
  DefinitionsAnswer,
  ReferenceEdge,
  ReferencesAnswer,
  SymbolSite,
} from '../../query/contract.ts'
import type { AnswerState } from '../contract.ts'

/** `index`, or the server with its version. In this order when both say so. */
export type Sources = { sources: string[] }

export type SourcedEdge = ReferenceEdge & Sources

/** The server's part in an answer. */
export type ServerPart = {
  source: string | null
  state: AnswerState
  /** Why the answer is not complete; null when it is. */
  why: string | null
}

export type ServedReferences = Omit<ReferencesAnswer, 'references'> & {
  references: SourcedEdge[]
  server: ServerPart
}

export type ServedCallers = Omit<CallersAnswer, 'callers'> & {
  callers: (Caller & Sources)[]
  server: ServerPart
}

export type ServedDefinitions = Omit<DefinitionsAnswer, 'definitions'> & {
  definitions: (SymbolSite & Sources)[]
  /** Found by the server alone, which tells no more of them. */
  others: ({ path: string; line: number; name: string; scope: string } & Sources)[]
  server: ServerPart
}

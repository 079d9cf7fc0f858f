/** What a workflow, an action or a template provides to those who call it, and what a call passes and takes. */
import type { Break, Provided, Use } from '../../contract.ts'

/** `job`: a hidden job of GitLab that others extend. */
export type PartKind = 'input' | 'secret' | 'output' | 'job'

export type CallableShape =
  | { is: 'file'; key: string; digest: string }
  | { is: PartKind; key: string; part: string; isRequired: boolean; type: string | null }

export type CallableProvided = Provided<CallableShape>

export type CallShape = {
  /** As it is written behind the `@`, or as `ref`; null where the default branch is meant. */
  ref: string | null
} & (
  | { is: 'call'; passed: readonly string[]; secrets: readonly string[] | 'all' }
  | { is: PartKind; part: string }
)

export type CallUse = Use<CallShape>

export type BrokenCallable = Break<{
  key: string
  /** `required`: who does not pass it is broken, rather than who does. */
  of: 'file' | PartKind
  part: string
  isRequired: boolean
  /** The host refuses to run it, rather than to go on with less. */
  isRefused: boolean
}>

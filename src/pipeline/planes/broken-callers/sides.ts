/** Both trees, and one file of the head as it stands in each of them. */
import type { Place, World } from '../../../code-index/resolve/contract.ts'
import type { Subject } from './subject.ts'

/** `basePlace` has the head's facts too: what did this use mean before everything around it changed? */
export type Sides = { base: World; head: World; basePlace: Place; headPlace: Place }

/**
 * `arity`: too many or too few arguments; `keyword`: one by a name that is not taken; `required`: a call by names lacks
 * one.
 */
export type Failure =
  | 'module'
  | 'export'
  | 'member'
  | 'name'
  | 'arity'
  | 'keyword'
  | 'required'
  | 'hidden'
  | 'implement'
  | 'override'

/** A call that does not fit the parameters. */
export function isMisfit(failure: Failure): failure is 'arity' | 'keyword' | 'required' {
  return failure === 'arity' || failure === 'keyword' || failure === 'required'
}

/** A use that no longer fits, and how it fails: `passes 1 argument, it takes 2`. */
export type Breakage = { subject: Subject; failure: Failure; words: string; certain: boolean }

/** A breakage and where it stands at the head: from the name to the end of the call. */
export type LeftBehind = Breakage & { path: string; line: number; endLine: number; name: string }

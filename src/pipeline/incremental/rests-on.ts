/**
 * What a model's answer about a file rests on, as one name for each file: the file itself, what checks found in it, and
 * what it is tied to in the rest of the change. Files outside the change are the same in the base, which is part of the
 * basis; so two reviews with one basis and one name for a file would ask the same about it.
 */
import { canonicalJson, sha256 } from '../../base/canonical-json.ts'
import type { ChangedDefinition, ChangedUses, FileChange } from '../../domain/change-set.ts'
import { symbolsNotCompared } from '../../domain/coverage.ts'
import type { RestsOn } from '../../domain/earlier-review.ts'
import type { Candidate } from '../../domain/finding.ts'
import type { StageInput } from '../stage-input.ts'
import { indexTies, openFiles } from './ties.ts'

/** Raised when the rules of this file change: what earlier versions kept is then not compared. */
const version = 2

export type RestsOnInput = Pick<StageInput, 'context' | 'head' | 'facts' | 'config'> & {
  /** Of checks by code. */
  candidates: readonly Candidate[]
  /** Who is asked, and in which words. */
  asked: unknown
}

export type Ties = RestsOn & {
  uses: ChangedUses
}

/** Null where the ties between files are not known. */
export async function whatItRestsOn(input: RestsOnInput): Promise<Ties | null> {
  const { context, candidates } = input
  if (context.cuts.some((cut) => cut.startsWith(symbolsNotCompared))) return null
  const files = await openFiles(input)
  const tiesOf = indexTies(files)
  const uses = new Map<string, ChangedDefinition[]>()
  const names = files.map((file): [string, string] => {
    const ties = tiesOf(file)
    uses.set(
      file.change.path,
      ties.flatMap(({ used }) => used ?? []),
    )
    return [
      file.change.path,
      nameOf([
        own(file.change),
        checked(file.change, candidates),
        ties.map(({ path, what }) => [path, what]),
      ]),
    ]
  })
  return { bundle: context.hash, basis: basisOf(input), files: Object.fromEntries(names), uses }
}

/** Where it differs, everything is asked again. What only decides how a review is shown is no part of it. */
function basisOf({ context, config, asked }: RestsOnInput): string {
  const { base, source, tickets = [], errors } = context.request
  const {
    failOn: _,
    minSeverity: __,
    maxInline: ___,
    requireComplete: ____,
    incremental: _____,
    ...review
  } = config.review
  const known = errors ? [errors] : []
  return nameOf([version, base.tree, source.paths ?? null, tickets, { ...config, review }, asked, ...known])
}

function own({ path: _, hunks: __, ...rest }: FileChange): unknown {
  return rest
}

/** Their titles and places: a model is shown them. */
function checked({ path }: FileChange, candidates: readonly Candidate[]): unknown[] {
  return candidates
    .filter(({ anchor }) => anchor.path === path)
    .map(({ rule, title, anchor }) => [rule, title, anchor.tags])
}

function nameOf(content: unknown): string {
  return sha256(canonicalJson(content)).slice(0, 32)
}

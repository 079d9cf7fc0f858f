/** What a dossier is made from: the change, both trees, what the index knows, and questions to the tree. */
import type { Toolbox } from '../../agent/contract.ts'
import type { ChangeSurroundings, Side } from '../../domain/change-set.ts'
import type { EvidenceBook, EvidenceDraft } from '../../domain/evidence.ts'
import type { FileText, RepoSnapshot } from '../../domain/snapshot.ts'
import type { StageInput } from '../stage-input.ts'
import type { Place } from './places.ts'

export type DefinitionPlace = { name: string; path: string; startLine: number; endLine: number }

/** Questions to the tree at the head, each on record, so that a replay needs no index. */
export type CodeQuestions = {
  /** With what is near the change, nearer answers come first. */
  openToolbox: (
    stage?: 'explore' | 'review' | 'refute',
    surroundings?: ChangeSurroundings,
  ) => Promise<Toolbox>
  /** Where these names are defined; a name with several definitions comes several times. Empty when it takes too long. */
  definitionsOf: (names: readonly string[]) => Promise<readonly DefinitionPlace[]>
}

export type DossierContext = Omit<StageInput, 'config' | 'onEvent'> & {
  book: EvidenceBook
  /** Null where the repository cannot be searched. */
  code: CodeQuestions | null
  /** Bytes of evidence. */
  room: number
}

/** Of a longer definition around a finding, only the lines near it are shown. */
export const longestDefinition = 300

export function snapshotOf(side: Side, { base, head }: DossierContext): RepoSnapshot {
  return side === 'old' ? base : head
}

/** Null for lines that are not there. */
export function linesOf(source: FileText, place: Place, title: string): EvidenceDraft | null {
  const lines = source.text.split('\n').slice(place.startLine - 1, place.endLine)
  if (lines.at(-1) === '') lines.pop()
  if (lines.length === 0) return null
  return {
    source: 'file',
    trust: 'foreign',
    title,
    path: place.path,
    blob: source.blob,
    side: place.side,
    startLine: place.startLine,
    endLine: place.startLine + lines.length - 1,
    text: lines.map((line) => line.replace(/\r$/, '')).join('\n'),
  }
}

/** Who reads each group of files: one reader, or two who know nothing of each other. */
import { type PromptFile, readPrompt } from '../../base/package-root.ts'
import type { ReaderName } from '../../domain/finding.ts'

/** The plane of every reader, as users know it. */
export const reviewerName = 'reviewer'

export type Reader = {
  /** Null for the only one. */
  name: ReaderName | null
  /** What its question says beyond that of the other reader. Two requests that are the same would be answered once. */
  words: string
}

export type Panel = {
  /** The first word of the addresses of its questions. */
  depth: 'quick' | 'standard' | 'deep'
  instructions: PromptFile
  followUp: PromptFile
  readers: readonly Reader[]
}

export function panelOf(depth: Panel['depth']): Panel {
  const { id, text } = readPrompt('quick-review', 4)
  return {
    depth,
    // To change the page on the fields of an answer is to give the prompt a new version too.
    instructions: { id, text: `${text}\n\n${readPrompt('answer-fields', 4).text}` },
    followUp: readPrompt('follow-up', 2),
    readers: depth === 'deep' ? twoReaders : [{ name: null, words: '' }],
  }
}

/** The first one is asked what depth standard asks, byte for byte. */
const twoReaders: readonly Reader[] = [
  { name: 'first', words: '' },
  { name: 'second', words: 'You are the second of two readers; neither sees what the other says.' },
]

/** A change of more files than this is long. */
const mostFilesOfOne = 20

/** Depth standard reads a long change twice as well: on those, two readers named a fifth more important problems than one. */
export function panelFor(panel: Panel, files: number): Panel {
  return panel.depth === 'standard' && files > mostFilesOfOne ? { ...panel, readers: twoReaders } : panel
}

/** Of the conversation with one reader about one group: `deep/group-1/second`. */
export function addressOf({ depth }: Panel, group: number, { name }: Reader): string {
  return [depth, `group-${group + 1}`, ...(name === null ? [] : [name])].join('/')
}

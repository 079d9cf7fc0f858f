/** A finding whose truth is known, to be put before the judge among others as if a reviewer had made it. */
import { z } from 'zod'
import { Severity, WireFinding } from '../../src/index.ts'

/** What is wrong with a false finding, or with a part of it. */
const falsehoods = {
  guarded: 'a guard on the way, or a handler around it, keeps it from happening',
  'caller-passes-right': 'every caller passes what it needs',
  typed: 'the types or the kinds of value forbid it',
  'same-before': 'the code did the same before the change',
  'documented-otherwise': 'the library, tool or language does the opposite',
  'wrong-line': 'the mechanism is right, and it is not at the lines that are named',
  'half-true': 'the main claim is true, and a side claim is false',
  overstated: 'it is true, and its consequence is milder than it says',
  'other-change': 'it is a defect of code that this change neither brings nor touches',
} as const

type Falsehood = keyof typeof falsehoods

/** With `true` for a finding that is true as it stands. */
export const PlantedKind = z.enum(['true', ...(Object.keys(falsehoods) as Falsehood[])])
export type PlantedKind = z.infer<typeof PlantedKind>

/** Kinds whose main claim is true: whoever loses one of these loses a defect. */
const trueAtHeart: ReadonlySet<PlantedKind> = new Set(['true', 'half-true', 'overstated'])

const commit = z.string().regex(/^[0-9a-f]{40}$/, 'expected a full commit id')

/** How it was checked: words of the repository that settle it, or a command with what it printed. */
const Witness = z.discriminatedUnion('how', [
  z.object({
    how: z.literal('quote'),
    side: z.enum(['new', 'old']),
    path: z.string().min(1),
    /** 1-based; the line that the quote begins on. */
    line: z.number().int().positive(),
    /** Whole lines or the middle of one, letter by letter. */
    quote: z.string().min(1),
    shows: z.string().min(1),
  }),
  z.object({
    how: z.literal('run'),
    /** In a checkout of the head, or anywhere if it needs none. */
    command: z.string().min(1),
    printed: z.string().min(1),
    shows: z.string().min(1),
  }),
])

const Fields = z.object({
  /** Unique in the set. */
  id: z.string().min(1),
  repo: z.string().min(1),
  url: z.string().nullable().default(null),
  base: commit,
  head: commit,
  language: z.string().min(1),
  kind: PlantedKind,
  /** Whether the main claim holds and the change causes it. */
  truth: z.boolean(),
  /** The finding that says the same in other words or at another line: never both in one review. */
  same_as: z.string().nullable().default(null),
  /**
   * As a reviewer answers, but that places are named by what does not depend on a bundle: tags and ids of evidence are
   * `L42` or `O41` for a line of the diff of the file, and `path:42` for a line of a file beside the diff.
   */
  finding: WireFinding,
  /** `half-true`: the sentences, letter by letter, that must go. */
  false_part: z.array(z.string().min(1)).default([]),
  /** `overstated`: the most that it deserves. */
  deserves: Severity.nullable().default(null),
  witness: Witness,
})

export const PlantedFinding = Fields.superRefine((one, context) => {
  const complain = (message: string) => context.addIssue({ code: 'custom', message })
  const { kind, truth, finding, false_part: parts, deserves } = one
  if (truth !== trueAtHeart.has(kind)) complain(`a finding of kind ${kind} is not ${truth}`)
  if ((kind === 'half-true') !== parts.length > 0)
    complain('`false_part` is for `half-true`, and needed there')
  if ((kind === 'overstated') !== (deserves !== null))
    complain('`deserves` is for `overstated`, and needed there')
  const words = `${finding.explanation}\n${finding.remedy ?? ''}`
  if (!parts.every((part) => words.includes(part))) complain('`false_part` is not in the text')
  if (finding.tags.length === 0 || !finding.tags.every((tag) => /^[LO]\d+$/.test(tag)))
    complain('`tags` are lines of the diff such as L42 or O41')
})
export type PlantedFinding = z.infer<typeof PlantedFinding>

/** The findings of the scripted models: one is a bug that a later commit fixed, the others are wrong on purpose. */
import { plainFinding } from '../../test/helpers/reviewer-answer.ts'

const file = 'src/sightline.ts'
const overridden = 'review: { ...read.review, ...options.overrides }'
const runEnd = "onEvent({ type: 'run-end'"
const overrides = "overrides?: Partial<Config['review']>"

/** That a line of the change has these words. */
function contains(words: string) {
  return { kind: 'line-contains', path: file, line: { $lineAt: words }, side: 'new', text: words }
}

/** A line of the change as its own evidence. */
function quoted(words: string) {
  return { id: { $tagAt: words }, quote: words }
}

function about(words: string) {
  return {
    ...plainFinding,
    file,
    tags: [{ $tagAt: words }],
    evidence: [quoted(words)],
    category: 'correctness',
    severity: 'medium',
    confidence: 'likely',
    claims: [] as object[],
    remedy: null as string | null,
  }
}

/** True: what runs, and what is said to have run, are two things. `further`: evidence that a scout gathered. */
export function leftOutPlanes(...further: object[]) {
  const chosen = 'disable: [...config.planes.disable, ...(options.disablePlanes ?? [])]'
  return {
    ...about(overridden),
    evidence: [quoted(overridden), quoted(chosen), ...further],
    title: 'Planes turned off by the caller are missing from the effective configuration',
    explanation:
      '`config` includes `overrides` and is returned and hashed as the effective configuration, but `disablePlanes` and `onlyPlanes` only reach `choosePlanes`. Two runs with different planes have the same configuration.',
    claims: [contains(overridden)],
    remedy: 'Compute `planes.disable` of the effective configuration from the planes that run.',
  }
}

/** The quoted words are nowhere. */
export const madeUpQuote = {
  ...about(runEnd),
  evidence: [{ id: { $tagAt: runEnd }, quote: "onEvent({ type: 'run-end', findings: null })" }],
  title: 'The end of a run is reported without findings',
  explanation: 'The event carries null where a number is expected.',
}

/** No line of the diff has this tag. */
export const wrongTag = {
  ...about(overridden),
  tags: ['L412#zzz'],
  title: 'The lock is never released',
  explanation: 'A second review waits forever.',
}

/** Code knows better: the file exports the name. */
export const notExported = {
  ...about(overrides),
  title: '`Config` is not exported by `src/config/schema.ts`',
  explanation: 'The type of the new option cannot be resolved.',
  claims: [{ kind: 'not-exported', path: file, line: 6, name: 'Config', from: 'src/config/schema.ts' }],
}

/** Sounds right and is not: a reader of twenty more lines sees it. */
export const flagAnyText = {
  ...about('overrides: { minSeverity: flags['),
  file: 'src/cli/run-review.ts',
  title: 'An unknown severity is passed on unchecked',
  explanation: 'The flag may contain any text, and nothing compares it with the known severities.',
}

/** Sounds right and is not: the line above refutes it. */
export const collectingTime = {
  ...about('const durationMs = performance.now() - startedAt'),
  title: 'The duration leaves out the collecting',
  explanation: 'The reported time starts only after the change was collected.',
}

/** One reader alone says so. */
export const noEndAfterFailure = {
  ...about(runEnd),
  severity: 'low',
  title: 'A failing run does not report its end',
  explanation: 'A listener that releases something at the end of a run keeps it when the review throws.',
}

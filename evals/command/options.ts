/** The options of the evaluation commands: how each is read, and what help says of it. */
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { Depth } from '../../src/index.ts'
import { EvaluationError } from '../base/errors.ts'

const text = z.string().min(1, 'the value is empty')
const list = z.array(text).default([])
const flag = z.boolean().default(false)

/** A whole number between the two bounds, both included. */
function integer(minimum: number, maximum: number) {
  const message = `expected a whole number from ${minimum} to ${maximum}`
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, message)
}

/** Commas separate names as repeated options do. */
const names = list.transform((typed) => typed.flatMap((one) => one.split(',')).filter((name) => name !== ''))

const dollars = z
  .string()
  .regex(/^\$?\d{1,6}(?:\.\d{1,6})?$/, 'expected US dollars, such as 0.40')
  .transform((typed) => Number(typed.replace('$', '')))
  .refine((usd) => usd > 0, 'expected more than nothing')

/** What `ablate` leaves out one of at a time. */
export const partKinds = ['planes', 'sections', 'checks'] as const

const Values = z.object({
  out: text.optional(),
  mirrors: text.optional(),
  depth: Depth.optional(),
  model: list,
  budget: dollars.optional(),
  jobs: integer(1, 64).default(2),
  history: integer(0, 1_000_000).optional(),
  only: names,
  skip: names,
  part: z.enum(partKinds).optional(),
  fresh: flag,
  tolerance: integer(0, 1000).optional(),
  json: flag,
  telemetry: flag,
  html: text.optional(),
  clean: flag,
  commits: integer(1, 1_000_000).default(2000),
  limit: integer(1, 10_000).default(50),
  name: text.optional(),
  quiet: flag,
  as: text.optional(),
  refuter: flag,
  seed: integer(0, 999_999_999).default(1),
  count: integer(1, 10_000).default(100),
  every: integer(1, 1000).default(1),
  gate: text.optional(),
  'write-baseline': text.optional(),
  ablate: flag,
  retrieval: flag,
  help: flag,
})
export type Values = z.output<typeof Values>

type Line = { placeholder: string | null; repeatable?: true; short?: string; about: string }

/** In the order of help. */
export const optionGroups: readonly { title: string; options: Record<string, Line> }[] = [
  {
    title: 'Options of run, retrieval and ablate',
    options: {
      out: {
        placeholder: 'FOLDER',
        about: 'Keep the evaluation here, or continue the one here. score: write the sheet.',
      },
      mirrors: { placeholder: 'FOLDER', about: 'Take repositories from OWNER+NAME/repo in this folder.' },
      jobs: { placeholder: 'NUMBER', about: 'Evaluate this many cases at a time (default: 2).' },
      history: {
        placeholder: 'NUMBER',
        about: 'Fetch this many commits of history; 0 fetches all (default: 200).',
      },
      depth: {
        placeholder: Depth.options.join('|'),
        about: 'Depth of each review (default: offline). Not for retrieval.',
      },
      model: {
        placeholder: 'ROLE=PROVIDER/MODEL',
        repeatable: true,
        about: 'Model for a role, such as reviewer=anthropic/claude-sonnet-5-5. Also for judge.',
      },
      budget: { placeholder: 'DOLLARS', about: 'Spend at most this much on all cases. Also for judge.' },
      skip: { placeholder: 'NAME', repeatable: true, about: 'Leave this plane out.' },
      only: { placeholder: 'NAME', repeatable: true, about: 'run: use only this plane.' },
      fresh: { placeholder: null, about: 'Ignore recorded answers.' },
      part: { placeholder: partKinds.join('|'), about: 'ablate: leave out only parts of this kind.' },
    },
  },
  {
    title: 'Options of score, compare and gate',
    options: {
      tolerance: {
        placeholder: 'NUMBER',
        about: 'Lines between a finding and a fault that still count (default: 3).',
      },
      json: { placeholder: null, about: 'Print JSON.' },
      html: { placeholder: 'FILE', about: 'score: also write an HTML report.' },
      telemetry: {
        placeholder: null,
        about: 'score: also send the scores to the Langfuse of your settings.',
      },
    },
  },
  {
    title: 'Options of mine',
    options: {
      name: { placeholder: 'OWNER/NAME', about: 'Name of the repository in the cases (required).' },
      clean: { placeholder: null, about: 'Find changes that nobody had to fix instead of faults.' },
      commits: { placeholder: 'NUMBER', about: 'Read this many commits (default: 2000).' },
      limit: { placeholder: 'NUMBER', about: 'Print at most this many cases (default: 50).' },
    },
  },
  {
    title: 'Options of desk',
    options: {
      as: { placeholder: 'NAME', about: 'next: who answers; each case belongs to the first who asks.' },
      refuter: { placeholder: null, about: 'next: questions of the check that tries to refute findings.' },
    },
  },
  {
    title: 'Options of judge-test and claims',
    options: {
      seed: { placeholder: 'NUMBER', about: 'Draw with this seed (default: 1).' },
      count: { placeholder: 'NUMBER', about: 'Plant at most this many findings (default: 100).' },
    },
  },
  {
    title: 'Options without a command',
    options: {
      every: { placeholder: 'NUMBER', about: 'Take every nth case (default: 1).' },
      gate: { placeholder: 'SHEET', about: 'Exit with 1 if a score is worse than on this sheet.' },
      'write-baseline': { placeholder: 'FILE', about: 'Write the sheet of this run.' },
      ablate: { placeholder: null, about: 'Leave out one part at a time.' },
      retrieval: { placeholder: null, about: 'Measure retrieval instead of reviews.' },
    },
  },
  {
    title: 'Options of every command',
    options: {
      quiet: { placeholder: null, short: 'q', about: 'Print only the result.' },
      help: { placeholder: null, short: 'h', about: 'Print this help.' },
    },
  },
]

/** Throws `usage` with every problem that was found. */
export function readArguments(argv: readonly string[]): { values: Values; operands: string[] } {
  const options = Object.fromEntries(
    optionGroups.flatMap((group) =>
      Object.entries(group.options).map(([name, { placeholder, repeatable, short }]) => [
        name,
        {
          type: placeholder === null ? ('boolean' as const) : ('string' as const),
          multiple: repeatable ?? false,
          ...(short ? { short } : {}),
        },
      ]),
    ),
  )
  const typed = parse(argv, options)
  const values = Values.safeParse(typed.values)
  if (values.success) return { values: values.data, operands: typed.positionals }
  const problems = values.error.issues.map(({ path, message }) => `--${String(path[0])}: ${message}`)
  throw new EvaluationError('usage', problems.join('; '))
}

function parse(argv: readonly string[], options: NonNullable<Parameters<typeof parseArgs>[0]>['options']) {
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, options: options ?? {} })
  } catch (error) {
    throw new EvaluationError('usage', error instanceof Error ? error.message : String(error))
  }
}

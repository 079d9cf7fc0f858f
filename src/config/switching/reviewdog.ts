/** reviewdog: https://github.com/reviewdog/reviewdog#reviewdog-config-file */
import { z } from 'zod'
import type { ReviewTool } from './contract.ts'
import { carried, convertSettings, different, yamlValue } from './read-settings.ts'

const Runner = z
  .object({
    name: z.string().optional(),
    format: z.string().optional(),
    errorformat: z.array(z.string()).optional(),
  })
  .loose()

/** Formats that `--sarif` reads. */
const readable = new Set(['sarif', 'checkstyle', 'rdjson', 'rdjsonl'])

const rows = [
  {
    ...carried(
      'runner.*',
      'Run its command in CI, convert the output to SARIF with reviewdog where needed, and pass it with `--sarif FILE` (docs/linters.md).',
      Runner,
      ({ name, format, errorformat }, { note }) => {
        const known = format ?? name ?? ''
        if (readable.has(known) && !errorformat)
          return note(
            'different',
            `Write the output of its command to a file and pass it with \`--sarif FILE\`: ${known} is read as it is (docs/linters.md).`,
          )
        const how = errorformat
          ? errorformat.map((one) => `-efm='${one}'`).join(' ')
          : `-f=${known || 'FORMAT'}`
        note(
          'different',
          `Pipe the output of its command through \`reviewdog ${how} -reporter=sarif\` into a file and pass it with \`--sarif FILE\` (docs/linters.md).`,
        )
      },
    ),
    outcome: 'different' as const,
  },
]

export const reviewdog: ReviewTool = {
  name: 'reviewdog',
  id: 'reviewdog',
  files: ['.reviewdog.yml', '.reviewdog.yaml'],
  rows: [...rows, ...different(['level'], 'A result counts as at most `medium` until a check confirms it.')],
  read: (text) =>
    convertSettings(yamlValue(text), [
      ...rows,
      ...different(['level'], 'A result counts as at most `medium` until a check confirms it.'),
    ]),
}

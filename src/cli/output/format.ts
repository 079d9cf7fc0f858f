/** Which format the result takes, and the text of it, made safe for whatever reads it. */
import { extname } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { type FormatName, formatFacts, formatNames } from '../../domain/formats.ts'
import { severities } from '../../domain/names.ts'
import type { Review } from '../../index.ts'
import type { ValuesOf } from '../command.ts'
import { choice, flag, integer, text } from '../input/options.ts'
import type { Terminal } from '../terminal.ts'
import type { FileLinks } from './file-links.ts'
import { escapeJsonText, keepColors } from './safe-text.ts'

/** How a review is shown, and which of its findings fail the command. */
export const outputOptions = {
  format: choice(formatNames, 'Output format. Default: the extension of --output, else terminal.'),
  json: flag('Same as --format json; errors are printed as JSON too.'),
  output: text('FILE', 'Write the result to FILE; its extension selects the format.'),
  explain: flag('Also show dropped findings and the reasons.'),
  link: text('URL', 'Web address of the repository, for links in Markdown output.'),
  'max-inline': integer(0, 100, 'Maximum number of findings shown in full.'),
  minor: flag('Also show minor findings of models in full, not only in a list.'),
  'fail-on': choice(
    [...severities, 'never'],
    'Exit with code 1 if there is a finding of this severity or higher.',
  ),
}

export type OutputFlags = Omit<ValuesOf<typeof outputOptions>, 'fail-on' | 'max-inline'> & {
  readonly quiet: boolean
  readonly 'no-color': boolean
}

const byEnding: ReadonlyMap<string, FormatName> = new Map(
  formatNames.flatMap((name) => (formatFacts[name].endings ?? []).map((ending) => [ending, name])),
)

/** As asked for; else by the ending of the output file; else the report for people. Throws `usage` for another ending. */
export function chooseFormat(flags: OutputFlags): FormatName {
  if (flags.json && flags.format !== undefined && flags.format !== 'json')
    throw new UserError('usage', `--json and --format ${flags.format} cannot be used together.`)
  if (flags.json) return 'json'
  if (flags.format !== undefined) return flags.format
  const ending = extname(flags.output ?? '').toLowerCase()
  const format = byEnding.get(ending)
  if (format !== undefined) return format
  throw new UserError(
    'usage',
    `--output: no format has the extension \`${ending}\`; select one with --format, or use one of ${[...byEnding.keys()].filter(Boolean).join(', ')}.`,
  )
}

export async function renderReview(
  review: Review,
  format: FormatName,
  flags: OutputFlags,
  maxInline: number,
  terminal: Terminal,
  /** Where the places of the review are files; null when nobody knows. */
  files: FileLinks | null = null,
): Promise<string> {
  const { formats, linksAt } = await import('../../index.ts')
  const link = flags.link === undefined ? null : linksAt(flags.link, review.request)
  if (flags.link !== undefined && !link)
    throw new UserError(
      'usage',
      '--link needs the web address of a repository, such as https://github.com/owner/name.',
    )
  const color = !flags['no-color'] && flags.output === undefined && terminal.colors('result')
  const text = formats[format](review, {
    color,
    width: terminal.width,
    explain: flags.explain,
    // Whoever reads a file that was asked for finds the report there, also when there is nothing to say.
    brief: flags.quiet && flags.output === undefined,
    maxInline,
    minor: flags.minor,
    ...(link ? { link } : {}),
    ...(files ? { open: files.open } : {}),
  })
  return formatFacts[format].isText ? keepColors(text, files?.prefix ?? null) : escapeJsonText(text)
}

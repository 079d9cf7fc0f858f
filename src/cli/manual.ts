/** The man page, written from the same data as help, in the language that `man` reads (roff with the `man` macros). */
import type { CommandText, Option } from './command.ts'

export type ManualGroup = { title: string; commands: readonly CommandText[] }

const exitStatuses: readonly (readonly [string, string])[] = [
  ['0', 'No finding as severe as --fail-on.'],
  ['1', 'A finding as severe as --fail-on (default: high) or worse.'],
  ['2', 'Invalid usage or configuration. Nothing was reviewed.'],
  ['3', 'The change could not be reviewed.'],
  ['4', 'Part of the change was not reviewed.'],
  ['5', 'The spending limit was reached.'],
  ['130', 'Interrupted.'],
]

const files: readonly (readonly [string, string])[] = [
  ['.sightline.yaml', 'Configuration of a repository, read from the commit that a change is based on.'],
  ['.sightline/rules/', 'Rules of a repository.'],
  ['~/.config/sightline/settings.yaml', 'Your own settings: models, language servers, where runs are kept.'],
]

const variables: readonly (readonly [string, string])[] = [
  ['SIGHTLINE_SETTINGS', 'Another settings file.'],
  ['SIGHTLINE_PAGER, PAGER', 'Pager for long reports. Empty or cat: none.'],
  ['NO_COLOR', 'Print without colors.'],
  ['XDG_CACHE_HOME, XDG_STATE_HOME', 'Where caches and recorded runs are kept.'],
]

export function manualPage(groups: readonly ManualGroup[], version: string): string {
  return [
    `.TH SIGHTLINE 1 "" "Sightline ${roff(version)}" "User Commands"`,
    '.SH NAME',
    'sightline \\- evidence-first code reviewer',
    '.SH SYNOPSIS',
    '.B sightline',
    '.I COMMAND',
    '.RI [ OPTIONS ]',
    '.SH DESCRIPTION',
    'Sightline reviews changes to a git repository and shows evidence for every finding.',
    `Start with \\fBsightline review\\fR in a repository.`,
    ...groups.flatMap(({ title, commands }) => [
      `.SH ${roff(title.toUpperCase())}`,
      ...commands.flatMap(commandPart),
    ]),
    '.SH EXIT STATUS',
    ...terms(exitStatuses),
    '.SH FILES',
    ...terms(files),
    '.SH ENVIRONMENT',
    ...terms(variables),
    '.SH SEE ALSO',
    '.BR git (1)',
    '',
  ].join('\n')
}

function commandPart({ name, summary, operand, options, examples }: CommandText): string[] {
  const called = `\\fBsightline ${roff(name)}\\fR${operand === null ? '' : ` [\\fI${roff(operand)}\\fR]`}`
  const described = Object.entries(options)
  return [
    '.SS',
    called,
    roffLine(summary),
    ...described.flatMap(([word, option]) => ['.TP', optionWords(word, option), roffLine(option.about)]),
    ...(examples.length === 0 ? [] : ['.PP', 'Examples:', '.EX', ...examples.map(roffLine), '.EE']),
  ]
}

function optionWords(word: string, { short, placeholder }: Option): string {
  const value = placeholder === null ? '' : ` \\fI${roff(placeholder)}\\fR`
  return `${short === null ? '' : `\\fB${roff(short)}\\fR, `}\\fB${roff(`--${word}`)}\\fR${value}`
}

function terms(rows: readonly (readonly [string, string])[]): string[] {
  return rows.flatMap(([term, meaning]) => ['.TP', `\\fB${roff(term)}\\fR`, roffLine(meaning)])
}

/** Hyphens are typed as they are read, so that options can be copied. Not every `man` reads more than ASCII. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(
      /[^\n -~]/gu,
      (letter) => `\\[u${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
}

/** A line that begins with a dot or a quote would be an order. */
function roffLine(text: string): string {
  const escaped = roff(text)
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped
}

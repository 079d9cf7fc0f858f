/** Completion for fish. */
import type { CompletedCommand, CompletedOption, ValueKind, WriteScript } from './contract.ts'

const refs = "(git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null)"

export const fishScript: WriteScript = (commands) => `# sightline completion for fish:
#   sightline completions fish > ~/.config/fish/completions/sightline.fish
complete -c sightline -f
${commands.map(({ name, summary }) => `complete -c sightline -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`).join('\n')}
${commands.flatMap(linesOf).join('\n')}
`

function linesOf({ name, options, operand }: CompletedCommand): string[] {
  const start = `complete -c sightline -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`
  return [...options.map((option) => `${start} ${optionWords(option)}`), ...operandLines(start, operand)]
}

function optionWords({ names, about, takesValue, value }: CompletedOption): string {
  const [long = '', short] = names
  const named = `-l ${long.slice(2)}${short === undefined ? '' : ` -s ${short.slice(1)}`}`
  return [named, ...(takesValue ? [valueWords(value)] : []), `-d ${quoted(about)}`].join(' ')
}

function operandLines(start: string, kind: ValueKind): string[] {
  if (kind === 'ref') return [`${start} -a ${quoted(refs)}`, `${start} -F`]
  if (kind === 'file') return [`${start} -F`]
  return kind === null || kind.length === 0 ? [] : [`${start} -a ${quoted(kind.join(' '))}`]
}

function valueWords(kind: ValueKind): string {
  if (kind === 'ref') return `-x -a ${quoted(refs)}`
  if (kind === 'file') return '-r -F'
  return kind === null ? '-x' : `-x -a ${quoted(kind.join(' '))}`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** Completion for zsh. */
import type { CompletedCommand, CompletedOption, ValueKind, WriteScript } from './contract.ts'

export const zshScript: WriteScript = (commands) => `#compdef sightline
# sightline completion for zsh. Add to ~/.zshrc, below compinit:
#   source <(sightline completions zsh)
_sightline_refs() {
  local -a refs
  refs=(\${(f)"$(git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null)"})
  compadd -a refs
}

_sightline() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
${commands.map(commandCase).join('\n')}
  esac
}

compdef _sightline sightline
`

function commandCase({ name, options, operand }: CompletedCommand): string {
  const specs = [...options.map(optionSpec), ...operandSpec(operand)]
  return `    ${name}) _arguments -s '1: :' ${specs.join(' ')} ;;`
}

function optionSpec({ names, about, takesValue, value }: CompletedOption): string {
  const [long = '', short] = names
  const text = `[${about.replace(/[[\]\\]/g, '\\$&')}]`
  const action = takesValue ? `:value:${actionOf(value)}` : ''
  const spec = (name: string) =>
    quoted(`${short === undefined ? '' : `(${names.join(' ')})`}${name}${text}${action}`)
  return [long, ...(short === undefined ? [] : [short])].map(spec).join(' ')
}

function operandSpec(kind: ValueKind): string[] {
  if (kind === null || (typeof kind !== 'string' && kind.length === 0)) return []
  return [quoted(`*:operand:${kind === 'ref' ? '{_sightline_refs; _files}' : actionOf(kind)}`)]
}

function actionOf(kind: ValueKind): string {
  if (kind === 'ref') return '_sightline_refs'
  if (kind === 'file') return '_files'
  return kind === null ? ' ' : `(${kind.join(' ')})`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

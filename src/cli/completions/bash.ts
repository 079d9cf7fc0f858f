/** Completion for bash, 3.2 and newer. */
import type { CompletedCommand, ValueKind, WriteScript } from './contract.ts'

/**
 * Names of branches are foreign and may hold `$(…)`, which `compgen -W` would run: they are compared word by word. Where
 * nothing is offered, the shell completes names of files.
 */
export const bashScript: WriteScript = (commands) => `# sightline completion for bash. Add to ~/.bashrc:
#   source <(sightline completions bash)
_sightline_refs() {
  local ref
  while IFS= read -r ref; do
    case $ref in
      "$1"*) COMPREPLY+=("$ref") ;;
    esac
  done < <(git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null)
}

_sightline() {
  local current=\${COMP_WORDS[COMP_CWORD]} at=$COMP_CWORD previous= command= word
  COMPREPLY=()
  # The shell takes \`--format=json\` for three words.
  if [ "$current" = = ]; then current=; elif [ "$at" -gt 1 ] && [ "\${COMP_WORDS[at-1]}" = = ]; then at=$((at - 1)); fi
  [ "$at" -gt 1 ] && previous=\${COMP_WORDS[at-1]}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      -*) ;;
      *) command=$word; break ;;
    esac
  done
  if [ -z "$command" ]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')}' -- "$current"))
    return
  fi
  case "$command $previous" in
${commands.flatMap(valueCases).join('\n')}
  esac
  case "$command $current" in
${commands.map(optionCase).join('\n')}
${commands.map(({ name, operand }) => `    '${name} '*) ${offer(operand)} ;;`).join('\n')}
  esac
}

complete -o bashdefault -o default -F _sightline sightline
`

function valueCases({ name, options }: CompletedCommand): string[] {
  return options.flatMap(({ names, takesValue, value }) =>
    takesValue
      ? [`    ${names.map((option) => `'${name} ${option}'`).join('|')}) ${offer(value)}; return ;;`]
      : [],
  )
}

function optionCase({ name, options }: CompletedCommand): string {
  return `    '${name} -'*) ${offer(options.flatMap((option) => option.names))} ;;`
}

function offer(kind: ValueKind): string {
  if (kind === 'ref') return '_sightline_refs "$current"'
  if (kind === 'file' || kind === null || kind.length === 0) return ':'
  return `COMPREPLY=($(compgen -W '${kind.join(' ')}' -- "$current"))`
}

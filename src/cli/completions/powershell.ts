/** Completion for PowerShell, 5.1 and newer. */
import type { CompletedCommand, ValueKind, WriteScript } from './contract.ts'

export const powershellScript: WriteScript = (
  commands,
) => `# sightline completion for PowerShell. Add to $PROFILE:
#   sightline completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName sightline -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = [ordered]@{
${commands.map(({ name, summary }) => `    ${quoted(name)} = ${quoted(summary)}`).join('\n')}
  }
  $options = @{
${commands.map((command) => `    ${quoted(command.name)} = ${pairsOf(command)}`).join('\n')}
  }
  $values = @{
${commands.flatMap(valueLines).join('\n')}
  }
  $operands = @{
${commands.flatMap(operandLine).join('\n')}
  }
  $words = @($commandAst.CommandElements | ForEach-Object { $_.ToString() })
  if ($wordToComplete -ne '' -and $words.Count -gt 1) { $words = $words[0..($words.Count - 2)] }
  $command = $words | Select-Object -Skip 1 | Where-Object { $_ -notlike '-*' } | Select-Object -First 1
  $offered = @{}
  if (-not $command) { $offered = $commands }
  elseif ($values.ContainsKey("$command $($words[-1])")) {
    $kind = $values["$command $($words[-1])"]
    if ($kind -eq 'ref') { $kind = @(git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>$null) }
    foreach ($one in $kind) { $offered[$one] = $one }
  }
  elseif ($wordToComplete -like '-*') { $offered = $options[$command] }
  elseif ($operands.ContainsKey($command)) {
    foreach ($one in $operands[$command]) { $offered[$one] = $one }
  }
  $offered.Keys | Where-Object { $_ -like "$([WildcardPattern]::Escape($wordToComplete))*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $offered[$_])
  }
}
`

function pairsOf({ options }: CompletedCommand): string {
  const pairs = options.flatMap(({ names, about }) =>
    names.map((name) => `${quoted(name)} = ${quoted(about)}`),
  )
  return `[ordered]@{ ${pairs.join('; ')} }`
}

function valueLines({ name, options }: CompletedCommand): string[] {
  return options.flatMap(({ names, takesValue, value }) =>
    takesValue ? names.map((option) => `    ${quoted(`${name} ${option}`)} = ${valuesFor(value)}`) : [],
  )
}

function operandLine({ name, operand }: CompletedCommand): string[] {
  const isFixed = operand !== null && typeof operand !== 'string' && operand.length > 0
  return isFixed ? [`    ${quoted(name)} = ${valuesFor(operand)}`] : []
}

/** An empty list leaves it to the shell, which completes names of files. */
function valuesFor(kind: ValueKind): string {
  if (kind === 'ref') return quoted('ref')
  return kind === 'file' || kind === null ? '@()' : `@(${kind.map(quoted).join(', ')})`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Completion scripts, read by the shells themselves. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandNames } from '../../src/cli/commands/registry.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'
import { sightline } from '../helpers/sightline.ts'

async function scriptFor(shell: string): Promise<string> {
  const { stdout, code } = await sightline(['completions', shell])
  expect(code).toBe(0)
  const file = join(temporaryFolder(), `sightline.${shell}`)
  writeFileSync(file, stdout)
  return file
}

/** What is offered for the last word of a line. */
type Complete = (line: string) => string[]

async function inBash(cwd: string): Promise<Complete> {
  const file = await scriptFor('bash')
  return (line) => {
    const words = line.split(' ')
    const script = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sightline; printf '%s\\n' "\${COMPREPLY[@]}"`
    const out = execFileSync('bash', ['-c', script, 'bash', file, ...words], { cwd, encoding: 'utf8' })
    return out.split('\n').filter(Boolean)
  }
}

async function inFish(cwd: string): Promise<Complete> {
  const file = await scriptFor('fish')
  return (line) => {
    const script = `source ${file}; complete -C '${line}'`
    const out = execFileSync('fish', ['--no-config', '-c', script], { cwd, encoding: 'utf8' })
    return out.split('\n').flatMap((one) => one.split('\t')[0] || [])
  }
}

function repository(): string {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export const a = 1\n' })
  repo.git('branch', 'feature/volume')
  // A name that git allows, and that a careless script would run.
  repo.git('branch', ['evil', '(touch', '{IFS}ran)'].join('$'))
  return repo.path
}

const shells: ['bash' | 'fish', (cwd: string) => Promise<Complete>][] = [
  ['bash', inBash],
  ['fish', inFish],
]

for (const [shell, open] of shells)
  test(`${shell} completes commands, options, choices and branches`, needs(shell), async () => {
    const cwd = repository()
    const complete = await open(cwd)
    expect(complete('sightline ').sort()).toEqual([...commandNames, 'completions', 'help', 'manual'].sort())
    expect(complete('sightline rev')).toEqual(['review'])
    expect(complete('sightline review --min-')).toEqual(['--min-severity'])
    expect(complete('sightline review --min-severity ')).toEqual(
      ['critical', 'high', 'medium', 'low'].sort(order(shell)),
    )
    expect(complete('sightline review --quiet --depth q')).toEqual(['quick'])
    expect(complete('sightline review --base fea')).toEqual(['feature/volume'])
    expect(complete('sightline review --base ev')).toHaveLength(1)
    expect(complete('sightline help sta')).toEqual(['stats'])
    expect(complete('sightline review --skip sec')).toEqual(['secrets'])
    expect(complete('sightline rules te')).toContain('test')
    expect(complete('sightline memory acc')).toContain('accept')
    expect(execFileSync('ls', [cwd], { encoding: 'utf8' })).toBe('a.ts\n')
  })

test('bash completes a value behind `=`, which it takes for a word of its own', async () => {
  const complete = await inBash(repository())
  expect(complete('sightline review --depth = qu')).toEqual(['quick'])
  expect(complete('sightline review --depth =')).toEqual(['offline', 'quick', 'standard', 'deep'])
  expect(complete('sightline review --depth = quick --min-severity = l')).toEqual(['low'])
})

/** fish sorts what it offers. */
function order(shell: string): (a: string, b: string) => number {
  return shell === 'fish' ? (a, b) => (a < b ? -1 : 1) : () => 0
}

test('zsh reads its script, and completes with it', needs('zsh'), async () => {
  const file = await scriptFor('zsh')
  const cwd = repository()
  // A shell at a pseudo terminal, since zsh completes nowhere else.
  // It is waited for what it prints, never for a time.
  const script = `zmodload zsh/zpty; zpty z zsh -f -i
zpty -w z "PS1=; cd ${cwd}; autoload -U compinit; compinit -u -d ${cwd}/.zcompdump; source ${file}; setopt no_beep; zstyle ':completion:*' list-colors ''; print is''-ready"
zpty -r z out '*is-ready*'
zpty -w -n z $'sightline review --min-severity cri\\t'
zpty -r z out '*severity critical*'; print -r -- "$out"; zpty -d z`
  const out = execFileSync('zsh', ['-f', '-c', script], { encoding: 'utf8', timeout: 120_000 })
  expect(out).toContain('--min-severity critical')
})

test('another shell is a usage error', async () => {
  const { code, stderr } = await sightline(['completions', 'tcsh'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('name the shell: bash, zsh, fish, powershell.')])
})

test('PowerShell: every command and option is in the script, in balanced brackets', async () => {
  const { stdout } = await sightline(['completions', 'powershell'])
  for (const name of commandNames) expect(stdout).toContain(`'${name}' = `)
  expect(stdout).toContain("'review --depth' = @('offline', 'quick', 'standard', 'deep')")
  expect(stdout).toContain("'rules' = @('test')")
  const plain = stdout.replace(/'(?:[^']|'')*'|"[^"]*"|^\s*#.*$/gm, '')
  for (const [open, close] of ['()', '{}', '[]'])
    expect(plain.split(open ?? '').length).toBe(plain.split(close ?? '').length)
})

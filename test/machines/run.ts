/**
 * Makes machines and looks at the product on each as a newcomer would: `npm run test:machines [-- NAME …]`, as root on Linux
 * with debootstrap. Prints a table; `--table FILE` puts it into a page between two marks, and keeps the rows there of machines that
 * were not looked at. After `--minutes` no further tests are started. Ends with 1 where something failed, and with 75 where no such
 * machine can be made here.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checks } from './checks.ts'
import type { Check, Machine, Outcome } from './contract.ts'
import { type Entered, prepareMachine } from './enter.ts'
import { machines } from './machines.ts'
import { suitesThatStartPrograms } from './suites.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    table: { type: 'string' },
    check: { type: 'string', multiple: true },
    suite: { type: 'string', multiple: true },
    minutes: { type: 'string', default: '60' },
  },
})
const root = join(import.meta.dirname, '../..')
const cannotBeMade = 75
const names = Object.keys(checks) as Check[]
const looked = names.filter((name) => values.check?.includes(name) ?? true)
const tests = { suites: values.suite ?? suitesThatStartPrograms(), minutes: Number(values.minutes) }

type Row = { machine: Machine; outcomes: Map<Check, Outcome> }

const chosen = machines.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
const rows: Row[] = []
for (const machine of chosen) {
  // Not where a machine has its small disk, and not in memory: packages are large.
  const folder = mkdtempSync(join(tmpdir(), 'sightline-machine-'))
  try {
    rows.push(await lookAt(await prepareMachine(machine, folder)))
  } catch (error) {
    say(`The machine ${machine.name} cannot be made here: ${error instanceof Error ? error.message : error}`)
    process.exitCode = cannotBeMade
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
const rowsByWords = new Map(
  rows.map(({ machine, outcomes }) => [
    machine.words,
    `| ${machine.words} | ${[...outcomes.values()].map(cell).join(' | ')} |`,
  ]),
)
const head = [`| Machine | ${looked.join(' | ')} |`, `|---|${looked.map(() => '---').join('|')}|`]
const table = [...head, ...rowsByWords.values()].join('\n')
say(`\n${table}`)
if (values.table !== undefined) putInto(values.table)
if (rows.some(({ outcomes }) => [...outcomes.values()].some(({ failed }) => failed > 0))) process.exitCode = 1

async function lookAt(entered: Entered): Promise<Row> {
  const { machine, projects } = entered
  const checkout = join(projects, machine.folder)
  cloneInto(checkout)
  if (machine.user !== null) execFileSync('chown', ['-R', '1000:1000', checkout])
  const outcomes = new Map<Check, Outcome>()
  for (const name of looked) {
    const outcome = await checks[name](entered, tests)
    outcomes.set(name, outcome)
    say(`${machine.name}, ${name}: ${cell(outcome)}`)
    if (outcome.failed > 0) say(outcome.words)
  }
  return { machine, outcomes }
}

/** What is committed, and what is changed here. */
function cloneInto(checkout: string): void {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' })
  git('-c', 'advice.detachedHead=false', 'clone', '--quiet', '--no-hardlinks', root, checkout)
  const changed = `${git('diff', '--name-only', '--diff-filter=AM', 'HEAD')}${git('ls-files', '--others', '--exclude-standard')}`
  for (const path of changed.split('\n').filter(Boolean))
    cpSync(join(root, path), join(checkout, path), { recursive: true })
}

function cell({ seconds, passed, failed, leftOut, why }: Outcome): string {
  const left = leftOut === 0 ? '' : `, ${leftOut} left out${why === '' ? '' : ` (${why})`}`
  return `${Math.round(seconds)} s: ${passed} passed, ${failed} failed${left}`
}

function putInto(page: string): void {
  const [begin, end] = ['<!-- machines -->', '<!-- /machines -->']
  const text = readFileSync(page, 'utf8')
  const [before, rest] = text.split(begin)
  const [old, after] = rest?.split(end) ?? []
  if (before === undefined || old === undefined || after === undefined)
    throw new Error(`${page} has no place for the table`)
  const lines = old.split('\n')
  // Rows of other checks are of no use beside these.
  const isSame = lines.includes(head[0] ?? '')
  const all = machines.flatMap(({ words }) => {
    const kept = isSame ? lines.find((line) => line.startsWith(`| ${words} |`)) : undefined
    return rowsByWords.get(words) ?? kept ?? []
  })
  writeFileSync(page, `${before}${begin}\n${[...head, ...all].join('\n')}\n${end}${after}`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/**
 * What a review of each hostile input costs: the real command at depth offline, with processor time and peak memory of
 * it and all its children together.
 *
 *   node bench/hostile/run.ts [--only TEXT] [--resume] [--minutes N] [--table] [--out bench/out/hostile.json]
 *
 * Results are saved after each input: `--resume` measures only what the file does not have yet, `--minutes` starts no
 * input after that time, and `--table` prints the file as a Markdown table and measures nothing.
 * Exits with 1 when an input costs more than 10 seconds or 500 MB, or ends as it must not.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { type PlayedInput, playInput } from '../../test/red-team/inputs/play-input.ts'
import { hostileInputs } from '../../test/red-team/inputs/registry.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    resume: { type: 'boolean', default: false },
    minutes: { type: 'string', default: 'Infinity' },
    table: { type: 'boolean', default: false },
    out: { type: 'string', default: 'bench/out/hostile.json' },
  },
})

const chosen = hostileInputs.filter(({ name }) => name.includes(values.only))
const saved = values.resume || values.table ? readSaved() : []
const played = new Map(saved.map((one) => [one.name, one]))
const results = () => chosen.flatMap(({ name }) => played.get(name) ?? [])
if (values.table) printTable()
else await playAll()

async function playAll(): Promise<void> {
  const endAt = performance.now() + Number(values.minutes) * 60_000
  mkdirSync(dirname(values.out), { recursive: true })
  for (const input of chosen) {
    if (played.has(input.name)) continue
    if (performance.now() > endAt) break
    const one = await playInput(input)
    played.set(input.name, one)
    writeFileSync(values.out, `${JSON.stringify([...played.values()], null, 2)}\n`)
    const { name, seconds, megabytes, code, faults, words } = one
    const verdict = faults.length === 0 ? 'held' : `FAILED: ${faults.join(', ')}`
    console.log(
      `${seconds.toFixed(1).padStart(7)} s ${String(Math.round(megabytes)).padStart(6)} MB  exit ${code ?? '-'}  ${name}: ${verdict} (${words})`,
    )
  }
  const all = results()
  const failed = all.filter(({ faults }) => faults.length > 0)
  const most = (of: (one: PlayedInput) => number) => Math.max(0, ...all.map(of))
  console.log(
    `${all.length} of ${chosen.length} inputs, ${failed.length} failed; at most ${most(({ seconds }) => seconds).toFixed(1)} s and ${Math.round(most(({ megabytes }) => megabytes))} MB`,
  )
  process.exitCode = failed.length > 0 ? 1 : 0
}

function readSaved(): PlayedInput[] {
  return existsSync(values.out) ? JSON.parse(readFileSync(values.out, 'utf8')) : []
}

function printTable(): void {
  console.log('| Input | CPU s | MB | Exit code |\n|---|---|---|---|')
  for (const { name, seconds, megabytes, code } of results())
    console.log(`| ${name} | ${seconds.toFixed(1)} | ${Math.round(megabytes)} | ${code ?? 'stopped'} |`)
}

/**
 * How long does an agent wait for `check_new_code`?
 *
 *   node bench/agents/check-new-code.ts [--calls 10] REPOSITORY…
 *
 * Starts `sightline mcp` on each checkout and asks it, by the official client, about one file at a time with a line of code
 * added to its end. Prints the first answer, then median and slowest of the others, and the processor time of an answer with
 * all processes behind it: on a busy machine that says more than the clock.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { calls: { type: 'string', default: '10' } },
})

const additions: Readonly<Record<string, string>> = {
  py: '\n\ndef added_here(value):\n    return value\n',
  ts: '\nexport function addedHere(value: number): number {\n  return value\n}\n',
  js: '\nfunction addedHere(value) {\n  return value\n}\n',
  go: '\nfunc addedHere(value int) int {\n\treturn value\n}\n',
}
const entry = join(import.meta.dirname, '../../bin/sightline.js')
const ticksPerSecond = 100

console.log('| repository | files | first | median | slowest | processor time |')
console.log('| --- | ---: | ---: | ---: | ---: | ---: |')
for (const folder of positionals) await measure(folder)

async function measure(folder: string): Promise<void> {
  const paths = execFileSync('git', ['-C', folder, 'ls-files', '-z'], { encoding: 'utf8' }).split('\0')
  const code = paths.filter((path) => additions[path.split('.').at(-1) ?? ''])
  const step = Math.max(1, Math.floor(code.length / Number(values.calls)))
  const asked = code.filter((_, at) => at % step === 0).slice(0, Number(values.calls))
  const args = [entry, 'mcp', '--repo', folder]
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' })
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(transport)
  const times: number[] = []
  const ticks: number[] = []
  for (const path of asked) {
    const text = readFileSync(join(folder, path), 'utf8') + (additions[path.split('.').at(-1) ?? ''] ?? '')
    const before = ticksOf(transport.pid)
    const started = performance.now()
    const { isError, content } = await client.callTool({
      name: 'check_new_code',
      arguments: { files: [{ path, text }] },
    })
    times.push(performance.now() - started)
    ticks.push(ticksOf(transport.pid) - before)
    if (isError) console.error(path, JSON.stringify(content).slice(-300))
  }
  await client.close()
  const [first = 0, ...warm] = times
  const [, ...used] = ticks
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
  const cpu = (median(used) / ticksPerSecond) * 1000
  console.log(
    `| ${basename(folder)} | ${paths.length - 1} | ${seconds(first)} | ${seconds(median(warm))} | ${seconds(Math.max(...warm))} | ${seconds(cpu)} |`,
  )
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

/** Of a process, its children that live, and those that have ended. */
function ticksOf(pid: number | null): number {
  if (pid === null) return 0
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const own = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    return children.reduce((sum, child) => sum + (child === '' ? 0 : ticksOf(Number(child))), own)
  } catch {
    return 0
  }
}

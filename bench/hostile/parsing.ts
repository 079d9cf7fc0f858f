/**
 * What a parser spends on a hostile file of a megabyte: processor time of its child, its start included, and the most memory
 * that the child held, whatever else the machine does meanwhile.
 *
 *   node bench/hostile/parsing.ts [--only TEXT]
 *
 * Exits with 1 when a file costs more than 2 s or 256 MB, or is not answered.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { cpuSeconds, descendants } from '../../src/base/process-tree.ts'
import { ParsePool } from '../../src/code-index/parsing/pool.ts'

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const limits = { seconds: 2, megabytes: 256 }
const bytes = 1_000_000
const languages = 'typescript javascript python go java rust c cpp csharp ruby php kotlin swift'.split(' ')

const filled = (line: string): string => line.repeat(Math.floor(bytes / line.length))
const kinds: Record<string, string> = {
  errors: filled(') ] } @ # ( [ 1x\n'),
  'quotation marks': filled(`"'"\`'"'\`"'\n`),
  commas: `x = f(\n${filled('a, b, c, 1,\n')}a)\n`,
  operators: `x = 1\n${filled(' + a * b - c\n')}`,
  conditions: filled('if (a) b = a && c || d\n'),
  code: filled('function add(first, second) {\n  return first + second\n}\n'),
}

type Cost = { seconds: number; megabytes: number; answer: string }

async function measure(language: string, text: string): Promise<Cost> {
  const pool = new ParsePool()
  const spent = new Map<number, { seconds: number; kilobytes: number }>()
  const look = () => {
    for (const pid of pool.pids.flatMap((root) => [root, ...descendants(root)])) {
      const status = statusOf(pid)
      const known = spent.get(pid) ?? { seconds: 0, kilobytes: 0 }
      spent.set(pid, {
        seconds: Math.max(known.seconds, cpuSeconds(pid) ?? 0),
        kilobytes: Math.max(known.kilobytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0)),
      })
    }
  }
  const timer = setInterval(look, 5)
  let answer = 'none'
  const start = language === 'php' ? '<?php\n' : ''
  await pool.run([
    {
      ...{ language, variant: language, text: start + text },
      parsed(_, failed) {
        answer = failed ?? 'read'
      },
      failed(reason) {
        answer = reason
      },
    },
  ])
  look()
  clearInterval(timer)
  await pool.close()
  const all = [...spent.values()]
  const seconds = all.reduce((total, one) => total + one.seconds, 0)
  return { seconds, megabytes: Math.max(...all.map(({ kilobytes }) => kilobytes)) / 1024, answer }
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

console.log('| File | CPU s | MB | Answer |\n|---|---|---|---|')
const costs: Cost[] = []
for (const language of languages)
  for (const [kind, text] of Object.entries(kinds)) {
    const name = `${language}: ${kind}`
    if (!name.includes(values.only)) continue
    const cost = await measure(language, text)
    costs.push(cost)
    console.log(`| ${name} | ${cost.seconds.toFixed(1)} | ${Math.round(cost.megabytes)} | ${cost.answer} |`)
  }
const within = (of: (cost: Cost) => boolean) => costs.filter(of).length
const most = (of: (cost: Cost) => number) => Math.max(0, ...costs.map(of))
const [quick, small] = [
  within(({ seconds }) => seconds <= limits.seconds),
  within(({ megabytes }) => megabytes <= limits.megabytes),
]
console.log(
  `${costs.length} files: ${quick} within ${limits.seconds} s, at most ${most(({ seconds }) => seconds).toFixed(1)} s; ${small} within ${limits.megabytes} MB, at most ${Math.round(most(({ megabytes }) => megabytes))} MB`,
)
process.exitCode =
  Math.min(
    quick,
    small,
    within(({ answer }) => answer !== 'none'),
  ) < costs.length
    ? 1
    : 0

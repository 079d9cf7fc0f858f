/** Ends a run with what it left out for want of something: "left out on this machine: 14 tests need bubblewrap, 3 Chromium". */
import type { Reporter, TestModule } from 'vitest/node'

export default class LeftOut implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>()
    for (const module of modules)
      for (const test of module.children.allTests('skipped'))
        for (const thing of test.meta().lacking ?? []) counts.set(thing, (counts.get(thing) ?? 0) + 1)
    const line = lineOf(counts)
    if (line !== null) process.stdout.write(`${line}\n`)
  }
}

export function lineOf(counts: ReadonlyMap<string, number>): string | null {
  const [first, ...rest] = [...counts].toSorted(([, one], [, other]) => other - one)
  if (first === undefined) return null
  const [name, count] = first
  const words = [`${count} ${count === 1 ? 'test needs' : 'tests need'} ${name}`]
  return `Left out on this machine: ${[...words, ...rest.map(([thing, number]) => `${number} ${thing}`)].join(', ')}`
}

/** Vitest. */
import { ownNode } from '../../base/own-node.ts'
import type { TestFramework } from '../contract.ts'
import { readJunit } from '../junit.ts'
import { asksFor } from './asks-for.ts'

export const vitest: TestFramework = {
  name: 'Vitest',
  ecosystem: 'javascript',
  guide: "Import `expect` and `test` from `vitest`. Don't use snapshots.",
  isUsedBy: (project) => asksFor('vitest', project),
  nameFor: (stem, extension) => `${stem}.test${extension}`,
  command({ root, test, report }, { installed }) {
    const program = installed.find('vitest/vitest.mjs')
    if (program === null) return null
    const reporter = ['--reporter=junit', `--outputFile=${report}`]
    return {
      words: [...ownNode(), `${root}/${program}`, 'run', test, ...reporter, '--coverage.enabled=false'],
    }
  },
  read: readJunit,
}

/** Mocha. */
import { ownNode } from '../../base/own-node.ts'
import type { TestFramework } from '../contract.ts'
import { readJunit } from '../junit.ts'
import { asksFor } from './asks-for.ts'

export const mocha: TestFramework = {
  name: 'Mocha',
  ecosystem: 'javascript',
  guide:
    '`describe` and `it` are global. Use the assertion library that the other tests use, or `node:assert/strict`.',
  isUsedBy: (project) => asksFor('mocha', project),
  nameFor: (stem, extension) => `${stem}.test${extension}`,
  command({ root, test, report }, { installed }) {
    const program = installed.find('mocha/bin/mocha.js')
    if (program === null) return null
    const reporter = ['--reporter=xunit', `--reporter-option=output=${report}`]
    // Without `spec`, a configuration that names all tests would run them too.
    return { words: [...ownNode(), `${root}/${program}`, ...reporter, '--exit', test] }
  },
  read: readJunit,
}

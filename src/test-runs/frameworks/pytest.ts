/** pytest, which runs tests of `unittest` too. */
import type { TestFramework } from '../contract.ts'
import { readJunit } from '../junit.ts'

export const pytest: TestFramework = {
  name: 'pytest',
  ecosystem: 'python',
  guide: 'Write plain functions `test_…` with `assert`. Import the code as the other tests do.',
  isUsedBy: () => true,
  nameFor: (stem) => `test_${stem.replaceAll('-', '_')}.py`,
  command({ root, test, report }, { installed }) {
    const own = installed.find('bin/python')
    const python = own === null ? 'python3' : `${root}/${own}`
    // The cache would be written into the tree, and plugins may be told by the repository's own settings to start more.
    return [python, '-B', '-m', 'pytest', '-p', 'no:cacheprovider', `--junit-xml=${report}`, '-q', test]
  },
  read: readJunit,
}

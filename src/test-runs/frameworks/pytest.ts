/** pytest, which runs tests of `unittest` too. */
import type { TestFramework } from '../contract.ts'
import { readJunit } from '../junit.ts'
import { pythonOf } from './python.ts'

export const pytest: TestFramework = {
  name: 'pytest',
  ecosystem: 'python',
  guide: 'Write plain functions `test_…` with `assert`. Import the code as the other tests do.',
  isUsedBy: ({ dependencies }) => dependencies.has('pytest'),
  nameFor: (stem) => `test_${stem.replaceAll('-', '_')}.py`,
  command({ root, test, report }, { installed }) {
    // The cache would be written into the tree, and plugins may be told by the repository's own settings to start more.
    const python = pythonOf(root, installed)
    const words = [
      python,
      '-B',
      '-m',
      'pytest',
      '-p',
      'no:cacheprovider',
      `--junit-xml=${report}`,
      '-q',
      test,
    ]
    return { words }
  },
  read: readJunit,
}

/** Node's own test runner. */
import { ownNode } from '../../base/own-node.ts'
import type { TestFramework } from '../contract.ts'
import { readJunit } from '../junit.ts'

export const nodeTest: TestFramework = {
  name: 'node:test',
  ecosystem: 'javascript',
  guide: 'Import `test` from `node:test` and `assert` from `node:assert/strict`.',
  isUsedBy: ({ script }) =>
    script.split(/[&|;]/).some((part) => /\bnode\b/.test(part) && part.includes('--test')),
  nameFor: (stem, extension) => `${stem}.test${extension}`,
  // Tests run in a process below the one that writes the report.
  command: ({ test, report }) => ({
    words: [...ownNode(), '--test', '--test-reporter=junit', `--test-reporter-destination=${report}`, test],
  }),
  // A file that ends well before its tests are over passes as a whole, under its path; no test of it did.
  read: (report) =>
    readJunit(report).filter(({ name, status }) => status !== 'passed' || !/^\/.*\.[cm]?[jt]s$/.test(name)),
}

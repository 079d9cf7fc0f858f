/** Jest, whose report is JSON. */

import { z } from 'zod'
import { ownNode } from '../../base/own-node.ts'
import type { TestCase, TestFramework } from '../contract.ts'
import { asksFor } from './asks-for.ts'

const Report = z.object({
  testResults: z.array(
    z.object({
      message: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullable(),
        }),
      ),
    }),
  ),
})

export const jest: TestFramework = {
  name: 'Jest',
  ecosystem: 'javascript',
  guide: "`test` and `expect` are global. Write modules as the other tests do. Don't use snapshots.",
  isUsedBy: (project) => asksFor('jest', project),
  nameFor: (stem, extension) => `${stem}.test${extension}`,
  command({ root, test, report }, { installed }) {
    const program = installed.find('jest/bin/jest.js')
    if (program === null) return null
    const reporter = ['--json', `--outputFile=${report}`, '--coverage=false']
    // In one process, since a worker of its own has no place to keep what it compiles.
    const words = [...ownNode(), `${root}/${program}`, '--ci', '--runInBand', '--cacheDirectory=/tmp/jest']
    return { words: [...words, ...reporter, '--runTestsByPath', test] }
  },
  read(report) {
    return Report.parse(JSON.parse(report)).testResults.flatMap(({ message, assertionResults }) =>
      assertionResults.length > 0 ? assertionResults.map(caseOf) : [unloaded(message)],
    )
  },
}

function caseOf({
  fullName,
  status,
  failureMessages,
}: {
  fullName: string
  status: string
  failureMessages: string[] | null
}): TestCase {
  const details = (failureMessages ?? []).join('\n')
  const known = status === 'passed' || status === 'failed' ? status : 'skipped'
  return { name: fullName, status: known, message: details.split('\n')[0] ?? '', details }
}

/** A file that could not be loaded has no tests. */
function unloaded(message: string): TestCase {
  return { name: 'the test file', status: 'failed', message: message.split('\n')[0] ?? '', details: message }
}

/** `run_tests`: one of the operator's test commands, on a copy of the head, inside a sandbox. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { textArgument } from './arguments.ts'
import { defineTool, ToolError, type ToolOutput } from './contract.ts'

export const runTests = defineTool({
  name: 'run_tests',
  cost: 'dear',
  about:
    'Runs one of the configured test commands on the head, without network. Names of the commands only; no shell.',
  args: z.object({ command: textArgument }),
  // What matters stands at the end of a test run.
  limits: { lines: 120, lineLength: 400, bytes: 6 * 1024 },
  narrow: 'run a narrower command',
  version: 1,
  keeps: false,
  async run({ command }, { testRunner }, signal): Promise<ToolOutput> {
    if (!testRunner) throw new ToolError('tests cannot be run here')
    if (!testRunner.commands.includes(command))
      throw new ToolError(`there is no such command; there are: ${testRunner.commands.join(', ')}`)
    const { exitCode, output, ended } = await testRunner.run(command, signal)
    const lines = output.split('\n')
    const last = lines.slice(-runTestsLines)
    return {
      lines: last,
      remarks: [
        `${command} in ${testRunner.sandbox}: ${ended}${exitCode === null ? '' : `, exit code ${exitCode}`}`,
        ...(last.length < lines.length
          ? [`the first ${count(lines.length - last.length, 'line is', 'lines are')} left out`]
          : []),
      ],
      isPartial: last.length < lines.length,
    }
  },
})

const runTestsLines = 120

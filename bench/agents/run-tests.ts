/**
 * The tool `run_tests` on a real repository: its tests in the sandbox, without network, on a copy of the last commit.
 *
 *   node bench/agents/run-tests.ts --name go [--read FOLDER]… [--seconds 120] REPOSITORY -- PROGRAM ARGUMENT…
 *
 * Prints what a model would read, and how long it took.
 */
import { parseArgs } from 'node:util'
import { textOf } from '../../src/agent/answer.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { SandboxSettings } from '../../src/config/settings/schema.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import type { ToolScope } from '../../src/tools/contract.ts'
import { toolsFor } from '../../src/tools/registry.ts'
import { openTestRunner } from '../../src/tools/test-runner.ts'
import { createToolbox } from '../../src/tools/toolbox.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string', default: 'tests' },
    read: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string', default: '120' },
  },
})
const [folder, ...command] = positionals
if (folder === undefined || command.length === 0) throw new Error('see the head of this file for its options')

const { signal } = new AbortController()
const selector = { kind: 'commit', commit: 'HEAD' } as const
const { head, base, history, close } = await collectLocal({ folder, selector, limits: defaultConfig.limits })
const settings = SandboxSettings.parse({
  tests: { [values.name]: { command, seconds: Number(values.seconds) } },
  readOnlyPaths: values.read,
  memoryMb: 4096,
})
const testRunner = await openTestRunner(head, settings, signal)
if (!testRunner) throw new Error('there is no sandbox here')
const nothing = { discussion: null, tickets: null, openTickets: null, errors: null, openChanges: null }
const others = {
  memory: [],
  developer: [],
  foreign: null,
  servers: null,
  surroundings: { changed: [], related: [] },
}
const unused = () => Promise.reject(new Error('not asked here'))
const scope: ToolScope = {
  ...nothing,
  ...others,
  head,
  base,
  history,
  tree: unused,
  search: unused,
  testRunner,
}
const toolbox = createToolbox({ ...toolsFor(scope), scope, seconds: Number(values.seconds) + 30 })
const checked = toolbox.check({ tool: 'run_tests', args: { command: values.name } })
if (!checked.ok) throw new Error(checked.detail)
const started = performance.now()
console.log(textOf(await toolbox.run(checked.call, signal)))
console.log(`(${testRunner.sandbox}, ${((performance.now() - started) / 1000).toFixed(1)} s)`)
await close()

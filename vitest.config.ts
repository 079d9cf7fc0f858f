import { availableParallelism, totalmem } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that need a process that nothing else has used, or change it for good; others put back what they change. */
const alone = [
  'test/base/private-folders.test.ts',
  'test/base/sandbox/sandbox.test.ts',
  'test/cli/written-folders.test.ts',
  'test/llm/slow-models.test.ts',
]

/**
 * Files that share their workers, with modules, parsers and databases that stay warm. What they start, a small process starts for them
 * (`test/helpers/starter`), so that it costs no more from a worker that has grown. Those of `server` come last, in new ones.
 */
const ofServer = 'test/{server,dashboard,action,contracts}/**/*.test.ts'
const shared = [
  { name: 'parts', include: ['test/**/*.test.ts'], exclude: [ofServer] },
  { name: 'server', include: [ofServer], exclude: [] },
]

/** Megabytes that a worker's heap may reach before V8 first looks through all of it: most workers end before that. */
const firstCollection = Math.min(700, Math.floor(totalmem() / 2 ** 20 / 16))

/** Begun first in their group: one that is long and begins last keeps the other workers waiting. */
const long = [
  'test/red-team/red-team.test.ts',
  'test/e2e/server.test.ts',
  'test/red-team/growth.test.ts',
  'test/red-team/servers/servers.test.ts',
  'test/e2e/prove.test.ts',
  'test/e2e/three-processes.test.ts',
  'test/e2e/kill.test.ts',
  'test/cli/supervision/supervise.test.ts',
  'test/cli/outcomes.test.ts',
  'test/cli/robust-ends.test.ts',
  'test/cli/review.test.ts',
  'test/cli/interrupt.test.ts',
  'test/code-index/language-servers/bad-servers.test.ts',
  'test/code-index/tree-index/store.test.ts',
  'test/code-index/parsing/bad-files.test.ts',
  'test/code-index/parsing/torture.test.ts',
  'test/hosts/host-packages.test.ts',
  'test/hosts/remote/mirror.test.ts',
  'test/lsp/commands.test.ts',
  'test/pipeline/planes/rules/engine.test.ts',
  'test/pipeline/validation/checker/type-mismatch.test.ts',
  'test/workspace/companions.test.ts',
  'test/workspace/world.test.ts',
  'test/server/jobs/check-of-review.test.ts',
  'test/server/jobs/killed.test.ts',
  'test/server/companions.test.ts',
  'test/contracts/hosts.test.ts',
  'test/server/chaos.test.ts',
  'test/server/intake/carry-out.test.ts',
  'test/server/jobs/endings.test.ts',
  'test/cli/written-folders.test.ts',
  'test/base/sandbox/sandbox.test.ts',
]

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => long.some((path) => moduleId.endsWith(path))
    const others = await super.sort(files.filter((file) => !isLong(file)))
    return [...files.filter(isLong), ...others]
  }
}

const outside = ['**/fixtures/**', '**/node_modules/**']

export default defineConfig({
  test: {
    // Only for what hangs: on a machine with other work a test may take twenty times as long.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // As a worker ends it writes down what it compiled.
    teardownTimeout: 60_000,
    // What is polled for comes when a busy machine gets to it.
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ['test/helpers/starter/install.ts'],
    globalSetup: ['test/helpers/own-folders.ts', 'test/helpers/needs/look-around.ts'],
    reporters: ['default', 'test/helpers/needs/left-out.ts', 'test/helpers/litter/no-litter.ts'],
    sequence: { sequencer: LongFirst },
    pool: 'forks',
    // Of the embedded engine and the parsers little runs so often that V8 should optimise it.
    execArgv: ['--liftoff-only', `--initial-heap-size=${firstCollection}`],
    // By default one core is left free; much of a test's time is spent waiting, for processes that it started and for clocks.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Node loads the sources itself, as it does for the command in a checkout: nothing is transformed for each worker.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      ...shared.map(({ name, include, exclude }, groupOrder) => ({
        extends: true,
        test: {
          ...{ name, include, isolate: false, sequence: { groupOrder } },
          exclude: [...outside, ...alone, ...exclude],
        },
      })),
      {
        extends: true,
        test: { name: 'alone', include: alone, exclude: outside, sequence: { groupOrder: shared.length } },
      },
    ],
  },
})

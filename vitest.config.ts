import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/fixtures/**', '**/node_modules/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // By default one core is left free; most of a test's time is spent waiting for processes it started.
    maxWorkers: '100%',
    // Commands that tests start keep their runs here, and not among the runs of whoever starts the tests.
    // What Node compiled of the command is kept between them: many give the command an empty cache folder.
    env: {
      XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'sightline-test-state-')),
      NODE_COMPILE_CACHE: mkdtempSync(join(tmpdir(), 'sightline-test-compiled-')),
    },
  },
})

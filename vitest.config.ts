import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/fixtures/**', '**/node_modules/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['test/helpers/own-folders.ts'],
    pool: 'forks',
    // By default one core is left free; most of a test's time is spent waiting for processes it started.
    maxWorkers: '100%',
    // Node loads the sources itself, as it does for the command in a checkout: nothing is transformed for each worker.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})

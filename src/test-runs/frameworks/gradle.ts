/** Gradle, which runs JUnit and TestNG, and writes a report for each class. The wrapper of a project is not used: it downloads. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { buildCache, type TestFramework } from '../contract.ts'
import { readJunit } from '../junit.ts'
import { classOf, javaTests, systemSettings } from './java.ts'

export const gradle: TestFramework = {
  ...javaTests,
  name: 'Gradle',
  isUsedBy: ({ manifest }) => /^build\.gradle(?:\.kts)?$/.test(manifest),
  command(places) {
    if (!existsSync('/usr/bin/gradle')) return null
    const full = classOf(places)
    // Of what it downloaded before; a cache that is only read needs Gradle 6.1 or newer.
    const packages = join(process.env.GRADLE_USER_HOME ?? join(homedir(), '.gradle'), 'caches')
    return {
      words: ['gradle', '--offline', '--no-daemon', '--quiet', '--console=plain', 'test', '--tests', full],
      typed: ['gradle', 'test', '--tests', full],
      environment: {
        GRADLE_USER_HOME: `${buildCache}/gradle`,
        ...(existsSync(packages) ? { GRADLE_RO_DEP_CACHE: '/packages' } : {}),
      },
      reportIn: { file: `build/test-results/test/TEST-${full}.xml` },
      lent: [...(existsSync(packages) ? [{ from: packages, to: '/packages' }] : []), ...systemSettings()],
    }
  },
  read: readJunit,
}

/** Maven with Surefire, which runs JUnit and TestNG, and writes a report for each class. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { TestFramework } from '../contract.ts'
import { readJunit } from '../junit.ts'
import { classOf, javaTests, systemSettings } from './java.ts'

export const maven: TestFramework = {
  ...javaTests,
  name: 'Maven',
  isUsedBy: ({ manifest }) => manifest === 'pom.xml',
  command(places) {
    const packages = join(homedir(), '.m2/repository')
    if (!existsSync('/usr/bin/mvn') || !existsSync(packages)) return null
    const full = classOf(places)
    // With its own name alone: a project may forbid that no other test matches.
    const own = [`-Dtest=${full}`, '-DfailIfNoTests=false', '-Dsurefire.failIfNoSpecifiedTests=false']
    return {
      words: ['mvn', '--offline', '--batch-mode', '--quiet', '-Dmaven.repo.local=/packages', ...own, 'test'],
      // It lives too short for more to pay off.
      environment: { MAVEN_OPTS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' },
      typed: ['mvn', `-Dtest=${full}`, 'test'],
      reportIn: { file: `target/surefire-reports/TEST-${full}.xml` },
      lent: [{ from: packages, to: '/packages' }, ...systemSettings()],
    }
  },
  read: readJunit,
}

/** Maven with Surefire, which runs JUnit and TestNG, and writes a report for each class. */
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { TestFramework } from '../contract.ts'
import { readJunit } from '../junit.ts'

export const maven: TestFramework = {
  name: 'Maven',
  ecosystem: 'java',
  guide:
    'Write one public class called as the file, in the package of the tested class, with one method. Use the version of JUnit that the other tests use.',
  isUsedBy: () => true,
  nameFor: (stem) =>
    `${stem.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}Test.java`,
  folderFor: (path) => dirname(path).replace(/(^|\/)src\/main\//, '$1src/test/'),
  command({ test, text }) {
    const packages = join(homedir(), '.m2/repository')
    if (!existsSync('/usr/bin/mvn') || !existsSync(packages)) return null
    const name = basename(test, '.java')
    const [, space] = /^package ([\w.]+);/m.exec(text) ?? []
    const full = space === undefined ? name : `${space}.${name}`
    // With its own name alone: a project may forbid that no other test matches.
    const own = [`-Dtest=${full}`, '-DfailIfNoTests=false', '-Dsurefire.failIfNoSpecifiedTests=false']
    return {
      words: ['mvn', '--offline', '--batch-mode', '--quiet', '-Dmaven.repo.local=/packages', ...own, 'test'],
      typed: ['mvn', `-Dtest=${full}`, 'test'],
      reportIn: { file: `target/surefire-reports/TEST-${full}.xml` },
      lent: [{ from: packages, to: '/packages' }, ...systemSettings()],
    }
  },
  read: readJunit,
}

/** What Debian's Maven and Java are set up by. Not Maven's `settings.xml`, which may hold passwords. */
function systemSettings(): { from: string; to: string }[] {
  const java = readdirSync('/etc').filter((name) => /^java-\d+-openjdk$/.test(name))
  const files = ['maven/m2.conf', 'maven/logging', ...java.map((name) => `${name}/security`)]
  return files
    .map((name) => join('/etc', name))
    .filter((path) => existsSync(path))
    .map((path) => ({ from: path, to: path }))
}

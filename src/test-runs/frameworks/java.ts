/** What the tests of Java have in common, whoever builds them: their names, their folder, and what the system needs. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { TestFramework, TestPlaces } from '../contract.ts'

export const javaTests: Pick<TestFramework, 'ecosystem' | 'guide' | 'nameFor' | 'folderFor'> = {
  ecosystem: 'java',
  guide:
    'Write one public class called as the file, in the package of the tested class, with one method. Use the version of JUnit that the other tests use.',
  nameFor: (stem) =>
    `${stem.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}Test.java`,
  folderFor: (path) => dirname(path).replace(/(^|\/)src\/main\//, '$1src/test/'),
}

/** The full name of the class in a test file. */
export function classOf({ test, text }: Pick<TestPlaces, 'test' | 'text'>): string {
  const name = basename(test, '.java')
  const [, space] = /^package ([\w.]+);/m.exec(text) ?? []
  return space === undefined ? name : `${space}.${name}`
}

/** What Debian's Maven, Gradle and Java are set up by. Not Maven's `settings.xml`, which may hold passwords. */
export function systemSettings(): { from: string; to: string }[] {
  const java = existsSync('/etc') ? readdirSync('/etc').filter((name) => /^java-\d+-openjdk$/.test(name)) : []
  const files = ['maven/m2.conf', 'maven/logging', ...java.map((name) => `${name}/security`)]
  return files
    .map((name) => join('/etc', name))
    .filter((path) => existsSync(path))
    .map((path) => ({ from: path, to: path }))
}

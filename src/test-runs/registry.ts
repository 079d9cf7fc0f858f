/** Which test frameworks there are. The first that a project uses is taken. */
import type { Project, TestFramework } from './contract.ts'
import { cargoTest } from './frameworks/cargo-test.ts'
import { goTest } from './frameworks/go-test.ts'
import { gradle } from './frameworks/gradle.ts'
import { jest } from './frameworks/jest.ts'
import { maven } from './frameworks/maven.ts'
import { mocha } from './frameworks/mocha.ts'
import { nodeTest } from './frameworks/node-test.ts'
import { pytest } from './frameworks/pytest.ts'
import { unittest } from './frameworks/unittest.ts'
import { vitest } from './frameworks/vitest.ts'

export const testFrameworks: readonly TestFramework[] = [
  ...[vitest, jest, mocha, nodeTest],
  ...[pytest, unittest],
  ...[goTest, cargoTest, maven, gradle],
]

export function frameworkOf(project: Project): TestFramework | null {
  const known = testFrameworks.filter(({ ecosystem }) => ecosystem === project.ecosystem)
  return known.find((framework) => framework.isUsedBy(project)) ?? null
}

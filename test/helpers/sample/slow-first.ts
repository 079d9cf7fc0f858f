/** Slow suites begin first, so that at the end of a group no worker waits long for another one. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { testsOfSlow } from './slow-suites.ts'

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

const quick = 100

/** The fewer of its tests are in a sample, the longer each one takes. */
function placeOf({ moduleId, project }: TestSpecification): number {
  const path = moduleId.slice(project.vitest.config.root.length + 1)
  return testsOfSlow.get(path) ?? quick
}

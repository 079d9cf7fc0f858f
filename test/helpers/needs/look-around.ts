/** Looks at the machine once, before the workers start. */
import type { TestProject } from 'vitest/node'
import { findLacking, type Thing } from './things.ts'

declare module 'vitest' {
  interface ProvidedContext {
    lacking: Thing[]
  }
  interface TaskMeta {
    /** Why the test is skipped. */
    lacking?: Thing[]
  }
}

export default async function lookAround(project: TestProject): Promise<void> {
  project.provide('lacking', await findLacking())
}

/** The tree of a commit as a review reads it, and what is read of a tree. */
import { onTestFinished } from 'vitest'
import { defaultConfig } from '../../src/config/schema.ts'
import type { RepoSnapshot } from '../../src/domain/snapshot.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import type { TestRepo } from './git-repo.ts'

/** By git, until the test ends. */
export async function headOf(repo: Pick<TestRepo, 'path'>, commit = 'HEAD'): Promise<RepoSnapshot> {
  const selector = { kind: 'commit', commit } as const
  const change = await collectLocal({ folder: repo.path, selector, limits: defaultConfig.limits })
  onTestFinished(() => change.close())
  return change.head
}

export type Watched = {
  snapshot: RepoSnapshot
  /** Paths whose texts were asked for together, in order. */
  read: string[]
  calls(method: keyof RepoSnapshot): number
}

export function watched(snapshot: RepoSnapshot): Watched {
  const read: string[] = []
  const called: string[] = []
  const proxy = new Proxy(snapshot, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...values: unknown[]) => {
        called.push(String(name))
        if (name === 'readMany' && Array.isArray(values[0])) read.push(...values[0])
        return Reflect.apply(member, target, values)
      }
    },
  })
  return { snapshot: proxy, read, calls: (method) => called.filter((one) => one === method).length }
}

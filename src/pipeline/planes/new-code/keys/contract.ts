/** What a kind of key is: how code uses it, where it is declared, and when a use is wrong. */
import type { FileChange } from '../../../../domain/change-set.ts'
import type { RepoSnapshot } from '../../../../domain/snapshot.ts'

export type KeyUse = { key: string; file: FileChange; line: number; text: string }

export type Registry = { path: string; text: string }

export type Judged = {
  title: string
  explanation: string
  remedy: string
  /** Lines of the head that show the registry, or the key that was meant. */
  shown: { path: string; line: number; title: string }[]
}

export interface KeyFamily {
  readonly rule: string
  /** Keys that a line of code uses. Patterns run on lines of at most 1,000 characters. */
  usesIn(line: string): string[]
  /** Where such keys are declared, by path. */
  isRegistry(path: string): boolean
  /** Null when the key is declared, or when it cannot be told. */
  judge(use: KeyUse, registries: readonly Registry[], sides: KeySides): Promise<Judged | null>
}

export type KeySides = { base: RepoSnapshot; head: RepoSnapshot }

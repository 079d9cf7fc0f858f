/** Secrets that belong where they are: tests and manuals hold made-up values, and tests the keys of their servers. */
import type { AddedSecret, FileChange } from '../../../domain/change-set.ts'

/** Places of made-up material that do not count as tests by their name. */
const madeUpMaterial =
  /(?:^|\/)(?:t|fixtures?|testdata|test[-_]data|mocks?|__mocks__|samples?|snakeoil|dummy)\/|insecure|snake-?oil/i
const examples = /(?:^|\/)examples?\//i

export function isMadeUpMaterial({ path, role }: FileChange): boolean {
  return role === 'test' || madeUpMaterial.test(path)
}

export function isExpected({ kind, certain }: AddedSecret, file: FileChange): boolean {
  if (isMadeUpMaterial(file)) return !certain || kind === 'private key'
  return !certain && (file.role === 'docs' || examples.test(file.path))
}

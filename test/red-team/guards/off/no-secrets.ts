/** Nothing is a secret. */
import type { SecretMatch } from '../../../../src/base/secrets/contract.ts'

export async function findSecrets(): Promise<SecretMatch[]> {
  return []
}

export function findByOwnPatterns(): SecretMatch[] {
  return []
}

/** Nothing is a secret. */
import type { SecretMatch } from '../../../../src/base/secrets/contract.ts'

export const secretsVersion = 0

export function findSecrets(): SecretMatch[] {
  return []
}

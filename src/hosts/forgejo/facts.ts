import type { HostFacts } from '../remote/contract.ts'

export const forgejo: HostFacts = {
  page: 'pulls',
}

import type { HostFacts } from '../remote/contract.ts'

export const gitlab: HostFacts = {
  page: '-/merge_requests',
}

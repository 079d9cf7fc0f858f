import type { HostFacts } from '../remote/contract.ts'

export const github: HostFacts = {
  page: 'pull',
}

/** GitLab: gitlab.com, Dedicated and self-managed servers. */
import type { Host } from '../remote/contract.ts'
import { openMergeRequestReader } from './read-merge-request.ts'
import { openMergeRequestWriter } from './write-merge-request.ts'

export const gitlab: Host = {
  kind: 'gitlab',
  openReader: openMergeRequestReader,
  openWriter: openMergeRequestWriter,
}

/** Forgejo and Gitea, which have the same API as far as it is used here. */
import type { Host } from '../remote/contract.ts'
import { openPullReader } from './read-pull.ts'
import { openPullWriter } from './write-pull.ts'

export const forgejo: Host = { kind: 'forgejo', openReader: openPullReader, openWriter: openPullWriter }

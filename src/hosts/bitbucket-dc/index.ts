/** Bitbucket Data Center, which people run themselves. */
import type { Host } from '../remote/host.ts'
import { bitbucketDc as facts } from './facts.ts'
import { openPullReader as openReader } from './read-pull.ts'
import { acknowledge, answer, openRepository } from './repository.ts'
import { rights } from './rights.ts'
import { openPullWriter as openWriter } from './write-pull.ts'

export const bitbucketDc: Host = {
  facts,
  openReader,
  openWriter,
  openRepository,
  acknowledge,
  answer,
  rights,
}

/** Forgejo and Gitea, which have the same API as far as it is used here. */
import type { Host } from '../remote/host.ts'
import { forgejo as facts } from './facts.ts'
import { openPullReader as openReader } from './read-pull.ts'
import { acknowledge, answer, openRepository } from './repository.ts'
import { rights } from './rights.ts'
import { openPullWriter as openWriter } from './write-pull.ts'

export const forgejo: Host = { facts, openReader, openWriter, openRepository, acknowledge, answer, rights }

/** GitLab: gitlab.com, Dedicated and self-managed servers. */
import type { Host } from '../remote/host.ts'
import { gitlab as facts } from './facts.ts'
import { openMergeRequestReader as openReader } from './read-merge-request.ts'
import { acknowledge, answer, openRepository } from './repository.ts'
import { rights } from './rights.ts'
import { openMergeRequestWriter as openWriter } from './write-merge-request.ts'

export const gitlab: Host = { facts, openReader, openWriter, openRepository, acknowledge, answer, rights }

/** The section `workspace`: repositories that belong together. Never a repository's say, since it decides what is read. */
import { z } from 'zod'

export const WorkspaceSettings = z.strictObject({
  repositories: z.array(z.string().min(1).max(1_000)).max(1_000).default([]).meta({
    description:
      'Repositories that use what the others provide: folders (absolute, or from `~/`) and web addresses. A review names the places in them that a change breaks.',
  }),
  sharedReaders: z.boolean().default(false).meta({
    description:
      'True says that everybody who can read one of the repositories that are not public may read all of them. Without it, a comment shows names and counts of those for which the host does not say so.',
  }),
  offline: z.boolean().default(false).meta({
    description:
      'True asks no host during a review. What `sightline workspace --update` found is believed for an hour; after it, comments show names and counts.',
  }),
})
export type WorkspaceSettings = z.infer<typeof WorkspaceSettings>

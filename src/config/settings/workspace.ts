/** The section `workspace`: repositories that belong together. Never a repository's say, since it decides what is read. */
import { z } from 'zod'

export const WorkspaceSettings = z.strictObject({
  repositories: z.array(z.string().min(1).max(1_000)).max(1_000).default([]).meta({
    description:
      'Repositories that use what the others provide: folders (absolute, or from `~/`) and web addresses. A review names the places in them that a change breaks.',
  }),
})
export type WorkspaceSettings = z.infer<typeof WorkspaceSettings>

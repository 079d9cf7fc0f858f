/** The section `hosts`: servers of the operator's own whose change requests may be reviewed, and where their token is. */
import { z } from 'zod'
import { HostKind } from '../../domain/host-kind.ts'
import { variableName } from './fields.ts'

const HostSetting = z.strictObject({
  kind: HostKind.meta({
    description:
      'What the server runs: GitHub Enterprise is `github`, Gitea is `forgejo`. Or the package that knows such servers.',
  }),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description: 'Root of its web pages. Default: `https://` and the name of the host.',
    }),
  apiUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description: 'Root of its API. Default: where a server of this kind has it, below its web pages.',
    }),
  token: variableName.optional().meta({
    description: 'Environment variable with the token for this host. Without it, no token is sent.',
  }),
})

export const HostSettings = z
  .record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.-]*(?::\d{1,5})?$/), HostSetting)
  .default({})
  .meta({
    description:
      'Your own servers by host name. Tokens are sent only to these, to github.com, gitlab.com, codeberg.org, bitbucket.org and dev.azure.com, and to the server that runs a CI job.',
  })
export type HostSettings = z.infer<typeof HostSettings>

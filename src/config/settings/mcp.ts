/** The section `mcp`: servers of the Model Context Protocol that a review may ask, and which of their tools. */
import { z } from 'zod'
import { variableName } from './fields.ts'

const tools = z
  .array(z.string().min(1).max(128))
  .min(1)
  .max(20)
  .meta({ description: 'Tools that may be called, by their names on the server. List only tools that read.' })

const common = {
  tools,
  seconds: z.int().min(1).max(120).default(20).meta({ description: 'Time limit for each call.' }),
  enabled: z.boolean().default(true).meta({ description: '`false` turns this server off.' }),
}

const Program = z.strictObject({
  command: z.array(z.string().min(1)).min(1).meta({
    description:
      'Program (absolute path or name on the PATH) and arguments. It runs in a sandbox; no shell is used.',
  }),
  passEnvironment: z.array(variableName).default([]).meta({
    description: 'Environment variables to pass to the program, by name. No others are passed.',
  }),
  readOnlyPaths: z.array(z.string().startsWith('/')).default([]).meta({
    description: 'Absolute paths that it can read in its sandbox, such as the folder it is installed in.',
  }),
  network: z.boolean().default(false).meta({ description: 'Whether it may use the network.' }),
  ...common,
})

const Remote = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).meta({ description: 'Address of a server over streamable HTTP.' }),
  token: variableName.optional().meta({ description: 'Environment variable with a bearer token.' }),
  oauth: z
    .strictObject({
      issuer: z.url({ protocol: /^https?$/ }).meta({
        description: 'Address of the authorization server. The secret is sent to no other.',
      }),
      clientId: z.string().min(1).max(300),
      secret: variableName.meta({ description: 'Environment variable with the client secret.' }),
      scope: z.string().max(500).optional(),
    })
    .optional()
    .meta({ description: 'OAuth with client credentials, instead of `token`.' }),
  login: z
    .strictObject({
      issuer: z
        .url({ protocol: /^https?$/ })
        .optional()
        .meta({
          description: 'Address of the authorization server, if no other may be used.',
        }),
      clientId: z.string().min(1).max(300).optional().meta({
        description: 'Client that is registered there. Default: Sightline registers one.',
      }),
      scope: z.string().max(500).optional(),
      port: z.int().min(1024).max(65_535).optional().meta({
        description: 'Port of 127.0.0.1 for the answer of the browser. Default: a free one.',
      }),
    })
    .optional()
    .meta({
      description:
        'OAuth in your browser (`sightline mcp login SERVER`), instead of `token`. `{}` is enough.',
    }),
  ...common,
})

export const McpSettings = z.strictObject({
  servers: z
    .record(z.string().regex(/^[a-z][a-z0-9_]{0,19}$/), z.union([Program, Remote]))
    .default({})
    .meta({ description: 'Servers by a name of your choice.' }),
})
export type McpSettings = z.infer<typeof McpSettings>
export type McpServerSettings = McpSettings['servers'][string]

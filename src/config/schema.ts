/**
 * The configuration: one schema, from which the type, the JSON schema and the reference page derive.
 * Every key has a default, so an empty file is a valid one.
 */
import { z } from 'zod'
import { Severity } from '../domain/severity.ts'
import { SharedKind } from '../domain/shared-contract.ts'

/**
 * Parts of a bundle besides the diff, each of which can be left out to see what it is worth. `author`: title, description and
 * commit messages, as models are shown them.
 */
export const ContextSection = z.enum([
  'code',
  'tickets',
  'history',
  'instructions',
  'memory',
  'explore',
  'author',
])
export type ContextSection = z.infer<typeof ContextSection>

const globs = z.array(z.string().min(1)).max(500)

export const Config = z.strictObject({
  $schema: z.string().optional().meta({ description: 'Address of the JSON schema, for editors.' }),
  review: z
    .strictObject({
      depth: z.enum(['auto', 'offline', 'quick', 'standard', 'deep']).default('auto').meta({
        description:
          'Review depth. `auto`: quick if the operator agreed to send code to a model, else offline, which uses no model.',
      }),
      followUps: z.int().min(0).max(2).default(1).meta({
        description:
          'How often a model may request one more range of lines and reconsider its findings; 0 turns this off.',
      }),
      followUpTokens: z
        .int()
        .min(100)
        .max(2000)
        .default(2000)
        .meta({ description: 'Maximum length of the requested range of lines, in tokens.' }),
      refutations: z.int().min(0).max(200).default(30).meta({
        description:
          'Maximum number of model findings that get an independent check at depth standard and above, most severe first; 0 turns this off.',
      }),
      incremental: z.boolean().default(true).meta({
        description:
          'When a change was reviewed before, ask models only about what is new since, and keep the findings in the rest.',
      }),
      failOn: z
        .enum(['critical', 'high', 'medium', 'low', 'never'])
        .default('high')
        .meta({ description: 'Exit with code 1 if there is a finding of this severity or higher.' }),
      minSeverity: Severity.default('low').meta({
        description: 'Hide findings below this severity. They still affect the conclusion and the exit code.',
      }),
      show: z.enum(['few', 'usual', 'many']).default('usual').meta({
        description:
          'How likely a finding must be to be important to be shown in full: `few` for hardly any that is not, `many` for nearly all that may be. The rest are listed in short.',
      }),
      maxInline: z.int().min(0).max(100).default(20).meta({
        description:
          'Maximum number of findings shown in full, most important first; the rest are listed in short.',
      }),
      overview: z.enum(['always', 'findings', 'never']).default('always').meta({
        description:
          'One comment in the conversation of a pull request, edited after each review: what changes, the findings, what was reviewed and what was not. `findings`: only once there is one.',
      }),
      requireComplete: z
        .boolean()
        .default(false)
        .meta({ description: 'Exit with code 4 if part of the change was not reviewed.' }),
    })
    .prefault({}),
  paths: z
    .strictObject({
      exclude: globs.default([]).meta({
        description:
          'Globs of files to leave out of reviews; they are only searched for secrets and hidden text.',
      }),
      generated: globs.default([]).meta({ description: 'Additional globs of generated files.' }),
      tests: globs.default([]).meta({ description: 'Additional globs of test files.' }),
    })
    .prefault({}),
  planes: z
    .strictObject({
      disable: z.array(z.string()).default([]).meta({ description: 'Planes to turn off, by name.' }),
    })
    .prefault({}),
  rules: z
    .strictObject({
      paths: globs
        .default(['.sightline/rules'])
        .meta({ description: 'Folders with your own ast-grep rules (YAML), read from the base commit.' }),
      disable: z.array(z.string()).default([]).meta({ description: 'Rules to turn off, by id.' }),
    })
    .prefault({}),
  workspace: z
    .strictObject({
      provides: z.array(SharedKind).max(20).nullable().default(null).meta({
        description:
          'Kinds of contracts that other repositories of a workspace use of this one; null: all that are found.',
      }),
      needs: globs.nullable().default(null).meta({
        description:
          'Globs of the repositories of a workspace whose contracts this one uses, such as `acme/api`; null: any of them.',
      }),
    })
    .prefault({}),
  linters: z
    .strictObject({
      results: z.array(z.string().min(1).max(1000)).max(50).default([]).meta({
        description:
          'Files in which linters write their results (SARIF, rdjson, Checkstyle), relative to the root of the repository. Reviews on your machine read those that exist.',
      }),
    })
    .prefault({}),
  validation: z
    .strictObject({
      servers: z.enum(['auto', 'always', 'off']).default('auto').meta({
        description:
          'Language servers on this machine confirm or refute claims and type-check suggestions. `auto`: in reviews that ask models; `always`: offline too.',
      }),
      serverSeconds: z
        .int()
        .min(1)
        .max(300)
        .default(20)
        .meta({ description: 'Time limit in seconds for all language server answers of a review.' }),
    })
    .prefault({}),
  context: z
    .strictObject({
      tokens: z
        .int()
        .min(0)
        .max(1_000_000)
        .default(8_000)
        .meta({ description: 'Maximum size of the code around the change in the bundle, in tokens.' }),
      leaveOut: z.array(ContextSection).default([]).meta({
        description:
          'Sections of the bundle to leave out. `author`: title, description and commit messages, which no model is then shown.',
      }),
      graphSeconds: z.int().min(1).max(600).default(60).meta({
        description:
          'Time limit in seconds for collecting code around the change. Usually a second or two are needed; what was found in time is used.',
      }),
      historySeconds: z.int().min(1).max(600).default(30).meta({
        description: 'Time limit in seconds for reading earlier commits and instructions.',
      }),
      ticketSeconds: z.int().min(1).max(600).default(2).meta({
        description: 'Time limit in seconds for fetching the tickets that the change mentions.',
      }),
    })
    .prefault({}),
  explore: z
    .strictObject({
      iterations: z.int().min(0).max(20).default(5).meta({
        description:
          'Number of turns in which a model may request more context; fewer for small changes, up to 8 for large ones.',
      }),
      callsPerIteration: z
        .int()
        .min(1)
        .max(20)
        .default(8)
        .meta({ description: 'Maximum number of tool calls in one turn.' }),
      calls: z
        .int()
        .min(1)
        .max(200)
        .default(40)
        .meta({ description: 'Maximum number of tool calls in total.' }),
      seconds: z
        .int()
        .min(1)
        .max(600)
        .default(30)
        .meta({ description: 'Time limit in seconds, checked after every turn.' }),
      evidenceBytes: z.int().min(1024).max(1_000_000).default(61_440).meta({
        description: 'Maximum size of the collected evidence, in bytes.',
      }),
    })
    .prefault({}),
  limits: z
    .strictObject({
      changedFiles: z
        .int()
        .min(1)
        .max(100_000)
        .default(3000)
        .meta({ description: 'Maximum number of changed files to review; the rest are listed.' }),
      fileBytes: z
        .int()
        .min(1024)
        .max(67_108_864)
        .default(1_048_576)
        .meta({ description: 'Maximum file size in bytes; larger files are listed, not read.' }),
      treeEntries: z
        .int()
        .min(1000)
        .max(10_000_000)
        .default(1_000_000)
        .meta({ description: 'Maximum number of files and folders in a tree.' }),
      contextSeconds: z.int().min(1).max(3600).default(60).meta({
        description: 'Time limit in seconds for reading and comparing the symbols of the changed files.',
      }),
      planeSeconds: z.int().min(1).max(3600).default(120).meta({
        description: 'Time limit in seconds for each plane; a plane that takes longer is listed as failed.',
      }),
      modelGroups: z.int().min(1).max(200).default(12).meta({
        description:
          'A change that is too large for one question is divided into groups of files; this is the maximum number of groups that a model reviews.',
      }),
      groupBytes: z.int().min(4096).max(2_000_000).default(160_000).meta({
        description:
          'Maximum size of one group in bytes, if it fits into the context window of the model. Up to a quarter of that is added for changed definitions in other groups that it uses.',
      }),
      chainBytes: z.int().min(0).max(1_000_000).default(60_000).meta({
        description: 'Maximum size in bytes of the definitions around changed lines that a model gets.',
      }),
    })
    .prefault({}),
})
export type Config = z.infer<typeof Config>

export const defaultConfig: Config = Config.parse({})

/**
 * The configuration: one schema, from which the type, the JSON schema and the reference page derive.
 * Every key has a default, so an empty file is a valid one.
 */
import { z } from 'zod'
import { Severity } from '../domain/severity.ts'

/** Parts of a bundle besides the diff, each of which can be left out to see what it is worth. */
export const ContextSection = z.enum(['code', 'tickets', 'history', 'instructions', 'explore'])
export type ContextSection = z.infer<typeof ContextSection>

const globs = z.array(z.string().min(1)).max(500)

export const Config = z.strictObject({
  $schema: z.string().optional().meta({ description: 'Address of the JSON schema, for editors.' }),
  review: z
    .strictObject({
      depth: z.enum(['auto', 'offline', 'quick', 'standard', 'deep']).default('auto').meta({
        description:
          'How deep to look. `auto`: quick where the operator agreed to send code to a model, else offline, which asks none.',
      }),
      followUps: z.int().min(0).max(2).default(1).meta({
        description:
          'How often a model that is unsure may ask for one range of lines and think again; 0 is never.',
      }),
      followUpTokens: z
        .int()
        .min(100)
        .max(2000)
        .default(2000)
        .meta({ description: 'The longest range of lines it may ask for, in tokens.' }),
      refutations: z.int().min(0).max(200).default(30).meta({
        description:
          'From depth standard on, at most so many findings of models get a second look, gravest first; 0 is none.',
      }),
      failOn: z
        .enum(['critical', 'high', 'medium', 'low', 'never'])
        .default('high')
        .meta({ description: 'Exit with code 1 from a finding of this severity on.' }),
      minSeverity: Severity.default('low').meta({
        description:
          'Findings milder than this are hidden; they still count for the conclusion and the exit code.',
      }),
      maxInline: z
        .int()
        .min(0)
        .max(100)
        .default(8)
        .meta({ description: 'At most this many findings are shown in full; the rest are listed, folded.' }),
      requireComplete: z
        .boolean()
        .default(false)
        .meta({ description: 'Exit with code 4 when part of the change was not reviewed.' }),
    })
    .prefault({}),
  paths: z
    .strictObject({
      exclude: globs.default([]).meta({ description: 'Globs of files that are never reviewed.' }),
      generated: globs.default([]).meta({ description: 'Further globs of generated files.' }),
      tests: globs.default([]).meta({ description: 'Further globs of test files.' }),
    })
    .prefault({}),
  planes: z
    .strictObject({
      disable: z.array(z.string()).default([]).meta({ description: 'Planes to leave out, by name.' }),
      enable: z
        .array(z.string())
        .default([])
        .meta({ description: 'Planes to ask that only look on request, by name.' }),
    })
    .prefault({}),
  rules: z
    .strictObject({
      paths: globs
        .default(['.sightline/rules'])
        .meta({ description: 'Folders with ast-grep rules (YAML) of your own, read from the base commit.' }),
      disable: z
        .array(z.string())
        .default([])
        .meta({ description: 'Built-in or own rules to switch off, by id.' }),
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
        .meta({ description: 'Seconds in which they may answer, for all questions of a review.' }),
    })
    .prefault({}),
  context: z
    .strictObject({
      tokens: z
        .int()
        .min(0)
        .max(1_000_000)
        .default(16_000)
        .meta({ description: 'Of the rest of the repository a bundle holds at most so many tokens.' }),
      leaveOut: z
        .array(ContextSection)
        .default([])
        .meta({ description: 'Sections of the bundle to leave out.' }),
      graphSeconds: z.int().min(1).max(600).default(8).meta({
        description: 'Seconds for gathering code around the change; what was found by then is kept.',
      }),
      historySeconds: z.int().min(1).max(600).default(2).meta({
        description: 'Seconds for reading earlier commits.',
      }),
      ticketSeconds: z.int().min(1).max(600).default(2).meta({
        description: 'Seconds for bringing the tickets that the change points to.',
      }),
    })
    .prefault({}),
  explore: z
    .strictObject({
      iterations: z.int().min(0).max(20).default(5).meta({
        description:
          'Turns in which a model may ask for more context; fewer for small changes, up to 8 for large ones.',
      }),
      callsPerIteration: z.int().min(1).max(20).default(8).meta({ description: 'Tool calls in one turn.' }),
      calls: z.int().min(1).max(200).default(40).meta({ description: 'Tool calls in all.' }),
      seconds: z
        .int()
        .min(1)
        .max(600)
        .default(30)
        .meta({ description: 'Wall clock, looked at after every turn.' }),
      evidenceBytes: z.int().min(1024).max(1_000_000).default(61_440).meta({
        description: 'Bytes of evidence that may be gathered.',
      }),
    })
    .prefault({}),
  triage: z
    .strictObject({
      scout: z.boolean().default(true).meta({
        description:
          'At depth deep, a cheap model may leave out questions that no rule decides; false asks all of them.',
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
        .meta({ description: 'Changed files looked at; the rest are listed.' }),
      fileBytes: z
        .int()
        .min(1024)
        .max(67_108_864)
        .default(1_048_576)
        .meta({ description: 'Larger files are listed, not read.' }),
      treeEntries: z
        .int()
        .min(1000)
        .max(10_000_000)
        .default(1_000_000)
        .meta({ description: 'Entries read of one tree before giving up.' }),
      contextSeconds: z
        .int()
        .min(1)
        .max(3600)
        .default(60)
        .meta({ description: 'Seconds for reading and comparing the symbols of the changed files.' }),
      planeSeconds: z
        .int()
        .min(1)
        .max(3600)
        .default(120)
        .meta({ description: 'Seconds for each plane; one that takes longer is listed as failed.' }),
      modelGroups: z.int().min(1).max(200).default(12).meta({
        description:
          'A change too large for one question to a model is cut into groups of files; at most this many are asked about.',
      }),
      groupBytes: z
        .int()
        .min(4096)
        .max(2_000_000)
        .default(160_000)
        .meta({ description: 'The most that one group may take, in bytes, if the model has room for it.' }),
      chainBytes: z.int().min(0).max(1_000_000).default(60_000).meta({
        description: 'Of the definitions around changed lines a model is shown so many bytes in all.',
      }),
    })
    .prefault({}),
})
export type Config = z.infer<typeof Config>

export const defaultConfig: Config = Config.parse({})

/**
 * What each check of validation is worth, over scripted answers: right and wrong findings by the known truth of the
 * self-contained cases (`scripted-answers.ts`), sent over the wire by a provider on loopback.
 *
 *   node bench/evals/run.ts [--every 6] [--out FOLDER]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ablate, withoutEach } from '../../evals/ablation/ablate.ts'
import type { EvalCase } from '../../evals/cases/eval-case.ts'
import { tableAsMarkdown } from '../../evals/report/markdown.ts'
import { linkRepository } from '../../evals/repositories/link-repository.ts'
import { type Reviewer, sightlineReviewer } from '../../evals/run/reviewer.ts'
import { defaultSettings } from '../../evals/run/settings.ts'
import { buildWorlds } from '../../evals/worlds/build-worlds.ts'
import { readWorlds } from '../../evals/worlds/read-worlds.ts'
import { startFakeProvider } from '../../test/helpers/fakes/registry.ts'
import { answerFor } from './scripted-answers.ts'

const { values } = parseArgs({
  options: {
    every: { type: 'string', default: '6' },
    out: { type: 'string' },
  },
})

/** Those that one of the scripted mistakes can meet. */
const checks = [
  'known file',
  'visible words',
  'something cited',
  'verbatim quotes',
  'true evidence',
  'claims',
  'bearing of claims',
  'duplicates',
]

const folder = mkdtempSync(join(tmpdir(), 'sightline-scripted-'))
let asked: EvalCase | null = null
await using fake = await startFakeProvider('anthropic', {
  steps: [
    {
      answer: 'good',
      times: 'always',
      answerFrom: ({ prompt }) => (asked ? answerFor(asked, prompt) : null),
    },
  ],
})
try {
  const mirrors = join(folder, 'mirrors')
  const all = await buildWorlds(readWorlds(), mirrors, 7)
  const cases = all.filter((_, at) => at % Number(values.every) === 0)
  const settingsFile = join(folder, 'settings.yaml')
  const provider = `{ kind: anthropic, baseUrl: '${fake.baseUrl}', keyFrom: FAKE_KEY }`
  writeFileSync(
    settingsFile,
    `models: { providers: { fake: ${provider} }, roles: { reviewer: fake/claude-sonnet-5-5 } }\n`,
  )
  const environment = { SIGHTLINE_SETTINGS: settingsFile, FAKE_KEY: fake.apiKey, XDG_STATE_HOME: folder }
  // Only what the script said is counted, not what the planes in code found.
  const settings = { ...defaultSettings, depth: 'quick' as const, onlyPlanes: ['reviewer'] }
  const matrix = await ablate({
    folder: values.out ?? join(folder, 'runs'),
    set: 'worlds',
    cases,
    variants: withoutEach(settings, { planes: [], sections: [], checks }),
    reviewerOf: (variant) => {
      const review = sightlineReviewer({ settings: variant, cacheFolder: join(folder, 'cache'), environment })
      return knowing(cases, review)
    },
    mirrors,
    repositoryOf: linkRepository,
    // One at a time: the script must know which case it is asked about.
    jobs: 1,
    budget: null,
    signal: new AbortController().signal,
  })
  console.log(`${cases.length} cases, ${fake.calls.length} calls\n\n${tableAsMarkdown(matrix)}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function knowing(cases: readonly EvalCase[], review: Reviewer): Reviewer {
  return async (assignment) => {
    asked = cases.find(({ base, head }) => base === assignment.base && head === assignment.head) ?? null
    return await review(assignment)
  }
}

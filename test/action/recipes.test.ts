/** The recipes for other systems: each can be parsed, names this version, and calls options that the command has. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { blockAfter } from '../helpers/run-recipe.ts'
import { sightline } from '../helpers/sightline.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { version } = z.object({ version: z.string() }).parse(JSON.parse(read('package.json')))

/** The arguments of each call of the command in a script. */
function callsIn(text: string): string[][] {
  const script = text.replace(/\$\[\[ inputs\.(\w+(?:-\w+)*) \]\]/g, '$1')
  const calls = [
    ...script.matchAll(/(?:\bsightline(?:@[\w.-]+)?) (review|collect|analyze|publish)\b([^|\n]*)/g),
  ]
  return calls.map(([, command = '', rest = '']) => [command, ...rest.trim().split(/\s+/)])
}

/** Options that the help of their command does not name. */
async function unknownOptions(text: string): Promise<string[]> {
  const calls = callsIn(text)
  expect(calls.length).toBeGreaterThan(0)
  const unknown: string[] = []
  for (const [command = '', ...words] of calls) {
    const { stdout } = await sightline([command, '--help'])
    for (const word of words) {
      const [option] = /^--[a-z-]+/.exec(word) ?? []
      if (option && !new RegExp(`(^|\\s)${option}\\b`).test(stdout)) unknown.push(`${command} ${option}`)
    }
  }
  return unknown
}

const page = read('docs/ci.md')
const recipes = [
  ['## Jenkins', 'groovy'],
  ['CircleCI', 'yaml'],
  ['## Azure Pipelines', 'yaml'],
  ['Azure Pipelines', 'yaml'],
  ['Buildkite', 'yaml'],
  ['[reviewdog]', 'sh'],
] as const

test.each(recipes)('%s', async (name, language) => {
  const text = blockAfter(page, `\n${name}`, language)
  expect(await unknownOptions(text.replace(/\n {6,}/g, ' '))).toEqual([])
  const versions = [...text.matchAll(/sightline@([\w.-]+)/g)].map(([, one]) => one)
  expect(versions).toEqual(name === '[reviewdog]' ? [] : [version])
  if (language === 'yaml') expect(parse(text)).toBeTypeOf('object')
  if (language === 'groovy') {
    const open = { '{': 0, '(': 0 }
    for (const character of text.replace(/'[^']*'/g, '')) {
      if (character === '{' || character === '(') open[character]++
      if (character === '}') open['{']--
      if (character === ')') open['(']--
      expect(Math.min(...Object.values(open))).toBeGreaterThanOrEqual(0)
    }
    expect(open).toEqual({ '{': 0, '(': 0 })
  }
  for (const [, image] of text.matchAll(/image: ([\w/.:@-]+)/g)) expect(image).toMatch(/:\d+\.\d+\.\d+/)
})

test('the GitLab component: declared inputs only, pinned, with both reports', async () => {
  const text = read('examples/ci/gitlab-component.yml')
  const [spec, jobs] = parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS()
  })
  const declared = Object.keys(spec.spec.inputs)
  const used = [...new Set([...text.matchAll(/\$\[\[ inputs\.([\w-]+) \]\]/g)].map(([, name]) => name))]
  expect(used.sort()).toEqual(declared.sort())
  expect(spec.spec.inputs.version.default).toBe(version)
  const { image, script, artifacts, rules } = jobs.sightline
  expect(image).toMatch(/:\d+\.\d+\.\d+/)
  expect(rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }])
  expect(await unknownOptions(script.join('\n'))).toEqual([])
  expect(artifacts.reports.codequality).toBe('gl-code-quality-report.json')
  expect(artifacts.paths).toEqual(['sightline.sarif'])
})

test('the framework pre-commit, and the plain hook', async () => {
  const hooks = read('docs/pre-commit.md')
  const { repos } = parse(blockAfter(hooks, '## With the pre-commit framework', 'yaml'))
  const [hook] = repos[0].hooks
  expect(hook).toMatchObject({ language: 'system', pass_filenames: false, always_run: true })
  expect(await unknownOptions(hook.entry)).toEqual([])
  expect(await unknownOptions(blockAfter(hooks, '## A plain git hook', 'sh'))).toEqual([])
})

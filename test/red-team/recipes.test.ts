/**
 * Our own workflows, and those that the documentation tells people to copy: every action pinned to a commit, least
 * rights, no code or words of strangers in a privileged place, no key in a job that reads pull requests of forks.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../..')
const skipped = /^(?:node_modules|\.git)(?:\/|$)/

/** CircleCI's files have jobs too, and no permissions. */
const isCircle = /^version\s*:\s*2/m

type Recipe = { place: string; text: string }

/** Workflow and action files, and every block of YAML in a page that is one. */
function recipes(): { blocks: number; workflows: Recipe[] } {
  const paths = ['.github', 'action', 'docs', 'examples']
    .flatMap((folder) => listed(folder))
    .concat(readdirSync(root).filter((name) => name.endsWith('.md')))
  const found = paths
    .filter((path) => !skipped.test(path))
    .flatMap((path): Recipe[] => {
      const text = /\.(?:md|ya?ml)$/.test(path) ? readFileSync(join(root, path), 'utf8') : ''
      if (/\.ya?ml$/.test(path)) return [{ place: path, text }]
      return [...text.matchAll(/^```ya?ml\n([\s\S]*?)^```/gm)].map(([, block = ''], at) => ({
        place: `${path}, block ${at + 1}`,
        text: block,
      }))
    })
  return {
    blocks: found.length,
    workflows: found.filter(
      ({ text }) => /^\s*(?:jobs|runs|- uses|steps)\s*:/m.test(text) && !isCircle.test(text),
    ),
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name}`,
    )
  } catch {
    return []
  }
}

/** What is wrong with a workflow, in words. */
function faultsOf({ place, text }: Recipe): string[] {
  const faults: string[] = []
  for (const [, name = '', version = ''] of text.matchAll(/\buses\s*:\s*["']?([\w./-]+)(?:@([\w./-]+))?/g))
    if (!name.startsWith('./') && !/^[0-9a-f]{40}$/.test(version))
      faults.push(`${name}@${version} is not pinned to a commit`)
  if (/^\s*jobs\s*:/m.test(text)) {
    const workflow = parse(text) as {
      permissions?: unknown
      jobs?: Record<string, { permissions?: unknown }>
    }
    const jobs = Object.entries(workflow.jobs ?? {})
    for (const [job, { permissions = workflow.permissions }] of jobs)
      if (permissions === undefined) faults.push(`the job ${job} does not say which rights it needs`)
  }
  if (/permissions\s*:\s*["']?write-all/.test(text)) faults.push('it may write everything')
  if (/\bcontents\s*:\s*write\b/.test(text)) faults.push('it may write the repository')
  if (/\bpull_request_target\b/.test(text) && /\bref\s*:.*head/.test(text))
    faults.push('it checks out the code of strangers with the rights of the repository')
  if (/^\s*(?:-\s*)?run\s*:[^\n]*\$\{\{[^}]*(?:github\.event\.|head_ref)/m.test(text))
    faults.push('words of strangers are pasted into a script')
  return faults.map((fault) => `${place}: ${fault}`)
}

test('no workflow of ours, and none that a page tells people to copy, has a fault', () => {
  const { blocks, workflows } = recipes()
  process.stdout.write(`recipes: ${blocks} blocks and files of YAML, ${workflows.length} of them workflows\n`)
  expect(blocks).toBeGreaterThan(0)
  expect(workflows.flatMap(faultsOf)).toEqual([])
})

test('the check itself sees each fault', () => {
  const expression = ['$', '{{ github.event.issue.title }}'].join('')
  const bad = [
    'on: pull_request_target',
    'permissions: write-all',
    'jobs:',
    '  one:',
    '    steps:',
    '      - uses: actions/checkout@v4',
    '        with:',
    '          ref: refs/pull/1/head',
    `      - run: echo ${expression}`,
    '  two:',
    '    permissions:',
    '      contents: write',
    '    steps: []',
  ].join('\n')
  expect(faultsOf({ place: 'bad', text: bad })).toHaveLength(5)
  expect(faultsOf({ place: 'silent', text: 'jobs:\n  one:\n    steps: []\n' })).toEqual([
    'silent: the job one does not say which rights it needs',
  ])
})

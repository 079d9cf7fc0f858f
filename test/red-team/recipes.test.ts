/**
 * Our own workflows, and those that the documentation tells people to copy: every action pinned to a commit, least
 * rights, no code or words of strangers in a privileged place, no key in a job that reads pull requests of forks.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { audits, faultsOf, type Recipe } from './workflow-faults.ts'

const root = join(import.meta.dirname, '../..')
const skipped = /^(?:node_modules|\.git)(?:\/|$)/

/** CircleCI's files have jobs too, and no permissions. */
const isCircle = /^version\s*:\s*2/m

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

test('no workflow of ours, and none that a page tells people to copy, has a fault', () => {
  const { blocks, workflows } = recipes()
  process.stdout.write(`recipes: ${blocks} blocks and files of YAML, ${workflows.length} of them workflows\n`)
  expect(blocks).toBeGreaterThan(0)
  expect(workflows.flatMap(faultsOf)).toEqual([])
})

test.each(audits)('$name catches its example, and no other audit is needed for it', ({ name, example }) => {
  const found = faultsOf({ place: 'bad', text: example }).map((fault) => fault.split(': ')[1])
  expect(found).toContain(name)
  // Nor does it see faults where there are none: the other examples differ from a sound one in one thing.
  expect(found.filter((other) => other !== name).length).toBeLessThan(2)
})

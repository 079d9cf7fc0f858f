/** What no code of ours asks a host for: to approve, to merge, to close, to label, to push. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { appPermissions } from '../../src/server/connections/app-rights.ts'
import { manifest } from '../../src/server/http/setup-routes.ts'

/** As the six hosts write it in addresses, mutations and bodies. */
const powers: readonly RegExp[] = [
  /['"`/](?:un)?approve[sd]?['"`/?]|\bAPPROVE['"`]|addPullRequestReviewApproval|vote: *(?:5|10)\b/,
  /(?<!refs\/pull\/\$\{address\.number\})\/merge(?:['"`?]|_when)|mergePullRequest|enablePullRequestAutoMerge|completionOptions|\/rebase['"`]/,
  /\bstate: *['"`](?:closed|close)['"`]|state_event|closePullRequest|\/decline['"`]/,
  /'(?:POST|PUT|PATCH)', [^)\n]*labels|addLabels|\/git\/(?:refs|commits|trees|blobs)\b|createCommitOnBranch|updateRef\b|\/contents\//,
]

const codeOf = (path: string) => readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|^ *\/\/.*$/gm, '')

test('no request of an adapter has such words', () => {
  const sources = globSync('src/hosts/{azure,bitbucket,bitbucket-dc,forgejo,github,gitlab,remote}/*.ts').map(
    (path) => [path, codeOf(path)] as const,
  )
  expect(sources.length).toBeGreaterThan(60)
  for (const [path, text] of sources)
    for (const power of powers) expect(power.exec(text)?.[0] ?? null, `${path} ${power}`).toBeNull()
})

test('a review on GitHub is a comment, git is never asked to push, and an App has no right to', () => {
  const source = (path: string) => readFileSync(path, 'utf8')
  expect(
    [...source('src/hosts/remote/pull-requests.ts').matchAll(/\bevent: '(\w+)'/g)].map(([, word]) => word),
  ).toEqual(['COMMENT'])
  const commands = globSync('src/**/*.ts').flatMap((path) =>
    /\[\s*'(?:push|send-pack|receive-pack)'/.test(source(path)) ? [path] : [],
  )
  expect(commands).toEqual([])
  expect(appPermissions.contents).toBe('read')
  expect(manifest('https://sightline.example.org', 'github').default_permissions).toEqual(appPermissions)
})

/** Who provides what to whom: kept by `sightline workspace --update`, for the command and the dashboard. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { WorkspaceGraph } from '../../src/index.ts'
import { createRepo, type Files, temporaryFolder } from '../helpers/git-repo.ts'
import { sightline } from '../helpers/sightline.ts'

const schema = `type Query {
  user(id: ID!, at: String): User
}

type User {
  name: String
  email: String
}
`

const request = 'query One { user(id: 1) { name } }\n'

function named(name: string, files: Files): string {
  const repo = createRepo()
  repo.git('remote', 'add', 'origin', `https://github.com/acme/${name}.git`)
  repo.commit(files)
  return repo.path
}

test('each thing that a repository provides is told with its users, also of a schema', async () => {
  const folder = temporaryFolder()
  const api = named('api', { 'schema.graphql': schema })
  const web = named('web', { 'src/one.graphql': request })
  const file = join(folder, 'settings.yaml')
  writeFileSync(file, JSON.stringify({ workspace: { repositories: [api, web] } }))
  const env = { SIGHTLINE_SETTINGS: file, XDG_CACHE_HOME: join(folder, 'cache') }
  const before = await sightline(['workspace', '--graph', '--json'], { env })
  expect(JSON.parse(before.stdout)).toMatchObject({ contracts: [] })
  const { stdout } = await sightline(['workspace', '--update', '--graph', '--json'], { env })
  const { contracts, repositories } = JSON.parse(stdout) as WorkspaceGraph
  expect(repositories.map(({ name, trouble }) => [name, trouble])).toEqual([
    ['acme/api', null],
    ['acme/web', null],
  ])
  const users = Object.fromEntries(
    contracts.map(({ name, line, users }) => [name, [line, ...users.map(({ repository }) => repository)]]),
  )
  expect(users).toEqual({
    'Query.user': [2, 'acme/web'],
    'Query.user(id:)': [2, 'acme/web'],
    'Query.user(at:)': [2],
    'User.name': [6, 'acme/web'],
    'User.email': [7],
  })
  const shown = await sightline(['workspace', '--graph'], { env })
  expect(shown.stdout).toContain('  to acme/web: ')
  const asked = await sightline(['workspace'], { env })
  expect(asked.stdout).toMatch(/acme\/api {2}read at [0-9a-f]{7} of \d{4}-\d\d-\d\d\n/)
})

test('one search goes through all repositories that were read', async () => {
  const folder = temporaryFolder()
  const api = named('api', { 'src/retry.ts': 'export function retryLater(): number {\n  return 1\n}\n' })
  const web = named('web', { 'src/again.ts': 'export const retryLater = 2\n' })
  const file = join(folder, 'settings.yaml')
  writeFileSync(file, JSON.stringify({ workspace: { repositories: [api, web] } }))
  const env = { SIGHTLINE_SETTINGS: file, XDG_CACHE_HOME: join(folder, 'cache') }
  const search = (...more: string[]) =>
    sightline(['search', 'retryLater', '--workspace', ...more, '--repo', api], { env })
  expect((await search()).stdout).toContain('sightline workspace --update')
  await sightline(['workspace', '--update'], { env })
  const { stdout } = await search('--json')
  const found = JSON.parse(stdout) as { repository: string; answer: { hits: { path: string }[] } }[]
  expect(found.map(({ repository, answer }) => [repository, answer.hits[0]?.path])).toEqual([
    ['acme/api', 'src/retry.ts'],
    ['acme/web', 'src/again.ts'],
  ])
  expect((await search()).stdout).toMatch(/^acme\/api at [0-9a-f]{7}\n/)
  expect((await search('--near', 'src/retry.ts')).code).toBe(2)
})

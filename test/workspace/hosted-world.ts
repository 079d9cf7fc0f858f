/** A library on a GitLab of 127.0.0.1 whose change removes what an application in another repository uses, and its review. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { parseSettings } from '../../src/config/settings/load.ts'
import { tenantFolder } from '../../src/storage/runs/registry.ts'
import type { UsesIndex } from '../../src/workspace/uses-index.ts'
import { openUsesIndex } from '../../src/workspace/uses-index.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import type { Project } from '../helpers/hosts/engine/world.ts'
import { startGitLab } from '../helpers/hosts/gitlab/server.ts'
import { sightline } from '../helpers/sightline.ts'

export type Visibility = Project['visibility']

const packageOf = (rest: object) => `${JSON.stringify({ type: 'module', ...rest })}\n`

export const library = {
  'package.json': packageOf({ name: '@acme/client', version: '2.0.0', exports: './src/index.ts' }),
  'src/index.ts': 'export function close(): void {}\n\nexport function ping(): void {}\n',
}
export const withoutClose = { 'src/index.ts': 'export function ping(): void {}\n' }

/** `path` and `word`: where the use is, and what is beside it on its line. */
export function application(path = 'src/api.ts', word = 'plain'): Record<string, string> {
  return {
    'package.json': packageOf({ name: 'web', dependencies: { '@acme/client': '^2.0.0' } }),
    [path]: `import { close } from '@acme/client' // ${word}\n\nclose()\n`,
  }
}

export function setVisibility(project: Project, visibility: Visibility): void {
  project.isPrivate = visibility !== 'public'
  project.isInternal = visibility === 'internal'
}

export async function openHostedWorld({
  name = 'acme/web',
  files = application(),
  workspace = {},
}: {
  name?: string
  files?: Record<string, string>
  workspace?: object
} = {}) {
  const fake = await startGitLab()
  onTestFinished(() => fake.close())
  const client = fake.world.createProject('acme/client', { files: library })
  const web = fake.world.createProject(name, { files })
  const change = client.open({ branch: 'topic', files: withoutClose, title: 'Remove close' })
  for (const project of [client, web]) project.roles.set('ada', 'admin')
  const folder = temporaryFolder()
  const file = join(folder, 'settings.yaml')
  const environment = {
    SIGHTLINE_SETTINGS: file,
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_STATE_HOME: join(folder, 'state'),
    LAB_TOKEN: fake.state.addToken('ada'),
  }
  const configure = (settings: object) => {
    const hosts = { [new URL(fake.url).host]: { kind: 'gitlab', url: fake.url, token: 'LAB_TOKEN' } }
    const text = JSON.stringify({ hosts, workspace: settings })
    parseSettings(text, file)
    writeFileSync(file, text)
  }
  const other = `${fake.url}/${name}`
  configure({ repositories: [other], ...workspace })
  const run = (args: readonly string[], cwd = folder) => sightline(args, { cwd, env: environment })
  const readIndex = async <Answer>(read: (index: UsesIndex) => Promise<Answer>): Promise<Answer> => {
    const index = openUsesIndex(tenantFolder(join(folder, 'cache/sightline'), 'local'))
    try {
      return await read(index)
    } finally {
      index.close()
    }
  }
  return {
    ...{ fake, client, web, change, folder, environment, configure, run, readIndex, other },
    address: address(fake.url, change.number),
    /** As if its host had been asked so long ago. */
    age: async (ms: number) => {
      const mirrors = join(folder, 'cache/sightline/workspace')
      for (const entry of readdirSync(mirrors)) {
        const record = join(mirrors, entry, 'repository.json')
        if (!existsSync(record)) continue
        const kept = JSON.parse(readFileSync(record, 'utf8'))
        writeFileSync(record, JSON.stringify({ ...kept, askedAt: new Date(Date.now() - ms).toISOString() }))
      }
    },
    update: async () => JSON.parse((await run(['workspace', '--update', '--json'])).stdout),
    review: async (...more: string[]) => {
      const { stdout } = await run([
        'review',
        address(fake.url, change.number),
        '--depth',
        'offline',
        '--json',
        ...more,
      ])
      return JSON.parse(stdout)
    },
  }
}

function address(url: string, number: number): string {
  return `${url}/acme/client/-/merge_requests/${number}`
}

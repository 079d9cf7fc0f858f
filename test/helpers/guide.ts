/** The page for operators as data: its settings and commands, and what it says that the host has to allow, for whoever walks it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parse } from 'yaml'
import type { BuiltInHostKind } from '../../src/domain/host-kind.ts'
import type { Permissions } from './hosts/github/state.ts'
import type { HostOptions } from './served/hosts.ts'
import { root } from './sightline.ts'

export const guide = readFileSync(join(root, 'docs/server/guide.md'), 'utf8')
export const hostTitles: Readonly<Record<BuiltInHostKind, string>> = {
  ...{ github: '### GitHub', gitlab: '### GitLab', forgejo: '### Forgejo and Gitea' },
  ...{ bitbucket: '### Bitbucket Cloud', 'bitbucket-dc': '### Bitbucket Data Center' },
  azure: '### Azure DevOps',
}

export type GuideSettings = { dataFolder: string; connections: Record<string, Record<string, unknown>> }

export function sectionOf(title: string): string {
  return guide.split(`\n${title}`)[1]?.split(/\n##+ /)[0] ?? ''
}

/** What the section wants to be in `server.yaml`. */
export function settingsOf(title: string): GuideSettings {
  return parse(/```yaml\n([\s\S]*?)```/.exec(sectionOf(title))?.[1] ?? '') as GuideSettings
}

/** With what is the operator's own: the address of the host, and the number of the App. */
export function ownSettings(
  kind: BuiltInHostKind,
  { url, appId }: { url: string; appId?: string },
): GuideSettings {
  const settings = settingsOf(hostTitles[kind])
  const own = settings.connections[kind] ?? {}
  own.url = url
  if (own.appId !== undefined) own.appId = appId
  return settings
}

/** The file that the page puts the access of this host into. */
export function accessFile(kind: BuiltInHostKind): string {
  return kind === 'github' ? 'app-key.pem' : `${kind}-token`
}

/** Both calls of the section on the dashboard: it lists tenants, and it makes a token for `acme`. */
export function tokenCalls(): [string, string] {
  const [, tenants = '', token = ''] = /```sh\n(curl [\s\S]*?\n)(curl [\s\S]*?)```/.exec(guide) ?? []
  return [tenants, token]
}

/** In the words of the host: `Commit statuses` is `statuses`, `Pull request` is `pull_request`. */
export function idOf(name: string): string {
  return name.toLowerCase().replace('commit ', '').replaceAll(' ', '_')
}

/** `Issues and Pull requests: read and write; Contents: read` */
export function appRights(): Permissions {
  const [, words = ''] = /Repository permissions: (.*)/.exec(sectionOf(hostTitles.github)) ?? []
  const rights = words.split('; ').flatMap((words) => {
    const [names = '', access] = words.split(': ')
    const level = access === 'read' ? 'read' : 'write'
    return names.split(/, | and /).map((name) => [idOf(name), level] as const)
  })
  // GitHub gives it to every App.
  return Object.fromEntries([...rights, ['metadata', 'read']])
}

/** What the page says of the account and its token. */
export const guideAccess: Readonly<Record<BuiltInHostKind, () => Pick<HostOptions, 'rights' | 'account'>>> = {
  github: () => ({ rights: appRights() }),
  gitlab: () => {
    const [, role, scope = ''] = /role (\w+) and a token with the scope `(\w+)`/.exec(guide) ?? []
    expect(role).toBe('Developer')
    return { account: { scopes: [scope], role: 'write' } }
  },
  forgejo: () => {
    const [, role, words = ''] = /is an (\w+) of the repository, and a token with (.*)\.\n/.exec(guide) ?? []
    expect(role).toBe('administrator')
    const scopes = [...words.matchAll(/`(.*?)`/g)].map(([, scope = '']) => scope)
    return { account: { scopes, role: 'admin' } }
  },
  bitbucket: () => {
    const words = sectionOf(hostTitles.bitbucket)
    expect(words).toContain('an administrator of the repository')
    const scopes = [...words.matchAll(/`read:(user|repository|pullrequest):bitbucket`/g)]
    const named = scopes.map(([, name = '']) => (name === 'user' ? 'account' : name))
    return { account: { scopes: named, role: 'admin' } }
  },
  'bitbucket-dc': () => {
    const words = sectionOf(hostTitles['bitbucket-dc'])
    expect(words).toContain('*Repository read*')
    return { account: { role: 'read' } }
  },
  azure: () => {
    const [, words = ''] = /a personal access token with (.*)\.\n/.exec(sectionOf(hostTitles.azure)) ?? []
    const scopes = words.split(/, | and /).map((scope) => scopeOf[scope.replaceAll('`', '')] ?? scope)
    return { account: { scopes, role: 'write' } }
  },
}

/** Scopes of Azure DevOps, as its pages and as its API call them. */
const scopeOf: Readonly<Record<string, string>> = {
  'Code (Read)': 'vso.code',
  'Code (Status)': 'vso.code_status',
  'PR threads (Read & write)': 'vso.threads_full',
  'Identity (Read)': 'vso.identity',
  'Work Items (Read)': 'vso.work',
}

/** A finding that a gate at `high` blocks, without a model. */
export const blocked =
  'export const pair = ["AKIAZ3MGWXQ7T5LPRB2C", "q7Yx2LmV9cT4pRkN8sWbZ1dF6hJgA3eUoIyXvB0M"]\n'

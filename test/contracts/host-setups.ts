/** The hosts of the contract suite: how each fake is set up, with the least rights for each half. */
import { azure } from '../../src/hosts/azure/index.ts'
import { bitbucket } from '../../src/hosts/bitbucket/index.ts'
import { bitbucketDc } from '../../src/hosts/bitbucket-dc/index.ts'
import { forgejo } from '../../src/hosts/forgejo/index.ts'
import { github } from '../../src/hosts/github/index.ts'
import { gitlab } from '../../src/hosts/gitlab/index.ts'
import { type FakeAzure, readScopes, startAzure, writeScopes } from '../helpers/hosts/azure/server.ts'
import { type FakeBitbucket, startBitbucket } from '../helpers/hosts/bitbucket/server.ts'
import { type FakeBitbucketDc, startBitbucketDc } from '../helpers/hosts/bitbucket-dc/server.ts'
import { type FakeForgejo, startForgejo } from '../helpers/hosts/forgejo/server.ts'
import { type FakeGitHub, startGitHub } from '../helpers/hosts/github/server.ts'
import { type FakeGitLab, startGitLab } from '../helpers/hosts/gitlab/server.ts'
import type { HostSetup } from './host-setup.ts'

/** As an Enterprise server, with an App's installation tokens. */
const onGitHub: HostSetup = {
  name: 'GitHub',
  host: github,
  mostWrites: 5,
  start: () => startGitHub(),
  addressOf: ({ url }, { fullName }, { number }) => {
    const [owner = '', name = ''] = fullName.split('/')
    const host = new URL(url).host
    return { kind: 'github', host, webUrl: url, apiUrl: `${url}/api/v3`, owner: [owner], name, number }
  },
  tokens(fake, project) {
    const { state } = fake as FakeGitHub
    const app = state.addApp('sightline', {
      pull_requests: 'write',
      checks: 'write',
      statuses: 'write',
      contents: 'write',
      issues: 'write',
    })
    const installation = state.install(app, [project])
    const read = { contents: 'read', pull_requests: 'read', issues: 'read' } as const
    return {
      read: state.addInstallationToken(installation, { permissions: read }).token,
      write: state.addInstallationToken(installation).token,
      tokenName: 'GITHUB_TOKEN',
    }
  },
  reactions: (fake) => (fake as FakeGitHub).state.reactions,
  limitWrites: (fake, seconds) => (fake as FakeGitHub).limits.beginSecondary(seconds),
}

/** As a self-managed server, with project access tokens. */
const onGitLab: HostSetup = {
  name: 'GitLab',
  host: gitlab,
  // A draft for each comment and one for the body, all published at once, and a status.
  mostWrites: 55,
  bodyIsNote: true,
  start: () => startGitLab(),
  addressOf: ({ url }, { owner, name }, { number }) => {
    const host = new URL(url).host
    return {
      kind: 'gitlab',
      host,
      webUrl: url,
      apiUrl: `${url}/api/v4`,
      owner: owner.split('/'),
      name,
      number,
    }
  },
  tokens(fake, project) {
    const { state } = fake as FakeGitLab
    // Roles of people are public to members; a project token is one.
    return {
      read: state.addProjectToken(project, ['read_api', 'read_repository']),
      write: state.addProjectToken(project),
      tokenName: 'SIGHTLINE_GITLAB_TOKEN',
    }
  },
  reactions: (fake) => (fake as FakeGitLab).state.emoji,
  limitWrites: (fake, seconds) => (fake as FakeGitLab).state.beginLimit(seconds),
}

/** With the scopes that each half needs. */
const onForgejo: HostSetup = {
  name: 'Forgejo',
  host: forgejo,
  mostWrites: 5,
  start: () => startForgejo(),
  addressOf: ({ url }, { owner, name }, { number }) => {
    const host = new URL(url).host
    return { kind: 'forgejo', host, webUrl: url, apiUrl: `${url}/api/v1`, owner: [owner], name, number }
  },
  tokens(fake, project) {
    const { addToken } = fake as FakeForgejo
    project.roles.set('sightline', 'write')
    return {
      read: addToken('sightline', ['read:repository', 'read:issue']),
      write: addToken('sightline', ['write:repository', 'write:issue', 'read:user']),
      tokenName: 'FORGEJO_TOKEN',
    }
  },
  reactions: (fake) => (fake as FakeForgejo).reactions,
  limitWrites: (fake, seconds) => (fake as FakeForgejo).beginLimit(seconds),
}

/** With an API token and an access token. */
const onBitbucket: HostSetup = {
  name: 'Bitbucket Cloud',
  host: bitbucket,
  // One for each comment, and one for the body and the status.
  mostWrites: 12,
  bodyIsNote: true,
  lacks: new Set(['labels', 'lock', 'former names', 'heads of deleted forks', 'html', 'whole ids in lists']),
  commentPath: /comments$/,
  start: () => startBitbucket(),
  addressOf: ({ url }, { owner, name }, { number }) => {
    const host = new URL(url).host
    return { kind: 'bitbucket', host, webUrl: url, apiUrl: `${url}/2.0`, owner: [owner], name, number }
  },
  tokens(fake, project) {
    const { addToken } = fake as FakeBitbucket
    project.roles.set('sightline', 'write')
    return {
      read: addToken('sightline', ['repository', 'pullrequest']),
      write: addToken('sightline', undefined, 'sightline@example.com'),
      tokenName: 'BITBUCKET_TOKEN',
    }
  },
  reactions: () => [],
  limitWrites: (fake, seconds) => (fake as FakeBitbucket).beginLimit(seconds),
}

/** With HTTP access tokens of a user who may write, which nothing but reading needs. */
const onBitbucketDc: HostSetup = {
  name: 'Bitbucket Data Center',
  host: bitbucketDc,
  // One for each comment, one for the body and the build, and the lock.
  mostWrites: 14,
  bodyIsNote: true,
  lacks: new Set(['labels', 'html']),
  locksByComment: true,
  commentPath: /comments$/,
  start: () => startBitbucketDc(),
  addressOf: ({ url }, { owner, name }, { number }) => {
    const host = new URL(url).host
    return { kind: 'bitbucket-dc', host, webUrl: url, apiUrl: `${url}/rest`, owner: [owner], name, number }
  },
  tokens(fake, project) {
    const { addToken } = fake as FakeBitbucketDc
    project.roles.set('sightline', 'read')
    return {
      read: addToken('sightline'),
      write: addToken('sightline'),
      tokenName: 'SIGHTLINE_BITBUCKET_TOKEN',
    }
  },
  reactions: (fake) => [...(fake as FakeBitbucketDc).state.pending.values()].flat(),
  limitWrites: (fake, seconds) => (fake as FakeBitbucketDc).beginLimit(seconds),
}

/** As a collection of a Server, with personal access tokens. */
const onAzure: HostSetup = {
  name: 'Azure DevOps',
  host: azure,
  // A thread for each comment and one for the body, a status, and the lock.
  mostWrites: 15,
  bodyIsNote: true,
  lacks: new Set(['former names', 'patches']),
  spacedName: "My Project (EU)/Café d'Or & Co",
  commentPath: /threads$/,
  start: () => startAzure(),
  addressOf: ({ url }, { owner, name }, { number }) => {
    const host = new URL(url).host
    const root = `${url}/DefaultCollection`
    return { kind: 'azure', host, webUrl: root, apiUrl: root, owner: [owner], name, number }
  },
  tokens(fake, project) {
    const { addToken } = fake as FakeAzure
    project.roles.set('sightline', 'write')
    return {
      read: addToken('sightline', readScopes),
      write: addToken('sightline', writeScopes),
      tokenName: 'SIGHTLINE_AZURE_TOKEN',
    }
  },
  noteId: (fake, change, note) => (fake as FakeAzure).state.idOf(change, note),
  reactions: (fake) =>
    (fake as FakeAzure).state.statuses.filter(({ context }) => context.name === 'publishing'),
  limitWrites: (fake, seconds) => (fake as FakeAzure).beginLimit(seconds),
}

export const hostSetups = {
  ...{ github: onGitHub, gitlab: onGitLab, forgejo: onForgejo },
  ...{ bitbucket: onBitbucket, 'bitbucket-dc': onBitbucketDc, azure: onAzure },
}

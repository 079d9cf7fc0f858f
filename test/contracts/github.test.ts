/** GitHub passes the suite of hosts: as an Enterprise server, with an App's installation tokens. */
import { github } from '../../src/hosts/github/index.ts'
import { type FakeGitHub, startGitHub } from '../helpers/hosts/github/server.ts'
import { testHost } from './host-suite.ts'

testHost({
  name: 'GitHub',
  host: github,
  mostWrites: 3,
  resolves: true,
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
      issues: 'read',
    })
    const installation = state.install(app, [project])
    const read = { contents: 'read', pull_requests: 'read', issues: 'read' } as const
    return {
      read: state.addInstallationToken(installation, { permissions: read }).token,
      write: state.addInstallationToken(installation).token,
      tokenName: 'GITHUB_TOKEN',
    }
  },
  limitWrites: (fake, seconds) => (fake as FakeGitHub).limits.beginSecondary(seconds),
})

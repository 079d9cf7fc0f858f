/** GitLab passes the suite of hosts: as a self-managed server, with project access tokens. */
import { gitlab } from '../../src/hosts/gitlab/index.ts'
import { type FakeGitLab, startGitLab } from '../helpers/hosts/gitlab/server.ts'
import { testHost } from './host-suite.ts'

testHost({
  name: 'GitLab',
  host: gitlab,
  // A draft for each comment and one for the body, all published at once, and a status.
  mostWrites: 53,
  resolves: true,
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
  limitWrites: (fake, seconds) => (fake as FakeGitLab).state.beginLimit(seconds),
})

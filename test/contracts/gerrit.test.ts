/** The worked example of a host in a package passes the suite of hosts, but for what Gerrit does not have. */
import { hostOf } from '../../src/hosts/remote/registry.ts'
import { type FakeGerrit, startGerrit } from '../helpers/hosts/gerrit/server.ts'
import type { HostSetup } from './host-setup.ts'
import { testHost } from './host-suite.ts'

const kind = 'sightline-host-gerrit'

const onGerrit: HostSetup = {
  name: 'Gerrit',
  host: hostOf(kind),
  // Everything is in one request, but for findings that a message has no room for.
  mostWrites: 2,
  bodyIsNote: true,
  lacks: new Set(['lock', 'checks', 'edits', 'forks', 'renaming']),
  commentPath: /\/(?:comments|review)$/,
  start: () => startGerrit(),
  addressOf: ({ url }, { owner, name }, { number }) => ({
    ...{ kind, host: new URL(url).host, webUrl: url, apiUrl: `${url}/a` },
    ...{ owner: ['c', ...owner.split('/')], name, number },
  }),
  tokens(fake, project) {
    const { addPassword } = fake as FakeGerrit
    project.roles.set('sightline', 'read')
    return {
      read: addPassword('sightline'),
      write: addPassword('sightline'),
      tokenName: 'GERRIT_TOKEN',
    }
  },
  noteId: (_fake, _change, note) => `c${note}`,
  reactions: () => [],
  limitWrites: (fake, seconds) => (fake as FakeGerrit).beginLimit(seconds),
}

testHost(onGerrit)

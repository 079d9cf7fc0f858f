/** Forgejo passes the suite of hosts, with the scopes that each half needs. */
import { forgejo } from '../../src/hosts/forgejo/index.ts'
import { type FakeForgejo, startForgejo } from '../helpers/hosts/forgejo/server.ts'
import { testHost } from './host-suite.ts'

testHost({
  name: 'Forgejo',
  host: forgejo,
  mostWrites: 3,
  resolves: false,
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
      write: addToken('sightline', ['write:repository', 'read:issue', 'read:user']),
      tokenName: 'FORGEJO_TOKEN',
    }
  },
  limitWrites: (fake, seconds) => (fake as FakeForgejo).beginLimit(seconds),
})

/** What Bitbucket Cloud is and has, as data. */
import type { HostFacts } from '../remote/contract.ts'

export const bitbucket: HostFacts = {
  title: 'Bitbucket Cloud',
  server: { webUrl: 'https://bitbucket.org', apiUrl: 'https://api.bitbucket.org/2.0' },
  apiPath: '/2.0',
  serverName: /^bitbucket\.org$/,
  changePath: /^([^/]+)\/([^/]+)\/pull-requests\/(\d{1,9})(?:\/|$)/,
  otherForms: [],
  repository: { beforeName: '', gitSuffix: '.git' },
  page: 'pull-requests',
  sign: '#',
  headRef: null,
  filePage: {
    ...{ file: '/src/{commit}/{path}', line: '#lines-{start}', lines: '#lines-{start}:{end}' },
  },
  tokens: ['SIGHTLINE_BITBUCKET_TOKEN', 'BITBUCKET_TOKEN'],
  app: null,
  // A job of Pipelines has no token for the API.
  ci: null,
  abilities: {
    // Its API says nothing of them.
    suggestions: null,
    multiLine: true,
    resolve: true,
    check: 'status',
    bodyLength: 32_000,
    shownFiles: 200,
    shownLines: 8_000,
  },
  posts: 'one by one',
  reactions: null,
}

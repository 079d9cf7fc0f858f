/** What GitHub is and has, as data. */
import type { HostFacts } from '../remote/contract.ts'

export const github: HostFacts = {
  title: 'GitHub',
  server: { webUrl: 'https://github.com', apiUrl: 'https://api.github.com' },
  apiPath: '/api/v3',
  serverName: /(?:^|\.)github\./,
  changePath: /^([^/]+)\/([^/]+)\/pull\/(\d{1,9})(?:\/|$)/,
  otherForms: [],
  repository: { beforeName: '', gitSuffix: '.git' },
  page: 'pull',
  sign: '#',
  headRef: 'refs/pull/{number}/head',
  filePage: { file: '/blob/{commit}/{path}', line: '#L{start}', lines: '#L{start}-L{end}' },
  tokens: ['SIGHTLINE_GITHUB_TOKEN', 'GITHUB_TOKEN', 'GH_TOKEN'],
  app: { id: 'SIGHTLINE_GITHUB_APP_ID', key: 'SIGHTLINE_GITHUB_APP_KEY' },
  ci: {
    ...{ flag: 'GITHUB_ACTIONS', webUrl: 'GITHUB_SERVER_URL', server: /^.+/ },
    api: { variable: 'GITHUB_API_URL', form: /./ },
    ...{ token: 'GITHUB_TOKEN', readsLittle: false },
  },
  abilities: {
    suggestions: 'lines',
    multiLine: true,
    resolve: true,
    check: 'run',
    bodyLength: 65_535,
    shownFiles: 300,
    shownLines: 20_000,
  },
  posts: 'at once',
  reactions: 'all',
}

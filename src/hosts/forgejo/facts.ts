/** What Forgejo and Gitea are and have, as data. */
import type { HostFacts } from '../remote/contract.ts'

export const forgejo: HostFacts = {
  title: 'Forgejo and Gitea',
  server: { webUrl: 'https://codeberg.org', apiUrl: 'https://codeberg.org/api/v1' },
  apiPath: '/api/v1',
  serverName: /(?:^|\.)(?:forgejo|gitea|codeberg)\./,
  changePath: /^([^/]+)\/([^/]+)\/pulls\/(\d{1,9})(?:\/|$)/,
  otherForms: [],
  repository: { beforeName: '', gitSuffix: '.git' },
  page: 'pulls',
  sign: '#',
  headRef: 'refs/pull/{number}/head',
  filePage: { file: '/src/commit/{commit}/{path}', line: '#L{start}', lines: '#L{start}-L{end}' },
  tokens: ['SIGHTLINE_FORGEJO_TOKEN', 'FORGEJO_TOKEN', 'GITEA_TOKEN'],
  app: null,
  ci: {
    // They run workflows of GitHub's form, and set the same variables.
    ...{ flag: 'GITHUB_ACTIONS', webUrl: 'GITHUB_SERVER_URL', server: /^.+/ },
    api: { variable: 'GITHUB_API_URL', form: /\/api\/v1\/?$/ },
    ...{ token: 'GITHUB_TOKEN', readsLittle: false },
  },
  abilities: {
    suggestions: null,
    multiLine: false,
    resolve: false,
    check: 'status',
    bodyLength: 60_000,
    // Defaults of the server: MAX_GIT_DIFF_FILES, and lines enough for them.
    shownFiles: 100,
    shownLines: 50_000,
  },
  posts: 'at once',
  reactions: 'all',
}

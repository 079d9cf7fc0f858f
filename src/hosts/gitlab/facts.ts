/** What GitLab is and has, as data. */
import type { HostFacts } from '../remote/contract.ts'

export const gitlab: HostFacts = {
  title: 'GitLab',
  server: { webUrl: 'https://gitlab.com', apiUrl: 'https://gitlab.com/api/v4' },
  apiPath: '/api/v4',
  serverName: /(?:^|\.)gitlab\./,
  changePath: /^(.+?)\/([^/]+)\/(?:-\/)?merge_requests\/(\d{1,9})(?:\/|$)/,
  otherForms: [],
  repository: { beforeName: '', gitSuffix: '.git' },
  page: '-/merge_requests',
  sign: '!',
  headRef: 'refs/merge-requests/{number}/head',
  filePage: { file: '/-/blob/{commit}/{path}', line: '#L{start}', lines: '#L{start}-{end}' },
  tokens: ['SIGHTLINE_GITLAB_TOKEN', 'GITLAB_TOKEN', 'CI_JOB_TOKEN'],
  app: null,
  ci: {
    ...{ flag: 'GITLAB_CI', webUrl: 'CI_SERVER_URL', server: /^.+/ },
    api: { variable: 'CI_API_V4_URL', form: /^/ },
    ...{ token: 'CI_JOB_TOKEN', readsLittle: true },
  },
  abilities: {
    suggestions: 'counted',
    multiLine: true,
    resolve: true,
    check: 'status',
    bodyLength: 1_000_000,
    // GitLab's own limits of one diff; a server may have others.
    shownFiles: 1000,
    shownLines: 50_000,
  },
  posts: 'as drafts',
  reactions: 'all',
}

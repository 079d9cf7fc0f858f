/** What Bitbucket Data Center is and has, as data. */
import type { HostFacts } from '../remote/contract.ts'

export const bitbucketDc: HostFacts = {
  title: 'Bitbucket Data Center',
  server: null,
  apiPath: '/rest',
  serverName: /^(?:bitbucket|stash)\./,
  changePath: /^projects\/(~?[^/]+)\/repos\/([^/]+)\/pull-requests\/(\d{1,9})(?:\/|$)/,
  otherForms: [
    // A repository of an account.
    [
      /^(https?:\/\/[^?#]{1,500}?)\/users\/([^/]+)\/repos\/(?=[^/]+\/pull-requests\/)/i,
      '$1/projects/~$2/repos/',
    ],
  ],
  repository: { beforeOwner: 'projects/', beforeName: 'repos/', gitRoot: 'scm/', gitSuffix: '.git' },
  page: 'pull-requests',
  sign: '#',
  headRef: 'refs/pull-requests/{number}/from',
  filePage: {
    ...{ file: '/browse/{path}?at={commit}', line: '#{start}', lines: '#{start}-{end}' },
  },
  // It is no public server, nor one that a job names: the settings say which variable has the token.
  tokens: [],
  app: null,
  ci: null,
  abilities: {
    suggestions: 'lines',
    multiLine: true,
    resolve: true,
    check: 'status',
    bodyLength: 32_000,
    // As many as its pages of changes and of a diff hold, unless its administrators say otherwise.
    shownFiles: 1000,
    shownLines: 10_000,
  },
  posts: 'one by one',
  reactions: 'all',
}

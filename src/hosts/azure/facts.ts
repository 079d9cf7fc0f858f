/** What Azure DevOps, Services and Server, is and has, as data. */
import type { HostFacts } from '../remote/contract.ts'

export const azure: HostFacts = {
  title: 'Azure DevOps',
  server: { webUrl: 'https://dev.azure.com', apiUrl: 'https://dev.azure.com' },
  apiPath: '',
  serverName: /^(?:dev\.azure|.+\.visualstudio)\.com$|(?:^|\.)(?:azuredevops|tfs)\./,
  changePath: /^(.+)\/_git\/([^/]+)\/pullrequest\/(\d{1,9})(?:\/|$)/,
  otherForms: [
    // What git is given.
    [/^https:\/\/[\w.-]+@dev\.azure\.com\//i, 'https://dev.azure.com/'],
    [
      /^(?:ssh:\/\/)?[\w.-]+@(?:ssh\.dev\.azure|vs-ssh\.visualstudio)\.com[:/]v3\/([^/]+\/[^/]+)\/([^/]+)$/i,
      'https://dev.azure.com/$1/_git/$2',
    ],
    [/^https:\/\/([a-z0-9-]+)\.visualstudio\.com\/(?:DefaultCollection\/)?/i, 'https://dev.azure.com/$1/'],
    // A repository that is called like its project, in an organization or a collection.
    [/^(https?:\/\/[^/]+(?:\/tfs)?\/[^/]+)\/_git\/([^/]+)(?=\/pullrequest\/|\/?$)/i, '$1/$2/_git/$2'],
  ],
  repository: { beforeName: '_git/', gitSuffix: '' },
  page: 'pullrequest',
  sign: '!',
  headRef: null,
  filePage: {
    file: '?path=/{path}&version=GC{commit}',
    line: '&line={start}&lineEnd={start}&lineStartColumn=1&lineEndColumn=1000',
    lines: '&line={start}&lineEnd={end}&lineStartColumn=1&lineEndColumn=1000',
  },
  tokens: ['SIGHTLINE_AZURE_TOKEN', 'AZURE_DEVOPS_EXT_PAT', 'SYSTEM_ACCESSTOKEN'],
  app: null,
  ci: {
    // The address of the organization or collection, which is a part of every address on the server.
    ...{ flag: 'TF_BUILD', webUrl: 'SYSTEM_COLLECTIONURI', server: /^https?:\/\/[^/]+/, api: null },
    ...{ token: 'SYSTEM_ACCESSTOKEN', readsLittle: false },
  },
  abilities: {
    suggestions: 'lines',
    multiLine: true,
    resolve: true,
    check: 'status',
    bodyLength: 150_000,
    // What a list of changes holds at most; every file that it names can be commented on.
    shownFiles: 2000,
    shownLines: 100_000,
  },
  posts: 'one by one',
  reactions: 'likes',
}

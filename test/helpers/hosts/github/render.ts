/** The engine's records as GitHub's REST API writes them. */
import type { Change, HostedReview, LineAnchor, Thread } from '../engine/change.ts'
import { type FileDiff, findLine } from '../engine/file-diff.ts'
import type { CommitInfo } from '../engine/repository.ts'
import type { CommitStatus, Issue, Note, Person, Project } from '../engine/world.ts'
import type { CheckRun, GitHubApp } from './state.ts'

type Json = { [key: string]: unknown }

/** `api` and `web` are addresses without a slash at the end. */
export class Renderer {
  private readonly api: string
  private readonly web: string

  constructor(api: string, web: string) {
    this.api = api
    this.web = web
  }

  user(person: Person): Json {
    const url = `${this.api}/users/${person.login}`
    const name = person.login.replace(/\[bot\]$/, '')
    return {
      login: person.login,
      id: person.id,
      node_id: `U_${person.id}`,
      avatar_url: `${this.web}/avatars/${person.id}`,
      gravatar_id: '',
      url,
      html_url: person.isBot ? `${this.web}/apps/${name}` : `${this.web}/${name}`,
      followers_url: `${url}/followers`,
      following_url: `${url}/following{/other_user}`,
      gists_url: `${url}/gists{/gist_id}`,
      starred_url: `${url}/starred{/owner}{/repo}`,
      subscriptions_url: `${url}/subscriptions`,
      organizations_url: `${url}/orgs`,
      repos_url: `${url}/repos`,
      events_url: `${url}/events{/privacy}`,
      received_events_url: `${url}/received_events`,
      type: person.isBot ? 'Bot' : 'User',
      site_admin: false,
    }
  }

  repository(project: Project): Json {
    const url = this.repoUrl(project)
    const web = `${this.web}/${project.fullName}`
    const parts = repositoryUrls.map(([key, rest]) => [key, `${url}/${rest}`])
    const openChanges = [...project.changes.values()].filter(({ state }) => state === 'open').length
    return {
      ...Object.fromEntries(parts),
      id: project.id,
      node_id: `R_${project.id}`,
      name: project.name,
      full_name: project.fullName,
      private: project.isPrivate,
      visibility: project.isPrivate ? 'private' : 'public',
      owner: this.user(project.world.person(project.owner)),
      html_url: web,
      url,
      description: null,
      fork: project.forkOf !== null,
      clone_url: `${web}.git`,
      git_url: `${web}.git`,
      ssh_url: `git@127.0.0.1:${project.fullName}.git`,
      svn_url: web,
      mirror_url: null,
      homepage: null,
      default_branch: project.defaultBranch,
      language: null,
      license: null,
      archived: false,
      disabled: false,
      has_issues: true,
      has_projects: true,
      has_downloads: true,
      has_wiki: false,
      has_pages: false,
      has_discussions: false,
      size: 1,
      open_issues: openChanges + project.issues.size,
      open_issues_count: openChanges + project.issues.size,
      ...zeros,
      created_at: firstDay,
      updated_at: firstDay,
      pushed_at: firstDay,
    }
  }

  fullRepository(project: Project): Json {
    const parent = project.forkOf && this.repository(project.forkOf)
    return {
      ...this.repository(project),
      network_count: 0,
      subscribers_count: 0,
      ...(parent ? { parent, source: parent } : {}),
    }
  }

  pullSimple(change: Change): Json {
    const { project, number, author, from, branch, head, base, baseHead } = change
    const url = `${this.repoUrl(project)}/pulls/${number}`
    const issue = `${this.repoUrl(project)}/issues/${number}`
    const web = `${this.web}/${project.fullName}/pull/${number}`
    const side = (where: Project | null, owner: string, ref: string, sha: string) => ({
      label: `${owner}:${ref}`,
      ref,
      sha,
      user: this.user(project.world.person(owner)),
      repo: where && this.repository(where),
    })
    const closedAt = change.state === 'open' ? null : change.updatedAt
    return {
      url,
      id: change.id,
      node_id: `PR_${change.id}`,
      html_url: web,
      diff_url: `${web}.diff`,
      patch_url: `${web}.patch`,
      issue_url: issue,
      commits_url: `${url}/commits`,
      review_comments_url: `${url}/comments`,
      review_comment_url: `${this.repoUrl(project)}/pulls/comments{/number}`,
      comments_url: `${issue}/comments`,
      statuses_url: `${this.repoUrl(project)}/statuses/${head}`,
      number,
      state: change.state === 'open' ? 'open' : 'closed',
      locked: false,
      active_lock_reason: null,
      title: change.title,
      user: this.user(author),
      body: change.body === '' ? null : change.body,
      labels: change.labels.map((name) => this.label(project, name)),
      milestone: null,
      created_at: change.createdAt,
      updated_at: change.updatedAt,
      closed_at: closedAt,
      merged_at: change.state === 'merged' ? closedAt : null,
      merge_commit_sha: null,
      assignee: null,
      assignees: [],
      requested_reviewers: [],
      requested_teams: [],
      head: side(from, from?.owner ?? author.login, branch, head),
      base: side(project, project.owner, base, baseHead),
      _links: links({
        self: url,
        html: web,
        issue,
        comments: `${issue}/comments`,
        review_comments: `${url}/comments`,
        review_comment: `${this.repoUrl(project)}/pulls/comments{/number}`,
        commits: `${url}/commits`,
        statuses: `${this.repoUrl(project)}/statuses/${head}`,
      }),
      author_association: association(project, author),
      auto_merge: null,
      draft: change.isDraft,
    }
  }

  pull(change: Change): Json {
    const files = change.diff
    const sum = (count: (file: FileDiff) => number) => files.reduce((total, file) => total + count(file), 0)
    return {
      ...this.pullSimple(change),
      merged: change.state === 'merged',
      mergeable: true,
      rebaseable: true,
      mergeable_state: 'clean',
      merged_by: null,
      comments: change.comments.length,
      review_comments: change.threads.flatMap(({ notes }) => notes).length,
      maintainer_can_modify: false,
      commits: change.repository.commits(change.mergeBase, change.head).length,
      additions: sum(({ added }) => added),
      deletions: sum(({ removed }) => removed),
      changed_files: files.length,
    }
  }

  /** GitHub leaves out the patch of a binary file, and of one that is too big. */
  file(change: Change, file: FileDiff): Json {
    const { project, head } = change
    const path = file.path.split('/').map(encodeURIComponent).join('/')
    const status = file.status === 'D' ? 'removed' : (fileStatus[file.status] ?? 'modified')
    const hasPatch = !file.isBinary && file.patch !== '' && file.added + file.removed <= 3000
    return {
      sha: status === 'removed' ? null : file.newBlob,
      filename: file.path,
      status,
      additions: file.added,
      deletions: file.removed,
      changes: file.added + file.removed,
      blob_url: `${this.web}/${project.fullName}/blob/${head}/${path}`,
      raw_url: `${this.web}/${project.fullName}/raw/${head}/${path}`,
      contents_url: `${this.repoUrl(project)}/contents/${path}?ref=${head}`,
      ...(hasPatch ? { patch: file.patch } : {}),
      ...(file.status === 'R' ? { previous_filename: file.oldPath } : {}),
    }
  }

  commit(project: Project, commit: CommitInfo): Json {
    const url = `${this.repoUrl(project)}/commits/${commit.id}`
    const who = {
      name: commit.author,
      email: `${commit.author.toLowerCase()}@example.com`,
      date: commit.date,
    }
    const git = `${this.repoUrl(project)}/git`
    return {
      url,
      sha: commit.id,
      node_id: `C_${commit.id.slice(0, 12)}`,
      html_url: `${this.web}/${project.fullName}/commit/${commit.id}`,
      comments_url: `${url}/comments`,
      commit: {
        url: `${git}/commits/${commit.id}`,
        author: who,
        committer: who,
        message: commit.message,
        comment_count: 0,
        tree: { sha: commit.tree, url: `${git}/trees/${commit.tree}` },
        verification: {
          verified: false,
          reason: 'unsigned',
          payload: null,
          signature: null,
          verified_at: null,
        },
      },
      author: null,
      committer: null,
      parents: commit.parents.map((sha) => ({
        sha,
        url: `${this.repoUrl(project)}/commits/${sha}`,
        html_url: `${this.web}/${project.fullName}/commit/${sha}`,
      })),
    }
  }

  review(change: Change, review: HostedReview): Json {
    const html = `${this.web}/${change.project.fullName}/pull/${change.number}#pullrequestreview-${review.id}`
    const pull = `${this.repoUrl(change.project)}/pulls/${change.number}`
    return {
      id: review.id,
      node_id: `PRR_${review.id}`,
      user: this.user(review.author),
      body: review.body,
      state: review.state,
      html_url: html,
      pull_request_url: pull,
      _links: links({ html, pull_request: pull }),
      commit_id: review.commit,
      author_association: association(change.project, review.author),
      ...(review.submittedAt ? { submitted_at: review.submittedAt } : {}),
    }
  }

  /** Of an outdated one, `line` and `position` are null, whatever the published description says. */
  reviewComment(change: Change, thread: Thread, note: Note): Json {
    const { project, number } = change
    const url = `${this.repoUrl(project)}/pulls/comments/${note.id}`
    const html = `${this.web}/${project.fullName}/pull/${number}#discussion_r${note.id}`
    const pull = `${this.repoUrl(project)}/pulls/${number}`
    const { anchor } = thread
    const today = change.placeOf(thread)
    return {
      url,
      pull_request_review_id: note.reviewId,
      id: note.id,
      node_id: `PRRC_${note.id}`,
      diff_hunk: thread.diffHunk,
      path: thread.path,
      commit_id: today || !anchor ? change.head : thread.commit,
      original_commit_id: thread.commit,
      ...(note.id === thread.firstNote ? {} : { in_reply_to_id: thread.firstNote }),
      user: this.user(note.author),
      body: note.body,
      created_at: note.createdAt,
      updated_at: note.updatedAt,
      html_url: html,
      pull_request_url: pull,
      author_association: association(project, note.author),
      _links: links({ self: url, html, pull_request: pull }),
      reactions: this.reactions(url),
      subject_type: anchor ? 'line' : 'file',
      ...(anchor
        ? this.lines(change, thread, anchor, today)
        : { position: 1, original_position: 1, line: null, side: 'RIGHT' }),
    }
  }

  issue(project: Project, issue: Issue): Json {
    return this.issueLike(project, {
      ...issue,
      id: project.id * 1000 + issue.number,
      comments: issue.comments.length,
      isPull: false,
    })
  }

  changeAsIssue(change: Change): Json {
    return this.issueLike(change.project, {
      ...change,
      ...{ id: change.id, number: change.number, author: change.author, createdAt: change.createdAt },
      state: change.state === 'open' ? 'open' : 'closed',
      comments: change.comments.length,
      isPull: true,
    })
  }

  issueComment(project: Project, number: number, note: Note): Json {
    const url = `${this.repoUrl(project)}/issues/comments/${note.id}`
    return {
      url,
      html_url: `${this.web}/${project.fullName}/issues/${number}#issuecomment-${note.id}`,
      issue_url: `${this.repoUrl(project)}/issues/${number}`,
      id: note.id,
      node_id: `IC_${note.id}`,
      user: this.user(note.author),
      created_at: note.createdAt,
      updated_at: note.updatedAt,
      body: note.body,
      author_association: association(project, note.author),
      reactions: this.reactions(url),
      performed_via_github_app: null,
    }
  }

  checkRun(run: CheckRun): Json {
    const url = `${this.repoUrl(run.project)}/check-runs/${run.id}`
    const web = `${this.web}/${run.project.fullName}/runs/${run.id}`
    return {
      id: run.id,
      name: run.name,
      node_id: `CR_${run.id}`,
      head_sha: run.commit,
      external_id: run.externalId,
      url,
      html_url: web,
      details_url: run.detailsUrl ?? web,
      status: run.status,
      conclusion: run.conclusion,
      started_at: run.startedAt,
      completed_at: run.completedAt,
      output: {
        title: run.title,
        summary: run.summary,
        text: run.text,
        annotations_count: run.annotations.length,
        annotations_url: `${url}/annotations`,
      },
      check_suite: { id: run.id + 1_000_000 },
      app: this.app(run.app, run.project.world.person(run.project.owner)),
      pull_requests: [],
    }
  }

  app(app: GitHubApp, owner: Person): Json {
    return {
      id: app.id,
      slug: app.slug,
      node_id: `A_${app.id}`,
      owner: this.user(owner),
      name: app.slug,
      description: '',
      external_url: 'https://example.com',
      html_url: `${this.web}/apps/${app.slug}`,
      created_at: firstDay,
      updated_at: firstDay,
      permissions: app.permissions,
      events: [],
    }
  }

  status(project: Project, status: CommitStatus): Json {
    return {
      url: `${this.repoUrl(project)}/statuses/${status.commit}`,
      avatar_url: `${this.web}/avatars/${status.creator.id}`,
      id: status.id,
      node_id: `SC_${status.id}`,
      state: status.state,
      description: status.description,
      target_url: status.targetUrl,
      context: status.context,
      created_at: status.createdAt,
      updated_at: status.createdAt,
      creator: this.user(status.creator),
    }
  }

  repoUrl(project: Project): string {
    return `${this.api}/repos/${project.fullName}`
  }

  private lines(change: Change, thread: Thread, anchor: LineAnchor, today: LineAnchor | null): Json {
    const side = (name: LineAnchor['side']) => (name === 'old' ? 'LEFT' : 'RIGHT')
    const isMany = anchor.startLine !== anchor.line
    const position = (place: LineAnchor, files: readonly FileDiff[]) => {
      const file = files.find(({ path }) => path === thread.path)
      return file ? (findLine(file, place.side, place.line)?.position ?? null) : null
    }
    return {
      line: today?.line ?? null,
      original_line: anchor.line,
      start_line: isMany && today ? today.startLine : null,
      original_start_line: isMany ? anchor.startLine : null,
      side: side(anchor.side),
      start_side: isMany ? side(anchor.startSide) : null,
      position: today && position(today, change.diff),
      original_position: position(anchor, change.repository.diff(thread.base, thread.commit)) ?? 1,
    }
  }

  private label(project: Project, name: string): Json {
    const url = `${this.repoUrl(project)}/labels/${encodeURIComponent(name)}`
    return {
      id: name.length + 1,
      node_id: `L_${name}`,
      url,
      name,
      description: '',
      color: 'ededed',
      default: false,
    }
  }

  private issueLike(
    project: Project,
    issue: Pick<Issue, 'number' | 'title' | 'body' | 'state' | 'author' | 'labels' | 'createdAt'> & {
      id: number
      comments: number
      isPull: boolean
    },
  ): Json {
    const url = `${this.repoUrl(project)}/issues/${issue.number}`
    const web = `${this.web}/${project.fullName}/${issue.isPull ? 'pull' : 'issues'}/${issue.number}`
    return {
      id: issue.id,
      node_id: `I_${issue.id}`,
      url,
      repository_url: this.repoUrl(project),
      labels_url: `${url}/labels{/name}`,
      comments_url: `${url}/comments`,
      events_url: `${url}/events`,
      html_url: web,
      number: issue.number,
      title: issue.title,
      user: this.user(issue.author),
      labels: issue.labels.map((name) => this.label(project, name)),
      state: issue.state,
      locked: false,
      assignee: null,
      assignees: [],
      milestone: null,
      comments: issue.comments,
      created_at: issue.createdAt,
      updated_at: issue.createdAt,
      closed_at: null,
      author_association: association(project, issue.author),
      body: issue.body === '' ? null : issue.body,
      ...(issue.isPull
        ? {
            pull_request: {
              url: `${this.repoUrl(project)}/pulls/${issue.number}`,
              html_url: web,
              diff_url: `${web}.diff`,
              patch_url: `${web}.patch`,
              merged_at: null,
            },
          }
        : {}),
    }
  }

  private reactions(url: string): Json {
    const none = ['total_count', '+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'eyes', 'rocket']
    return { url: `${url}/reactions`, ...Object.fromEntries(none.map((name) => [name, 0])) }
  }
}

export function association(project: Project, person: Person): string {
  if (person.login === project.owner) return 'OWNER'
  if (project.members.has(person.login)) return 'MEMBER'
  if (['triage', 'write', 'maintain', 'admin'].includes(project.roles.get(person.login) ?? 'none'))
    return 'COLLABORATOR'
  const changes = [...project.changes.values()]
  const hasMerged = changes.some(({ author, state }) => author === person && state === 'merged')
  return hasMerged ? 'CONTRIBUTOR' : 'NONE'
}

const firstDay = '2026-01-01T00:00:00Z'

const fileStatus: Readonly<Record<string, string>> = {
  A: 'added',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'changed',
}

function links(hrefs: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(Object.entries(hrefs).map(([name, href]) => [name, { href }]))
}

const zeros = Object.fromEntries(
  ['forks', 'forks_count', 'stargazers_count', 'watchers', 'watchers_count'].map((name) => [name, 0]),
)

const repositoryUrls = [
  ['archive_url', '{archive_format}{/ref}'],
  ['assignees_url', 'assignees{/user}'],
  ['blobs_url', 'git/blobs{/sha}'],
  ['branches_url', 'branches{/branch}'],
  ['collaborators_url', 'collaborators{/collaborator}'],
  ['comments_url', 'comments{/number}'],
  ['commits_url', 'commits{/sha}'],
  ['compare_url', 'compare/{base}...{head}'],
  ['contents_url', 'contents/{+path}'],
  ['contributors_url', 'contributors'],
  ['deployments_url', 'deployments'],
  ['downloads_url', 'downloads'],
  ['events_url', 'events'],
  ['forks_url', 'forks'],
  ['git_commits_url', 'git/commits{/sha}'],
  ['git_refs_url', 'git/refs{/sha}'],
  ['git_tags_url', 'git/tags{/sha}'],
  ['hooks_url', 'hooks'],
  ['issue_comment_url', 'issues/comments{/number}'],
  ['issue_events_url', 'issues/events{/number}'],
  ['issues_url', 'issues{/number}'],
  ['keys_url', 'keys{/key_id}'],
  ['labels_url', 'labels{/name}'],
  ['languages_url', 'languages'],
  ['merges_url', 'merges'],
  ['milestones_url', 'milestones{/number}'],
  ['notifications_url', 'notifications{?since,all,participating}'],
  ['pulls_url', 'pulls{/number}'],
  ['releases_url', 'releases{/id}'],
  ['stargazers_url', 'stargazers'],
  ['statuses_url', 'statuses/{sha}'],
  ['subscribers_url', 'subscribers'],
  ['subscription_url', 'subscription'],
  ['tags_url', 'tags'],
  ['teams_url', 'teams'],
  ['trees_url', 'git/trees{/sha}'],
] as const

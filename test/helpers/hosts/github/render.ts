/** What GitHub's REST API tells of the engine's records; what else it publishes is filled in (`complete` in `openapi.ts`). */
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
    const name = person.login.replace(/\[bot\]$/, '')
    return {
      ...{ login: person.login, id: person.id, node_id: `U_${person.id}` },
      html_url: person.isBot ? `${this.web}/apps/${name}` : `${this.web}/${name}`,
      type: person.isBot ? 'Bot' : 'User',
    }
  }

  repository(project: Project): Json {
    const web = `${this.web}/${project.fullName}`
    return {
      ...{ id: project.id, node_id: `R_${project.id}`, name: project.name, full_name: project.fullName },
      ...{ private: project.isPrivate, visibility: project.visibility },
      owner: this.user(project.world.person(project.owner)),
      ...{ html_url: web, url: this.repoUrl(project), clone_url: `${web}.git` },
      ...{ fork: project.forkOf !== null, default_branch: project.defaultBranch },
    }
  }

  fullRepository(project: Project): Json {
    const parent = project.forkOf && this.repository(project.forkOf)
    return { ...this.repository(project), ...(parent ? { parent, source: parent } : {}) }
  }

  pullSimple(change: Change): Json {
    const { project, number, author, from, branch, head, base, baseHead } = change
    const side = (where: Project | null, owner: string, ref: string, sha: string) => ({
      ...{ label: `${owner}:${ref}`, ref, sha },
      user: this.user(project.world.person(owner)),
      repo: where && this.repository(where),
    })
    const closedAt = change.state === 'open' ? null : change.updatedAt
    return {
      ...{ id: change.id, node_id: `PR_${change.id}`, number, title: change.title },
      url: `${this.repoUrl(project)}/pulls/${number}`,
      html_url: `${this.web}/${project.fullName}/pull/${number}`,
      state: change.state === 'open' ? 'open' : 'closed',
      user: this.user(author),
      body: change.body === '' ? null : change.body,
      labels: change.labels.map(label),
      ...{ created_at: change.createdAt, updated_at: change.updatedAt, closed_at: closedAt },
      merged_at: change.state === 'merged' ? closedAt : null,
      head: side(from, from?.owner ?? author.login, branch, head),
      base: side(project, project.owner, base, baseHead),
      ...{ author_association: association(project, author), draft: change.isDraft },
    }
  }

  pull(change: Change): Json {
    const files = change.diff
    const sum = (count: (file: FileDiff) => number) => files.reduce((total, file) => total + count(file), 0)
    return {
      ...this.pullSimple(change),
      merged: change.state === 'merged',
      comments: change.comments.length,
      review_comments: change.threads.flatMap(({ notes }) => notes).length,
      commits: change.repository.commits(change.mergeBase, change.head).length,
      additions: sum(({ added }) => added),
      deletions: sum(({ removed }) => removed),
      changed_files: files.length,
    }
  }

  /** GitHub leaves out the patch of a binary file, and of one that is too big. */
  file(file: FileDiff): Json {
    const status = file.status === 'D' ? 'removed' : (fileStatus[file.status] ?? 'modified')
    const hasPatch = !file.isBinary && file.patch !== '' && file.added + file.removed <= 3000
    return {
      sha: status === 'removed' ? null : file.newBlob,
      filename: file.path,
      status,
      additions: file.added,
      deletions: file.removed,
      changes: file.added + file.removed,
      ...(hasPatch ? { patch: file.patch } : {}),
      ...(file.status === 'R' ? { previous_filename: file.oldPath } : {}),
    }
  }

  commit(commit: CommitInfo): Json {
    const who = {
      name: commit.author,
      email: `${commit.author.toLowerCase()}@example.com`,
      date: commit.date,
    }
    return {
      ...{ sha: commit.id, node_id: `C_${commit.id.slice(0, 12)}` },
      commit: { author: who, committer: who, message: commit.message, tree: { sha: commit.tree } },
      ...{ author: null, committer: null, parents: commit.parents.map((sha) => ({ sha })) },
    }
  }

  review(change: Change, review: HostedReview): Json {
    const pull = `${this.web}/${change.project.fullName}/pull/${change.number}`
    return {
      ...{ id: review.id, node_id: `PRR_${review.id}`, user: this.user(review.author), body: review.body },
      ...{
        state: review.state,
        commit_id: review.commit,
        html_url: `${pull}#pullrequestreview-${review.id}`,
      },
      author_association: association(change.project, review.author),
      ...(review.submittedAt ? { submitted_at: review.submittedAt } : {}),
    }
  }

  /** Of an outdated one, `line` and `position` are null, whatever the published description says. */
  reviewComment(change: Change, thread: Thread, note: Note): Json {
    const { project, number } = change
    const { anchor } = thread
    const today = change.placeOf(thread)
    return {
      ...{ id: note.id, node_id: `PRRC_${note.id}`, pull_request_review_id: note.reviewId },
      diff_hunk: thread.diffHunk,
      path: thread.path,
      commit_id: today || !anchor ? change.head : thread.commit,
      original_commit_id: thread.commit,
      ...(note.id === thread.firstNote ? {} : { in_reply_to_id: thread.firstNote }),
      user: this.user(note.author),
      ...{ body: note.body, created_at: note.createdAt, updated_at: note.updatedAt },
      html_url: `${this.web}/${project.fullName}/pull/${number}#discussion_r${note.id}`,
      author_association: association(project, note.author),
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
    return {
      ...{ id: note.id, node_id: `IC_${note.id}`, user: this.user(note.author), body: note.body },
      html_url: `${this.web}/${project.fullName}/issues/${number}#issuecomment-${note.id}`,
      ...{ created_at: note.createdAt, updated_at: note.updatedAt },
      author_association: association(project, note.author),
    }
  }

  checkRun(run: CheckRun): Json {
    const web = `${this.web}/${run.project.fullName}/runs/${run.id}`
    return {
      ...{ id: run.id, name: run.name, head_sha: run.commit, external_id: run.externalId },
      ...{
        html_url: web,
        details_url: run.detailsUrl ?? web,
        status: run.status,
        conclusion: run.conclusion,
      },
      ...{ started_at: run.startedAt, completed_at: run.completedAt },
      output: {
        ...{ title: run.title, summary: run.summary, text: run.text },
        annotations_count: run.annotations.length,
      },
      app: this.app(run.app, run.project.world.person(run.project.owner)),
    }
  }

  app(app: GitHubApp, owner: Person): Json {
    return {
      ...{ id: app.id, slug: app.slug, name: app.slug, owner: this.user(owner) },
      ...{ html_url: `${this.web}/apps/${app.slug}`, permissions: app.permissions },
    }
  }

  status(status: CommitStatus): Json {
    return {
      ...{ id: status.id, node_id: `SC_${status.id}`, state: status.state, context: status.context },
      ...{
        description: status.description,
        target_url: status.targetUrl,
        creator: this.user(status.creator),
      },
      ...{ created_at: status.createdAt, updated_at: status.createdAt },
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

  private issueLike(
    project: Project,
    issue: Pick<Issue, 'number' | 'title' | 'body' | 'state' | 'author' | 'labels' | 'createdAt'> & {
      id: number
      comments: number
      isPull: boolean
    },
  ): Json {
    const web = `${this.web}/${project.fullName}/${issue.isPull ? 'pull' : 'issues'}/${issue.number}`
    return {
      ...{ id: issue.id, node_id: `I_${issue.id}`, html_url: web, number: issue.number, title: issue.title },
      ...{ user: this.user(issue.author), labels: issue.labels.map(label), state: issue.state },
      ...{ comments: issue.comments, created_at: issue.createdAt, updated_at: issue.createdAt },
      author_association: association(project, issue.author),
      body: issue.body === '' ? null : issue.body,
      ...(issue.isPull ? { pull_request: { html_url: web } } : {}),
    }
  }
}

function label(name: string): Json {
  return { id: name.length + 1, node_id: `L_${name}`, name }
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

const fileStatus: Readonly<Record<string, string>> = {
  A: 'added',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'changed',
}

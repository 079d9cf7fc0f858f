/** What GitLab's REST API tells of the engine's records; what else it answers is filled in (`complete` in `openapi.ts`). */
import { createHash } from 'node:crypto'
import type { Change, Thread } from '../engine/change.ts'
import type { FileDiff } from '../engine/file-diff.ts'
import type { CommitInfo } from '../engine/repository.ts'
import {
  type CommitStatus,
  type Issue,
  type Note,
  type Person,
  type Project,
  roles,
} from '../engine/world.ts'
import { positionNow } from './positions.ts'
import type { Draft } from './state.ts'

type Json = { [key: string]: unknown }

export class Renderer {
  private readonly web: string

  constructor(web: string) {
    this.web = web
  }

  user(person: Person): Json {
    return {
      ...{ id: person.id, username: person.login, name: person.name },
      web_url: `${this.web}/${person.login}`,
    }
  }

  member(project: Project, person: Person): Json {
    const level = [0, 20, 20, 30, 40, 50][roles.indexOf(project.roleOf(person.login))] ?? 0
    return { ...this.user(person), access_level: level }
  }

  project(project: Project): Json {
    const url = `${this.web}/${project.fullName}`
    return {
      ...{ id: project.id, name: project.name, path: project.name, path_with_namespace: project.fullName },
      visibility: project.visibility,
      default_branch: project.defaultBranch,
      ...{ http_url_to_repo: `${url}.git`, web_url: url },
      ...(project.forkOf ? { forked_from_project: { id: project.forkOf.id } } : {}),
    }
  }

  mergeRequest(change: Change): Json {
    const { project, versions } = change
    const version = versions.at(-1)
    const state = { open: 'opened', closed: 'closed', merged: 'merged' }[change.state]
    return {
      ...{ id: change.id, iid: change.number, project_id: project.id, title: change.title },
      description: change.body === '' ? null : change.body,
      ...{ state, author: this.user(change.author), labels: change.labels },
      ...{ draft: change.isDraft, source_branch: change.branch, target_branch: change.base },
      ...{ source_project_id: change.from?.id ?? null, target_project_id: project.id, sha: change.head },
      diff_refs: version
        ? { base_sha: version.base, head_sha: version.head, start_sha: version.start }
        : null,
      ...{ created_at: change.createdAt, updated_at: change.updatedAt },
      web_url: `${this.web}/${project.fullName}/-/merge_requests/${change.number}`,
      references: { full: `${project.fullName}!${change.number}` },
    }
  }

  commit(project: Project, commit: CommitInfo): Json {
    const email = `${commit.author.toLowerCase()}@example.com`
    return {
      ...{ id: commit.id, title: commit.message.split('\n')[0], message: commit.message },
      ...{ author_name: commit.author, author_email: email },
      ...{ parent_ids: commit.parents, created_at: commit.date },
      web_url: `${this.web}/${project.fullName}/-/commit/${commit.id}`,
    }
  }

  diff(file: FileDiff): Json {
    const isLarge = file.patch.length > 200_000
    return {
      ...{ old_path: file.oldPath, new_path: file.path },
      diff: isLarge ? '' : file.patch,
      ...{
        new_file: file.status === 'A',
        renamed_file: file.status === 'R',
        deleted_file: file.status === 'D',
      },
      too_large: isLarge,
    }
  }

  issue(project: Project, issue: Issue): Json {
    return {
      ...{
        id: project.id * 1000 + issue.number,
        iid: issue.number,
        project_id: project.id,
        title: issue.title,
      },
      ...{
        description: issue.body,
        state: issue.state === 'open' ? 'opened' : 'closed',
        labels: issue.labels,
      },
      ...{ author: this.user(issue.author), created_at: issue.createdAt },
      web_url: `${this.web}/${project.fullName}/-/issues/${issue.number}`,
      references: { full: `${project.fullName}#${issue.number}` },
    }
  }

  /** A note of the conversation when `thread` is null. */
  note(change: Change, thread: Thread | null, note: Note): Json {
    const isDiff = thread !== null && thread.wirePlace !== undefined
    const isResolved = thread?.resolvedBy !== null
    return {
      ...{ id: note.id, type: isDiff ? 'DiffNote' : thread ? 'DiscussionNote' : null, body: note.body },
      ...{ author: this.user(note.author), created_at: note.createdAt, updated_at: note.updatedAt },
      system: note.author.login === 'system',
      resolvable: thread !== null,
      ...(thread
        ? { resolved: isResolved, resolved_by: thread.resolvedBy && this.user(thread.resolvedBy) }
        : {}),
      ...(isDiff ? { position: positionNow(change, thread) } : {}),
    }
  }

  discussion(change: Change, thread: Thread): Json {
    return {
      ...{ id: discussionId(thread.id), individual_note: false },
      notes: thread.notes.map((note) => this.note(change, thread, note)),
    }
  }

  /** Threads and notes of the conversation, in the order in which they began. */
  discussions(change: Change): Json[] {
    const single = change.comments.map((note) => ({
      at: note.id,
      shown: { id: discussionId(note.id), individual_note: true, notes: [this.note(change, null, note)] },
    }))
    const threads = change.threads.map((thread) => ({
      at: thread.firstNote,
      shown: this.discussion(change, thread),
    }))
    return [...single, ...threads].sort((a, b) => a.at - b.at).map(({ shown }) => shown)
  }

  draft(draft: Draft): Json {
    return {
      ...{ id: draft.id, author_id: draft.author.id, merge_request_id: draft.change.id, note: draft.note },
      position: draft.position ?? { position_type: 'text' },
    }
  }

  status(status: CommitStatus): Json {
    return {
      ...{ id: status.id, sha: status.commit, status: status.state, name: status.context },
      ...{ target_url: status.targetUrl, description: status.description, created_at: status.createdAt },
      author: this.user(status.creator),
    }
  }
}

export function discussionId(id: number): string {
  return createHash('sha1').update(String(id)).digest('hex')
}

/** The result of a selector: two trees, a description of them, and the paths that the review is limited to. */

import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { UserError } from '../../base/errors.ts'
import type { CommitObject } from '../../base/git/commit-object.ts'
import type { Shadow } from '../../base/git/shadow.ts'
import { pathFrom } from '../../base/places.ts'
import type { ChangeSourceKind, Revision } from '../../domain/review-request.ts'
import type { ChangeSelector } from '../contract.ts'
import { messagesOf } from './commit-messages.ts'
import { commitsBetween, findCommit, shortId } from './resolve.ts'

export type Selection = {
  kind: ChangeSourceKind
  label: string
  base: Revision
  head: Revision
  title: string
  body: string
  author: string | null
  /** Of the commits of the change, oldest first. */
  messages?: string[]
  limits: string[]
  unread: { path: string; reason: string }[]
  /** The newest commit that is history to this change; null when there is none. */
  historyFrom: string | null
  /** The branch that the change was made on, where it is not the one that is checked out. */
  branch?: string
}

/** Subjects of at most this many commits make up the description of a branch. */
const maxSubjects = 100

export function revisionOf(commit: CommitObject): Revision {
  return { commit: commit.id, tree: commit.tree }
}

/** HEAD's commit, or null in a repository without one. */
export function headOf(shadow: Shadow): Promise<CommitObject | null> {
  return findCommit(shadow, 'HEAD')
}

/** HEAD's commit; throws `nothing-to-review` when there is none. */
export async function requireHead(shadow: Shadow): Promise<CommitObject> {
  const head = await headOf(shadow)
  if (!head) throw new UserError('nothing-to-review', 'no commit has been made yet')
  return head
}

/** What a person calls HEAD: the branch's name, or `HEAD (1a2b3c4)` when it is detached. */
export function headName(shadow: Shadow, head: CommitObject): string {
  return currentBranch(shadow) ?? `HEAD (${shortId(head.id)})`
}

/** Null when HEAD is detached. */
export function currentBranch(shadow: Shadow): string | null {
  return shadow.symbolicRef('HEAD')?.replace(/^refs\/heads\//, '') ?? null
}

/** Title, body and author of one commit, or of a row of them: the branch's name and the list of subjects; and all messages. */
export async function describeRange(
  shadow: Shadow,
  base: string,
  head: string,
  name: string,
): Promise<Pick<Selection, 'title' | 'body' | 'author' | 'messages'>> {
  const commits = await commitsBetween(shadow, base, head, maxSubjects)
  const [first] = commits
  if (!first) return { title: '', body: '', author: null }
  if (commits.length === 1) return describeCommit(first)
  const authors = new Set(commits.map(({ author }) => author))
  const body = commits.map(({ subject }) => `- ${subject}`).join('\n')
  return {
    title: name,
    body,
    author: authors.size === 1 ? first.author : null,
    messages: messagesOf(commits),
  }
}

/** Its message is kept as such too: a host has another title and description for the change. */
export function describeCommit(commit: CommitObject) {
  const { subject, body, author } = commit
  return { title: subject, body, author, messages: messagesOf([commit]) }
}

/** For changes that have no description yet. */
export const undescribed = { title: '', body: '', author: null }

/**
 * The files and folders that a review is limited to, from what was typed: paths from the root, with `/`; none when the whole tree was named. Throws `usage` for what lies elsewhere, and
 * for a name that is a branch or a commit as well.
 */
export async function namedPaths(shadow: Shadow, selector: ChangeSelector): Promise<string[]> {
  if (selector.kind === 'unsaved') return [...new Set(selector.files.map(({ path }) => path))].sort()
  const { paths: typed = [], pathsFrom = '' } = selector
  const { workTree } = shadow.repository
  if (typed.length === 0) return []
  if (workTree === null)
    throw new UserError(
      'usage',
      'a bare repository has no work tree, so a review cannot be limited to paths.',
    )
  const paths: string[] = []
  for (const name of typed) {
    if (!name.startsWith('.') && !isAbsolute(name) && (await findCommit(shadow, name)))
      throw new UserError(
        'usage',
        `\`${name}\` is a path and a branch or commit; write ./${name}, --base ${name} or --commit ${name}.`,
      )
    paths.push(pathInTree(workTree, name, pathsFrom))
  }
  return paths.includes('') ? [] : [...new Set(paths)].sort()
}

export function limitTo(selection: Selection, paths: readonly string[]): Selection {
  if (paths.length === 0) return selection
  const named = paths.slice(0, 3).join(', ')
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : ''
  return { ...selection, label: `${selection.label}, only ${named}${more}` }
}

function pathInTree(workTree: string, typed: string, from: string): string {
  const path = resolve(from, typed)
  try {
    // A link of the tree is itself what is reviewed; one above the tree is followed.
    const places = [join(realpathSync(dirname(path)), basename(path)), realpathSync(path)]
    for (const place of places) {
      const found = pathFrom(workTree, place)
      if (found !== null) return found
    }
  } catch (error) {
    throw new UserError('usage', `\`${typed}\`: ${(error as Error).message}`, { cause: error })
  }
  throw new UserError(
    'usage',
    `\`${typed}\` is outside the repository ${workTree}; to use another repository, add --repo PATH.`,
  )
}

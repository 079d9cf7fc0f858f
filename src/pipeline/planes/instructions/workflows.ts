/** What a change to a workflow opens to strangers: high-precision checks on its added lines. */
import type { DiffLine } from '../../../domain/change-set.ts'
import type { AddedLine, AddedText } from '../added-lines.ts'
import { freshLines } from '../fresh-lines.ts'
import type { Sighting } from './sighting.ts'
import { scriptLines } from './workflow-scripts.ts'

const workflowPath = /^\.github\/workflows\/[^/]+\.ya?ml$/
const actionPath = /(?:^|\/)action\.ya?ml$/

/** Triggers that run with the rights of the repository on what a stranger sent. */
const privileged = /^\s*(?:on\s*:.*\b|-\s*)?(pull_request_target|workflow_run)\b/
const headOfStranger =
  /^\s*ref\s*:.*(?:github\.event\.pull_request\.head\.(?:sha|ref)|github\.head_ref|github\.event\.workflow_run\.head_(?:sha|branch)|refs\/pull\/)/

/** Words of the event that whoever opens an issue or pull request chooses. */
const strangersWords =
  /\$\{\{[^}]{0,200}\bgithub\.(?:head_ref|event\.(?:(?:issue|pull_request|discussion)\.(?:title|body)|(?:comment|review|review_comment)\.body|pull_request\.head\.(?:ref|label|repo\.default_branch)|head_commit\.(?:message|author\.(?:name|email))|commits\b[^}]{0,40}\.(?:message|author\.(?:name|email))|pages\b[^}]{0,40}\.page_name|workflow_run\.(?:head_branch|head_commit\.message|display_title)))\b/

const pinned = /^\s*(?:-\s*)?uses\s*:\s*["']?([\w.-]+\/[\w./-]+)@([0-9a-f]{40})\b/
const used = /^\s*(?:-\s*)?uses\s*:\s*["']?([\w.-]+\/[\w./-]+)@([\w./-]+)/

/** `headLines`: the whole file after the change; `baseLines`: before it, and empty when it is new. */
export function sightWorkflow(
  added: AddedText,
  headLines: readonly string[],
  baseLines: readonly string[],
): Sighting[] {
  if (!workflowPath.test(added.file.path) && !actionPath.test(added.file.path)) return []
  return [
    ...sightStrangersCode(added.lines, headLines, baseLines),
    ...sightStrangersWords(added, headLines),
    ...sightAllRights(added),
    ...sightUnpinned(added),
  ]
}

function sightStrangersCode(
  lines: readonly AddedLine[],
  headLines: readonly string[],
  baseLines: readonly string[],
): Sighting[] {
  const { trigger, checkouts } = strangersCode(headLines)
  if (!trigger || checkouts.length === 0) return []
  const before = strangersCode(baseLines)
  if (before.trigger && before.checkouts.length >= checkouts.length) return []
  const isCheckout = new Set(checkouts)
  const touched =
    lines.find((line) => isCheckout.has(line.new)) ??
    lines.find((line) => line.text.includes(trigger) && privileged.test(line.text))
  if (!touched) return []
  return [
    {
      rule: 'privileged-checkout',
      severity: 'high',
      confidence: 'likely',
      title: `A workflow on \`${trigger}\` checks out the code of the pull request`,
      explanation: `\`${trigger}\` runs with the secrets and the write access of this repository. Whatever the workflow builds, tests or installs from that code runs with them too, and anybody may open a pull request.`,
      remedy: 'Use `pull_request` for what runs the code, or do not check the head out.',
      lines: [touched],
    },
  ]
}

/** The trigger that gives a workflow its rights, and the lines (1-based) that check the code of a stranger out. */
function strangersCode(lines: readonly string[]): { trigger: string | undefined; checkouts: number[] } {
  return {
    trigger: lines.map((line) => privileged.exec(line.replace(/#.*/s, ''))?.[1]).find((name) => name),
    checkouts: lines.flatMap((line, index) => (headOfStranger.test(line) ? [index + 1] : [])),
  }
}

function sightStrangersWords({ file, lines }: AddedText, headLines: readonly string[]): Sighting[] {
  const isRun = scriptLines(headLines)
  const run = lines.filter((line) => isRun[line.new - 1])
  const found = freshLines(
    file,
    run,
    ({ text }) => strangersWords.exec(text.slice(0, 2_000))?.[0].replace(/\s+/g, '') ?? null,
  )
  if (found.length === 0) return []
  return [
    {
      rule: 'script-injection',
      severity: 'high',
      confidence: 'likely',
      title: "Words that a stranger chooses are pasted into a workflow's script",
      explanation:
        'The expression is filled in before the shell reads the script, so a title or branch name with a quote or a `$(…)` in it becomes a command.',
      remedy: 'Hand the value over in `env:` and use it as a quoted shell variable.',
      lines: found,
    },
  ]
}

function sightAllRights({ file, lines }: AddedText): Sighting[] {
  const found = freshLines(
    file,
    lines,
    ({ text }) => /^\s*permissions\s*:\s*["']?write-all\b/.exec(text)?.[0] ?? null,
  )
  if (found.length === 0) return []
  return [
    {
      rule: 'write-all',
      severity: 'medium',
      confidence: 'certain',
      title: "The workflow's token may write everything",
      explanation:
        'Every step and every action it uses can push code, publish packages and change settings of the repository.',
      remedy: 'Name the permissions that the job needs.',
      lines: found,
    },
  ]
}

/** The same action, in the same file, was held by a commit before. */
function sightUnpinned({ file, lines }: AddedText): Sighting[] {
  const removed = file.hunks.flatMap((hunk) => hunk.lines.filter(({ kind }: DiffLine) => kind === 'removed'))
  const held = new Set(removed.map(({ text }) => pinned.exec(text)?.[1] ?? ''))
  const found = lines.filter(({ text }) => !pinned.test(text) && held.has(used.exec(text)?.[1] ?? '-'))
  if (found.length === 0) return []
  const names = [...new Set(found.map(({ text }) => `\`${used.exec(text)?.[1]}\``))].join(', ')
  return [
    {
      rule: 'unpinned-action',
      severity: 'medium',
      confidence: 'certain',
      title: `${names.slice(0, 200)} is no longer held by a commit`,
      explanation:
        'A commit id always means the same code. A tag or branch can be moved to other code at any time, by whoever takes over that repository.',
      remedy: 'Name the full commit id, with the version in a comment.',
      lines: found,
    },
  ]
}

/** What a change to a workflow opens to attackers: high-precision checks of its added lines. */
import type { DiffLine } from '../../../domain/change-set.ts'
import { type AddedLine, type AddedText, freshLines } from '../changed-lines.ts'
import type { Observation } from './observation.ts'

const workflowPath = /^\.github\/workflows\/[^/]+\.ya?ml$/
const actionPath = /(?:^|\/)action\.ya?ml$/

/** Triggers that run untrusted input with the rights of the repository. */
const privileged = /^\s*(?:on\s*:.*\b|-\s*)?(pull_request_target|workflow_run)\b/
const untrustedHead =
  /^\s*ref\s*:.*(?:github\.event\.pull_request\.head\.(?:sha|ref)|github\.head_ref|github\.event\.workflow_run\.head_(?:sha|branch)|refs\/pull\/)/

/** Fields of the event that the author of an issue or pull request controls. */
const untrustedWords =
  /\$\{\{[^}]{0,200}\bgithub\.(?:head_ref|event\.(?:(?:issue|pull_request|discussion)\.(?:title|body)|(?:comment|review|review_comment)\.body|pull_request\.head\.(?:ref|label|repo\.default_branch)|head_commit\.(?:message|author\.(?:name|email))|commits\b[^}]{0,40}\.(?:message|author\.(?:name|email))|pages\b[^}]{0,40}\.page_name|workflow_run\.(?:head_branch|head_commit\.message|display_title)))\b/

const pinned = /^\s*(?:-\s*)?uses\s*:\s*["']?([\w.-]+\/[\w./-]+)@([0-9a-f]{40})\b/
const used = /^\s*(?:-\s*)?uses\s*:\s*["']?([\w.-]+\/[\w./-]+)@([\w./-]+)/

/** `headLines`: the whole file after the change; `baseLines`: before it, and empty when it is new. */
export function checkWorkflow(
  added: AddedText,
  headLines: readonly string[],
  baseLines: readonly string[],
): Observation[] {
  if (!workflowPath.test(added.file.path) && !actionPath.test(added.file.path)) return []
  return [
    ...checkUntrustedCheckout(added.lines, headLines, baseLines),
    checkUntrustedWords(added, headLines),
    checkPermissions(added),
    checkUnpinned(added),
  ].filter(({ lines }) => lines.length > 0)
}

function checkUntrustedCheckout(
  lines: readonly AddedLine[],
  headLines: readonly string[],
  baseLines: readonly string[],
): Observation[] {
  const { trigger, checkouts } = untrustedCheckout(headLines)
  if (!trigger || checkouts.length === 0) return []
  const before = untrustedCheckout(baseLines)
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

/** The trigger that gives a workflow its rights, and the lines (1-based) that check out untrusted code. */
function untrustedCheckout(lines: readonly string[]): { trigger: string | undefined; checkouts: number[] } {
  const isTrusted = linesAfterPush(lines)
  return {
    trigger: lines.map((line) => privileged.exec(line.replace(/#.*/s, ''))?.[1]).find((name) => name),
    checkouts: lines.flatMap((line, index) =>
      untrustedHead.test(line) && !(isTrusted[index] && line.includes(ofWorkflow)) ? [index + 1] : [],
    ),
  }
}

/**
 * By line from 0: whether its job follows only a workflow that somebody with the right to push started, so that the branch of that
 * workflow and its code are theirs.
 */
function linesAfterPush(lines: readonly string[]): boolean[] {
  const jobs: Job[] = []
  let key = ''
  const jobOf = lines.map((line) => {
    const name = /^ {2}([\w-]+)\s*:/.exec(line)?.[1]
    if (name !== undefined) jobs.push({ name, if: '', needs: '' })
    key = /^ {4}([\w-]+)\s*:/.exec(line)?.[1] ?? (/^ {0,4}\S/.test(line) ? '' : key)
    const job = jobs.at(-1)
    if (job && (key === 'if' || key === 'needs')) job[key] += ` ${line.trim()}`
    return job
  })
  const trusted = new Set<string>()
  // A job that needs another one is skipped with it; each is written after what it needs, as a rule.
  for (const job of jobs) {
    const needs = job.needs.match(/[\w-]+/g)?.some((name) => trusted.has(name)) ?? false
    if (afterPush.test(job.if) || (needs && !/\balways\(\)/.test(job.if))) trusted.add(job.name)
  }
  return jobOf.map((job) => job !== undefined && trusted.has(job.name))
}

type Job = { name: string; if: string; needs: string }

const afterPush = /github\.event\.workflow_run\.event\s*==\s*'(?:push|schedule|release)'/
const ofWorkflow = 'github.event.workflow_run.'

function checkUntrustedWords({ file, lines }: AddedText, headLines: readonly string[]): Observation {
  const [isRun, isTrusted] = [scriptLines(headLines), linesAfterPush(headLines)]
  const run = lines.filter(
    ({ new: at, text }) => isRun[at - 1] && !(isTrusted[at - 1] && text.includes(ofWorkflow)),
  )
  const found = freshLines(
    file,
    run,
    ({ text }) => untrustedWords.exec(text.slice(0, 2_000))?.[0].replace(/\s+/g, '') ?? null,
  )
  return {
    rule: 'script-injection',
    severity: 'high',
    confidence: 'likely',
    title: "Words that a stranger chooses are pasted into a workflow's script",
    explanation:
      'The expression is filled in before the shell reads the script, so a title or branch name with a quote or a `$(…)` in it becomes a command.',
    remedy: 'Hand the value over in `env:` and use it as a quoted shell variable.',
    lines: found,
  }
}

function checkPermissions({ file, lines }: AddedText): Observation {
  const found = freshLines(
    file,
    lines,
    ({ text }) => /^\s*permissions\s*:\s*["']?write-all\b/.exec(text)?.[0] ?? null,
  )
  return {
    rule: 'write-all',
    severity: 'medium',
    confidence: 'likely',
    title: "The workflow's token may write everything",
    explanation:
      'Every step and every action it uses can push code, publish packages and change settings of the repository.',
    remedy: 'Name the permissions that the job needs.',
    lines: found,
  }
}

/** Actions that were pinned to a commit in the same file before, and not by a tag in the same place. */
function checkUnpinned({ file, lines }: AddedText): Observation {
  const removed = file.hunks.map((hunk) => hunk.lines.filter(({ kind }: DiffLine) => kind === 'removed'))
  const held = new Set(removed.flat().map(({ text }) => pinned.exec(text)?.[1] ?? ''))
  const loose = new Set(
    file.hunks.flatMap((hunk, index) => {
      const before = removed[index]?.filter(({ text }) => !pinned.test(text)) ?? []
      const names = new Set(before.map(({ text }) => used.exec(text)?.[1]))
      return hunk.lines.flatMap(({ new: at, text }) => (names.has(used.exec(text)?.[1]) && at ? [at] : []))
    }),
  )
  const found = lines.filter(
    ({ new: at, text }) => !pinned.test(text) && held.has(used.exec(text)?.[1] ?? '-') && !loose.has(at),
  )
  const names = [...new Set(found.map(({ text }) => `\`${used.exec(text)?.[1]}\``))].join(', ')
  return {
    rule: 'unpinned-action',
    severity: 'medium',
    confidence: 'likely',
    title: `${names.slice(0, 200)} is no longer held by a commit`,
    explanation:
      'A commit id always means the same code. A tag or branch can be moved to other code at any time, by whoever takes over that repository.',
    remedy: 'Name the full commit id, with the version in a comment.',
    lines: found,
  }
}

const scriptKey = /^\s*(?:-\s+)?(?:run|script)\s*:/
/** `key: |` or `key: >-`: the lines that follow, indented further, are one text. */
const blockKey = /^\s*(?:-\s+)?["']?[\w-]+["']?\s*:\s*[|>][+-]?\d?[+-]?\s*(?:#.*)?$/

/**
 * Whether each line is run as a script, by index from 0 and from indentation alone; blank lines never are. Keeps a stack of
 * enclosing lines, since searching upwards from every line would be quadratic.
 */
export function scriptLines(lines: readonly string[]): boolean[] {
  const above: { line: string; indent: number; isScript: boolean }[] = []
  return lines.map((line) => {
    if (line.trim() === '') return false
    const indent = indentation(line)
    while ((above.at(-1)?.indent ?? -1) >= indent) above.pop()
    const parent = above.at(-1)
    const isScript =
      parent !== undefined && (blockKey.test(parent.line) ? scriptKey.test(parent.line) : parent.isScript)
    above.push({ line, indent, isScript })
    return isScript || scriptKey.test(line)
  })
}

/** The column of the first word; a dash before it counts as indentation. */
function indentation(line: string): number {
  return /^(?:\s|-\s)*/.exec(line)?.[0].length ?? 0
}

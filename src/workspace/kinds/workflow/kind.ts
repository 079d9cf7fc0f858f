/** Workflows that other repositories call: reusable ones and composite actions of GitHub, templates of GitLab. */
import type { Confidence } from '../../../domain/severity.ts'
import type { ContractKind } from '../../contract.ts'
import { workflowBreaks } from './breaks.ts'
import type { BrokenCallable, CallableShape, CallShape, CallUse } from './contract.ts'
import { isAction, isWorkflow, providedByGitHub, usesOfGitHub } from './github.ts'
import { isPipeline, mayBeTemplate, providedByGitLab, usesOfGitLab } from './gitlab.ts'

const isGitHub = (path: string) => isWorkflow(path) || isAction(path)

export const workflows: ContractKind<CallableShape, CallShape, BrokenCallable['shape']> = {
  kind: 'workflow',
  mayProvide: (path) => isGitHub(path) || mayBeTemplate(path),
  mayUse: (path) => isGitHub(path) || isPipeline(path) || mayBeTemplate(path),
  cue: /\buses[ \t]{0,8}:|^[ \t]{0,80}(?:- {0,8})?(?:project|component)[ \t]{0,8}:/m,
  provided: async (paths, tree) =>
    (await tree.read(paths)).flatMap((file) =>
      isGitHub(file.path) ? providedByGitHub(file) : providedByGitLab(file),
    ),
  uses: async (file) => (isGitHub(file.path) ? usesOfGitHub(file) : usesOfGitLab(file)),
  breaks: workflowBreaks,
  judge,
  pin: async (_broken, { shape: { ref }, path, line }) =>
    ref !== null && (isFixed(ref) || isTag(ref)) ? { version: ref, path, line } : null,
}

/**
 * A commit and a full version stay what they are, so the call goes on working until somebody raises it. A tag of a major version
 * follows the releases and a branch the commits.
 */
function judge({ shape: broken }: BrokenCallable, { shape: use }: CallUse): Confidence | null {
  if (use.ref !== null && isFixed(use.ref)) return null
  if (!isHit(broken, use)) return null
  return broken.isRefused && (use.ref === null || !isTag(use.ref)) ? 'certain' : 'likely'
}

function isHit({ of, part, isRequired }: BrokenCallable['shape'], use: CallUse['shape']): boolean {
  if (of === 'file') return use.is === 'call'
  if (!isRequired) return use.is === of && use.part === part
  if (use.is !== 'call') return false
  if (of === 'secret') return use.secrets !== 'all' && !use.secrets.includes(part)
  return !use.passed.includes(part)
}

function isFixed(ref: string): boolean {
  return /^[\da-f]{40}$/.test(ref) || /^v?\d+\.\d+\.\d+/.test(ref)
}

function isTag(ref: string): boolean {
  return /^v?\d+(?:\.\d+)?$|^~latest$/.test(ref)
}

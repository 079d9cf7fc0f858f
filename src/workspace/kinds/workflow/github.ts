/** Reusable workflows and composite actions of GitHub, and who calls them. */

import { trimTrailing } from '../../../base/trim-text.ts'
import type { SourceFile } from '../../contract.ts'
import { placeAt } from '../../places.ts'
import {
  childOf,
  type DataEntry,
  type DataNode,
  entriesOf,
  isTrue,
  itemsOf,
  readData,
  textOf,
} from '../reading/data-tree.ts'
import type { CallableProvided, CallableShape, CallShape, CallUse, PartKind } from './contract.ts'

const workflow = /^\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$/
const action = /(?:^|\/)action\.ya?ml$/

export const isWorkflow = (path: string): boolean => workflow.test(path)
export const isAction = (path: string): boolean => action.test(path)

export function providedByGitHub({ path, text }: SourceFile): CallableProvided[] {
  const root = readData(path, text)
  if (!root) return []
  if (isAction(path)) {
    const folder = path.replace(/(?:^|\/)action\.ya?ml$/, '')
    // Who calls the action of a whole repository names the repository alone, which no file of it does.
    if (folder === '' || childOf(root, 'runs') === null) return []
    return offered(path, `action:${folder}`, folder, root, root, ['inputs', 'outputs'])
  }
  const on = childOf(root, 'on')
  const call = childOf(on, 'workflow_call')
  const isNamed = textOf(on) === 'workflow_call' || itemsOf(on).some((one) => textOf(one) === 'workflow_call')
  if (!call && !isNamed) return []
  return offered(path, `workflow:${path}`, path, root, call, ['inputs', 'secrets', 'outputs'])
}

const partOf: Readonly<Record<string, PartKind>> = { inputs: 'input', secrets: 'secret', outputs: 'output' }

function offered(
  path: string,
  key: string,
  name: string,
  root: DataNode,
  holder: DataNode | null,
  lists: readonly string[],
): CallableProvided[] {
  const digest = JSON.stringify(lists.map((list) => entriesOf(childOf(holder, list)).map(([one]) => one)))
  const file: CallableProvided = {
    ...placeAt(path, 1, root.endLine),
    name,
    shape: { is: 'file', key, digest },
  }
  const parts = lists.flatMap((list) =>
    entriesOf(childOf(holder, list)).map(([part, entry]): CallableProvided => {
      const { line, endLine } = entry
      return { path, line, endLine, name: `${name}#${part}`, shape: shapeOf(key, list, part, entry) }
    }),
  )
  return [file, ...parts]
}

function shapeOf(key: string, list: string, part: string, { value }: DataEntry): CallableShape {
  const isRequired = isTrue(childOf(value, 'required')) && childOf(value, 'default') === null
  return { is: partOf[list] ?? 'input', key, part, isRequired, type: textOf(childOf(value, 'type')) }
}

const called = /^([\w.-]+\/[\w.-]+)\/([^@\s]+)@([\w./-]+)$/

export function usesOfGitHub({ path, text }: SourceFile): CallUse[] {
  const root = readData(path, text)
  if (!root) return []
  const steps = itemsOf(childOf(childOf(root, 'runs'), 'steps'))
  const lines = text.split('\n')
  return [
    ...steps.flatMap((step) => stepUses(path, step, lines, root)),
    ...entriesOf(childOf(root, 'jobs')).flatMap(([job, { value, line, endLine }]) => [
      ...callUses(path, value, outputsOf(lines, `needs.${job}.outputs.`, 1, lines.length), { line, endLine }),
      ...itemsOf(childOf(value, 'steps')).flatMap((step) => stepUses(path, step, lines, value)),
    ]),
  ]
}

function stepUses(path: string, step: DataNode, lines: readonly string[], around: DataNode): CallUse[] {
  const id = textOf(childOf(step, 'id'))
  const outputs = id === null ? [] : outputsOf(lines, `steps.${id}.outputs.`, around.line, around.endLine)
  return callUses(path, step, outputs, step)
}

type Output = { part: string; line: number }

function outputsOf(lines: readonly string[], prefix: string, from: number, to: number): Output[] {
  const found: Output[] = []
  for (let line = from; line <= Math.min(to, lines.length); line++) {
    // `needs['build'].outputs.version` says the same.
    const text = (lines[line - 1] ?? '').slice(0, 2_000).replaceAll(/\['([\w-]{1,100})'\]/g, '.$1')
    for (const piece of text.split(prefix).slice(1)) {
      const part = /^[\w-]+/.exec(piece)?.[0]
      if (part !== undefined) found.push({ part, line })
    }
  }
  return found
}

function callUses(
  path: string,
  node: DataNode,
  outputs: readonly Output[],
  place: { line: number; endLine: number },
): CallUse[] {
  const uses = node.kind === 'map' ? node.entries.get('uses') : undefined
  const [written, repository, inside = '', ref = null] = called.exec(textOf(uses?.value) ?? '') ?? []
  if (!uses || written === undefined || repository === undefined) return []
  const isCalled = isWorkflow(inside)
  const key = isCalled ? `workflow:${inside}` : `action:${trimTrailing(inside, '/')}`
  const name = isCalled ? inside : trimTrailing(inside, '/')
  const secrets = childOf(node, 'secrets')
  const make = (line: number, endLine: number, part: string | null, shape: CallShape): CallUse => ({
    ...{ path, line, endLine, key, repository },
    name: part === null ? name : `${name}#${part}`,
    how: `called as \`${written}\``,
    shape,
  })
  const parts = (kind: PartKind, list: DataNode | null) =>
    entriesOf(list).map(([part, { line, endLine }]) => make(line, endLine, part, { is: kind, part, ref }))
  const passed = entriesOf(childOf(node, 'with')).map(([part]) => part)
  return [
    make(uses.line, Math.max(uses.line, Math.min(place.endLine, uses.endLine)), null, {
      is: 'call',
      ref,
      passed,
      secrets: textOf(secrets) === 'inherit' ? 'all' : entriesOf(secrets).map(([part]) => part),
    }),
    ...parts('input', childOf(node, 'with')),
    ...parts('secret', secrets),
    ...outputs.map(({ part, line }) => make(line, line, part, { is: 'output', part, ref })),
  ]
}

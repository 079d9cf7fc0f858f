/** Templates of GitLab: files that other projects include, with the hidden jobs that they extend. */

import type { SourceFile } from '../../contract.ts'
import { childOf, type DataNode, entriesOf, itemsOf, textOf } from '../reading/data-tree.ts'
import { readDocuments } from '../reading/documents.ts'
import type { CallableProvided, CallUse } from './contract.ts'

/** Any YAML file can be included; whether it is a template is seen by its jobs. */
export function mayBeTemplate(path: string): boolean {
  return /\.ya?ml$/.test(path) && !/(?:^|\/)\.github\//.test(path)
}

export const isPipeline = (path: string): boolean =>
  /(?:^|[./-])gitlab-ci(?:[./-][^/]{0,200})?\.ya?ml$/.test(path)

const jobKeys = ['script', 'extends', 'stage', 'before_script', 'rules', 'image', 'needs', 'trigger']

export function providedByGitLab({ path, text }: SourceFile): CallableProvided[] {
  const documents = readDocuments(path, text)
  const key = `gitlab:${path}`
  const jobs = documents.flatMap((root) =>
    entriesOf(root).filter(
      ([name, { value }]) => name.startsWith('.') && jobKeys.some((one) => childOf(value, one)),
    ),
  )
  const inputs = documents.flatMap((root) => entriesOf(childOf(childOf(root, 'spec'), 'inputs')))
  if (jobs.length + inputs.length === 0) return []
  const digest = JSON.stringify([jobs, inputs].map((list) => list.map(([name]) => name)))
  const lineCount = text.split('\n').length
  return [
    { path, line: 1, endLine: lineCount, name: path, shape: { is: 'file', key, digest } },
    ...jobs.map(
      ([part, { line, endLine }]): CallableProvided => ({
        ...{ path, line, endLine },
        name: `${path}#${part}`,
        shape: { is: 'job', key, part, isRequired: false, type: null },
      }),
    ),
    ...inputs.map(
      ([part, { line, endLine, value }]): CallableProvided => ({
        ...{ path, line, endLine },
        name: `${path}#${part}`,
        shape: {
          ...{ is: 'input', key, part },
          isRequired: childOf(value, 'default') === null,
          type: textOf(childOf(value, 'type')),
        },
      }),
    ),
  ]
}

type Included = { node: DataNode; file: string; repository: string; ref: string | null }

export function usesOfGitLab({ path, text }: SourceFile): CallUse[] {
  const found = readDocuments(path, text).flatMap((root) => {
    const own = new Set(entriesOf(root).map(([name]) => name))
    const extended = extendedIn(root).filter(({ part }) => !own.has(part))
    return includedIn(root).flatMap((one) => [
      callOf(path, one),
      ...inputsOf(path, one),
      ...jobsOf(path, one, extended),
    ])
  })
  return found.slice(0, 500)
}

function includedIn(root: DataNode): Included[] {
  const include = childOf(root, 'include')
  const items = include?.kind === 'list' ? include.items : include ? [include] : []
  return items.flatMap((node): Included[] => {
    const project = textOf(childOf(node, 'project'))
    const component = /^[\w.$-]+\/([\w./-]+)\/([\w-]+)@([\w./~-]+)$/.exec(
      textOf(childOf(node, 'component')) ?? '',
    )
    if (component) {
      const [, repository = '', name = '', ref = ''] = component
      return [`templates/${name}.yml`, `templates/${name}/template.yml`].map((file) => ({
        node,
        file,
        repository,
        ref,
      }))
    }
    if (project === null) return []
    const file = childOf(node, 'file')
    const files = file?.kind === 'list' ? file.items : file ? [file] : []
    const ref = textOf(childOf(node, 'ref'))
    return files.flatMap((one) => {
      const name = textOf(one)?.replace(/^\/+/, '')
      return name === undefined ? [] : [{ node, file: name, repository: project, ref }]
    })
  })
}

function base(path: string, { file, repository }: Included) {
  return { path, key: `gitlab:${file}`, repository, how: `included from \`${repository}\`` }
}

function callOf(path: string, one: Included): CallUse {
  const { line, endLine } = one.node
  const passed = entriesOf(childOf(one.node, 'inputs')).map(([part]) => part)
  const shape = { is: 'call', ref: one.ref, passed, secrets: 'all' } as const
  return { ...base(path, one), line, endLine, name: one.file, shape }
}

function inputsOf(path: string, one: Included): CallUse[] {
  return entriesOf(childOf(one.node, 'inputs')).map(([part, { line, endLine }]) => ({
    ...base(path, one),
    ...{ line, endLine, name: `${one.file}#${part}` },
    shape: { is: 'input', part, ref: one.ref },
  }))
}

type Extended = { part: string; line: number; endLine: number }

function extendedIn(root: DataNode): Extended[] {
  return entriesOf(root).flatMap(([, { value }]) => {
    const entry = value.kind === 'map' ? value.entries.get('extends') : undefined
    if (!entry) return []
    const names = entry.value.kind === 'list' ? itemsOf(entry.value) : [entry.value]
    return names.flatMap((name) => {
      const part = textOf(name)
      return part?.startsWith('.') ? [{ part, line: entry.line, endLine: entry.endLine }] : []
    })
  })
}

function jobsOf(path: string, one: Included, extended: readonly Extended[]): CallUse[] {
  return extended.map(({ part, line, endLine }) => ({
    ...base(path, one),
    ...{ line, endLine, name: `${one.file}#${part}` },
    shape: { is: 'job', part, ref: one.ref },
  }))
}

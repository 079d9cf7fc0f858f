/** Which variables a deployment sets: compose, Kubernetes, Helm values, Dockerfiles and `.env` files. */
import type { SourceFile } from '../../contract.ts'
import { instructionsOf, isDockerfile } from '../image/dockerfile.ts'
import { childOf, type DataEntry, type DataNode, entriesOf, textOf } from '../reading/data-tree.ts'
import { readDocuments } from '../reading/documents.ts'

export type Setting = { name: string; line: number; endLine: number }

/** `isOpen`: it takes more from where no names are written. */
export type Block = { name: string; settings: readonly Setting[]; isOpen: boolean }

const yaml = /\.ya?ml$/
const values = /(?:^|\/)\.env(?:\.[\w-]+)*$/
const notDeployed =
  /(?:^|\/)\.github\/|(?:^|[./-])gitlab-ci[^/]{0,200}\.ya?ml$|\.(?:example|sample|template|dist|defaults?)$/
const variable = /^[A-Z][A-Z\d_]{2,60}$/

export const maySet = (path: string): boolean =>
  !notDeployed.test(path) && (yaml.test(path) || isDockerfile(path) || values.test(path))

export function blocksOf(file: SourceFile): Block[] {
  const { path, text } = file
  const blocks = isDockerfile(path)
    ? [{ name: '', settings: dockerSettings(text), isOpen: true }]
    : values.test(path)
      ? [{ name: '', settings: fileSettings(text), isOpen: true }]
      : readDocuments(path, text).flatMap(dataBlocks)
  return blocks.filter(({ settings }) => settings.length > 0)
}

function dockerSettings(text: string): Setting[] {
  return instructionsOf(text).flatMap(({ word, rest, line, endLine }) => {
    if (word !== 'ENV') return []
    const names = rest.includes('=')
      ? [...rest.matchAll(/(?:^|\s)([A-Z][A-Z\d_]+)=/g)].map(([, name]) => name ?? '')
      : [rest.split(/\s/, 1)[0] ?? '']
    return names.filter((name) => variable.test(name)).map((name) => ({ name, line, endLine }))
  })
}

function fileSettings(text: string): Setting[] {
  return text.split('\n').flatMap((line, at) => {
    const name = /^\s*(?:export\s+)?([A-Z][A-Z\d_]{2,60})\s*=/.exec(line)?.[1]
    return name === undefined ? [] : [{ name, line: at + 1, endLine: at + 1 }]
  })
}

/** Every map with an environment, by the way to it, the literals of Kustomize, and config maps. */
function dataBlocks(root: DataNode): Block[] {
  const found: Block[] = []
  const seen = new Set<DataNode>()
  const kind = textOf(childOf(root, 'kind'))
  if (kind === 'ConfigMap' || kind === 'Secret') {
    const settings = ['data', 'stringData'].flatMap((key) => keysOf(childOf(root, key)))
    return [
      { name: `${kind} ${textOf(childOf(childOf(root, 'metadata'), 'name'))}`, settings, isOpen: false },
    ]
  }
  const walk = (node: DataNode, at: string): void => {
    if (seen.has(node) || found.length > 300) return
    seen.add(node)
    if (node.kind === 'list')
      for (const item of node.items) walk(item, `${at}/${textOf(childOf(item, 'name')) ?? '-'}`)
    if (node.kind !== 'map') return
    for (const key of ['environment', 'env', 'extraEnv', 'literals']) {
      const entry = node.entries.get(key)
      const isOpen = node.entries.has('envFrom') || node.entries.has('env_file')
      if (entry) found.push({ name: at, settings: settingsIn(entry), isOpen })
    }
    for (const [key, { value }] of node.entries) walk(value, `${at}/${key}`)
  }
  walk(root, '')
  return found
}

function settingsIn({ value }: DataEntry): Setting[] {
  if (value.kind !== 'list') return keysOf(value)
  return value.items.flatMap((item) => {
    const name = textOf(childOf(item, 'name')) ?? textOf(item)?.split('=', 1)[0] ?? ''
    const { line, endLine } = item
    return variable.test(name) ? [{ name, line, endLine }] : []
  })
}

function keysOf(node: DataNode | null): Setting[] {
  return entriesOf(node).flatMap(([name, { line, endLine }]) =>
    variable.test(name) ? [{ name, line, endLine }] : [],
  )
}

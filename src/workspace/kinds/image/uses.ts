/** Where files run or extend images: Dockerfiles, and every `image:` of compose, Kubernetes, Helm, GitHub and GitLab. */
import type { SourceFile } from '../../contract.ts'
import { childOf, type DataEntry, type DataNode, itemsOf, textOf } from '../reading/data-tree.ts'
import { readDocuments } from '../reading/documents.ts'
import { type ImageUse, imageName, keyOf } from './contract.ts'
import { instructionsOf, isDockerfile, stagesOf } from './dockerfile.ts'
import { filledIn } from './variables.ts'

const mostUses = 500

export function imageUses(file: SourceFile): ImageUse[] {
  const found = isDockerfile(file.path)
    ? inDockerfile(file)
    : readDocuments(file.path, file.text).flatMap((root) => inData(file.path, root))
  return found.slice(0, mostUses)
}

function use(
  path: string,
  written: string | null,
  { line, endLine }: { line: number; endLine: number },
  how: string,
  more: Partial<ImageUse['shape']> = {},
): ImageUse[] {
  const named = written === null ? null : imageName(written)
  if (!named) return []
  const shape = { ...named, ports: [], hasArguments: false, is: 'image' as const, ...more }
  return [
    { path, line, endLine: Math.max(line, endLine), key: keyOf(named.image), name: named.image, how, shape },
  ]
}

function inDockerfile({ path, text }: SourceFile): ImageUse[] {
  const fill = filledIn(text)
  const stages = stagesOf(text)
  const own = new Set(stages.flatMap(({ name }) => name ?? []))
  const last = stages.at(-1)
  const hasArguments = (stage: (typeof stages)[number]) =>
    stage === last &&
    stage.instructions.some(({ word }) => word === 'CMD') &&
    !stage.instructions.some(({ word }) => word === 'ENTRYPOINT')
  const bases = stages.flatMap((stage) =>
    own.has(stage.from)
      ? []
      : use(
          path,
          untagged(fill(stage.from)),
          { line: stage.line, endLine: stage.line },
          'the base of an image',
          {
            hasArguments: hasArguments(stage),
          },
        ),
  )
  const copied = instructionsOf(text).flatMap(({ rest, line, endLine }) => {
    const from = /(?:--from=|\bfrom=)([^\s,]+)/.exec(rest)?.[1] ?? null
    return from === null || own.has(from)
      ? []
      : use(path, from, { line, endLine }, 'files are copied from it')
  })
  return [...bases, ...copied]
}

/** A tag that is said elsewhere leaves the name to be read. */
function untagged(written: string): string {
  return written.replace(/:\$\{\w{1,61}\}$/, '')
}

/** Every map with an image, wherever it is. */
function inData(path: string, root: DataNode): ImageUse[] {
  const found: ImageUse[] = []
  const seen = new Set<DataNode>()
  const walk = (node: DataNode): void => {
    if (seen.has(node) || found.length >= mostUses) return
    seen.add(node)
    if (node.kind === 'list') node.items.forEach(walk)
    if (node.kind !== 'map') return
    found.push(...inMap(path, node), ...replacedIn(path, node))
    for (const { value } of node.entries.values()) walk(value)
  }
  walk(root)
  return found
}

function inMap(path: string, node: Extract<DataNode, { kind: 'map' }>): ImageUse[] {
  const image = node.entries.get('image') ?? node.entries.get('container')
  const action = node.entries.get('uses')
  const started = textOf(action?.value)
  if (action && started?.startsWith('docker://')) return use(path, started, action, 'run as a step')
  if (!image || node.entries.has('build')) return []
  const written = writtenIn(image)
  const entry = node.entries.get('ports')
  const ports = portsOf(entry)
  const hasArguments =
    (node.entries.has('args') || node.entries.has('command')) && !node.entries.has('entrypoint')
  return [
    ...use(path, written, image, 'run as a container', { hasArguments }),
    ...(entry && ports.length > 0
      ? use(path, written, entry, 'its port is used', { ports, is: 'ports' })
      : []),
  ]
}

/** `images: [{ name: a/b, newTag: 1 }]` of Kustomize. */
function replacedIn(path: string, node: DataNode): ImageUse[] {
  return itemsOf(childOf(node, 'images')).flatMap((item) =>
    ['newTag', 'newName', 'digest'].some((key) => childOf(item, key))
      ? use(path, textOf(childOf(item, 'name')), item, 'replaced by Kustomize')
      : [],
  )
}

/** `image: a/b:1`, `image: { name: a/b }`, and of Helm `image: { repository: a/b, tag: 1 }`. */
function writtenIn({ value }: DataEntry): string | null {
  const plain = textOf(value) ?? textOf(childOf(value, 'name'))
  if (plain !== null) return plain
  const repository = textOf(childOf(value, 'repository'))
  const registry = textOf(childOf(value, 'registry'))
  const tag = textOf(childOf(value, 'tag'))
  if (repository === null) return null
  return `${registry ? `${registry}/` : ''}${repository}${tag ? `:${tag}` : ''}`
}

/** Inside of the container. */
function portsOf(entry: DataEntry | undefined): string[] {
  return itemsOf(entry?.value).flatMap((item) => {
    const port = textOf(item) ?? textOf(childOf(item, 'containerPort')) ?? textOf(childOf(item, 'target'))
    const inside = /(?:^|:)(\d+)(?:\/(?:tcp|TCP))?$/.exec(port ?? '')?.[1]
    return inside === undefined ? [] : [inside]
  })
}

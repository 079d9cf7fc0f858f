/** A document and the files of the tree that its references lead to. */
import { posix } from 'node:path'
import type { SourceTree } from '../../contract.ts'
import type { FollowReference, Located } from '../payload/json-schema.ts'
import { childOf, type DataNode, itemsOf, readData, textOf } from './data-tree.ts'

const maximumFiles = 300
const reference = /["']?\$ref["']?[ \t]{0,9}:[ \t]{0,9}["']?([^"'\s,}]{1,400})/g

/** By path; those that cannot be read are left out. Without a tree, the document alone. */
export async function readLinked(
  path: string,
  text: string,
  tree: SourceTree | null,
): Promise<ReadonlyMap<string, DataNode>> {
  const found = new Map<string, DataNode>()
  const asked = new Set([path])
  let next: { path: string; text: string }[] = [{ path, text }]
  while (next.length > 0) {
    const wanted: string[] = []
    for (const file of next) {
      const node = readData(file.path, file.text)
      if (node) found.set(file.path, node)
      for (const target of node ? targetsOf(file) : []) {
        if (asked.has(target) || asked.size >= maximumFiles) continue
        asked.add(target)
        wanted.push(target)
      }
    }
    next = tree && wanted.length > 0 ? [...(await tree.read(wanted))] : []
  }
  return found
}

function targetsOf({ path, text }: { path: string; text: string }): string[] {
  return [...text.matchAll(reference)].flatMap(([, to = '']) => {
    const target = fileOf(to, path)
    return target === null || target === path ? [] : [target]
  })
}

/** The file of the tree; null for an address elsewhere. */
function fileOf(reference: string, from: string): string | null {
  const [file = ''] = reference.split('#', 1)
  if (file === '') return from
  if (/^[a-z][a-z0-9+.-]{0,20}:|^\//i.test(file)) return null
  const target = posix.normalize(posix.join(posix.dirname(from), file))
  return target.startsWith('..') ? null : target
}

export function followIn(documents: ReadonlyMap<string, DataNode>): FollowReference {
  return (reference, from) => {
    const path = fileOf(reference, from.path)
    const root = path === null ? undefined : documents.get(path)
    if (path === null || !root) return null
    const pointer = reference.includes('#') ? reference.slice(reference.indexOf('#') + 1) : ''
    const node = atPointer(root, pointer)
    return node && { path, node }
  }
}

/** What a node is in the end, however many references lead on from it. */
export function resolved(at: Located, follow: FollowReference): Located {
  let now = at
  for (let hops = 0; hops < 20; hops++) {
    const reference = textOf(childOf(now.node, '$ref'))
    const next = reference === null ? null : follow(reference, now)
    if (!next) return now
    now = next
  }
  return now
}

function atPointer(root: DataNode, pointer: string): DataNode | null {
  let node: DataNode | null = root
  for (const part of pointer.split('/').filter((one) => one !== '')) {
    const key = unescaped(part)
    node = node?.kind === 'list' ? (itemsOf(node)[Number(key)] ?? null) : childOf(node, key)
  }
  return node
}

function unescaped(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

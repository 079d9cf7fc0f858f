/** Operations of OpenAPI documents of versions 2, 3.0 and 3.1, with references to other files of the tree followed. */
import type { SharedPlace } from '../../../domain/shared-contract.ts'
import type { Provided, SourceFile, SourceTree } from '../../contract.ts'
import { placeAt } from '../../places.ts'
import type { Fields } from '../payload/field.ts'
import { type FollowReference, type Located, schemaFields } from '../payload/json-schema.ts'
import {
  childOf,
  type DataEntry,
  type DataNode,
  entriesOf,
  entryOf,
  isTrue,
  itemsOf,
  textOf,
} from '../reading/data-tree.ts'
import { followIn, readLinked, resolved } from '../reading/linked-documents.ts'
import type { Answer, Content, HttpParameter, Operation } from './operation.ts'
import { operationName, routeSegments } from './url-path.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

export const documentEnding = /\.(?:json|ya?ml)$/i
const openApiMark = /^[ \t]{0,9}["']?(?:openapi|swagger)["']?[ \t]{0,9}:/m

const documentName = /(?:^|[/._-])(?:open-?api|swagger|api|spec|index|root|main)[^/]{0,60}\.(?:json|ya?ml)$/i
/** Documents that are asked whether they refer to a file. */
const mostRoots = 40

/** Of these files, and of documents that refer to one of the paths. */
export async function openApiOperations(
  files: readonly SourceFile[],
  paths: readonly string[],
  tree: SourceTree,
): Promise<Provided<Operation>[]> {
  const found: Provided<Operation>[] = []
  const roots = files.filter(({ text }) => openApiMark.test(text))
  const covered = new Set<string>()
  for (const root of roots) {
    const documents = await readLinked(root.path, root.text, tree)
    for (const path of documents.keys()) covered.add(path)
    found.push(...operationsOf(root.path, documents))
  }
  const parts = paths.filter((path) => documentEnding.test(path) && !covered.has(path))
  if (parts.length === 0) return found
  const known = new Set(roots.map(({ path }) => path))
  const candidates = (await tree.paths()).filter((path) => documentName.test(path) && !known.has(path))
  for (const root of await tree.read(candidates.slice(0, mostRoots))) {
    if (!openApiMark.test(root.text)) continue
    const documents = await readLinked(root.path, root.text, tree)
    if (parts.some((path) => documents.has(path))) found.push(...operationsOf(root.path, documents))
  }
  return found
}

function operationsOf(path: string, documents: ReadonlyMap<string, DataNode>): Provided<Operation>[] {
  const node = documents.get(path)
  const version = childOf(node, 'openapi') ?? childOf(node, 'swagger')
  if (!node || textOf(version) === null) return []
  return new DocumentReader({ path, node }, followIn(documents)).operations()
}

class DocumentReader {
  readonly #root: Located
  readonly #follow: FollowReference
  readonly #isOld: boolean

  constructor(root: Located, follow: FollowReference) {
    this.#root = root
    this.#follow = follow
    this.#isOld = childOf(root.node, 'swagger') !== null
  }

  operations(): Provided<Operation>[] {
    return entriesOf(childOf(this.#root.node, 'paths')).flatMap(([template, entry]) => {
      const item = resolved({ path: this.#root.path, node: entry.value }, this.#follow)
      return methods.flatMap((method) => {
        const found = entryOf(item.node, method)
        return found ? [this.#operation(method, template, { ...item, line: entry.line }, found)] : []
      })
    })
  }

  #operation(
    method: string,
    template: string,
    item: Located & { line: number },
    entry: DataEntry,
  ): Provided<Operation> {
    const at: Located = { path: item.path, node: entry.value }
    const segments = routeSegments(template)
    const upper = method.toUpperCase()
    const parameters = this.#parameters(item, at)
    const shape: Operation = {
      method: upper,
      segments,
      ...this.#servers(),
      service: serviceWords(textOf(childOf(childOf(this.#root.node, 'info'), 'title')) ?? ''),
      source: 'document',
      pathLine: item.path === this.#root.path ? item.line : entry.line,
      id: textOf(childOf(entry.value, 'operationId')),
      parameters: parameters.flatMap((one) => this.#parameter(one)),
      request: this.#request(at, parameters),
      answers: this.#answers(at),
      security: this.#security(at),
    }
    const place = placeAt(item.path, entry.line, entry.endLine)
    return { ...place, name: operationName(upper, segments), shape }
  }

  #servers(): { bases: string[][]; hosts: string[] } {
    const { node } = this.#root
    if (this.#isOld) {
      const host = textOf(childOf(node, 'host'))
      return {
        bases: [routeSegments(textOf(childOf(node, 'basePath')) ?? '')],
        hosts: host ? [host.toLowerCase()] : [],
      }
    }
    const urls = itemsOf(childOf(node, 'servers')).map((one) => textOf(childOf(one, 'url')) ?? '')
    const read = urls.map((url) => /^(?:[a-z]{1,9}:)?(?:\/\/([^/]{0,300}))?(.{0,300})/i.exec(url))
    const bases = read.map((one) => routeSegments(one?.[2] ?? ''))
    const hosts = read.map((one) => (one?.[1] ?? '').toLowerCase())
    return {
      bases: bases.length > 0 ? bases : [[]],
      hosts: hosts.filter((one) => one !== '' && !/^localhost\b|^127\.|\{/.test(one)),
    }
  }

  /** Those of the operation stand for those of the path that have the same name and place. */
  #parameters(item: Located, at: Located): Located[] {
    const found = new Map<string, Located>()
    for (const owner of [item, at])
      for (const node of itemsOf(childOf(owner.node, 'parameters'))) {
        const one = resolved({ path: owner.path, node }, this.#follow)
        found.set(`${textOf(childOf(one.node, 'in'))} ${textOf(childOf(one.node, 'name'))}`, one)
      }
    return [...found.values()]
  }

  #parameter({ path, node }: Located): HttpParameter[] {
    const name = textOf(childOf(node, 'name'))
    const where = textOf(childOf(node, 'in'))
    if (name === null || where === null || where === 'body' || where === 'formData') return []
    const schema = childOf(node, 'schema') ?? node
    const [field] = schemaFields({ path, node: schema }, this.#follow).fields
    if (!field) return []
    const required = isTrue(childOf(node, 'required'))
    return [{ ...field, name, in: where, required, line: node.line, endLine: node.endLine }]
  }

  #request(at: Located, parameters: readonly Located[]): Operation['request'] {
    if (this.#isOld) return this.#oldRequest(parameters)
    const body = childOf(at.node, 'requestBody')
    if (!body) return null
    const { path, node } = resolved({ path: at.path, node: body }, this.#follow)
    const required = isTrue(childOf(node, 'required'))
    return {
      ...placeAt(path, body.line, body.endLine),
      ...{ required, contents: this.#contents({ path, node }) },
    }
  }

  #oldRequest(parameters: readonly Located[]): Operation['request'] {
    const body = parameters.find(({ node }) => textOf(childOf(node, 'in')) === 'body')
    const schema = body && childOf(body.node, 'schema')
    if (!body || !schema) return null
    const { path, node } = body
    const place = placeAt(path, node.line, node.endLine)
    const contents = [{ ...place, media: '*/*', fields: this.#schema(path, schema) }]
    return { ...place, required: isTrue(childOf(node, 'required')), contents }
  }

  #contents({ path, node }: Located): Content[] {
    return entriesOf(childOf(node, 'content')).map(([media, { line, endLine, value }]) => ({
      path,
      line,
      endLine,
      media: media.split(';', 1)[0]?.trim().toLowerCase() ?? '',
      fields: this.#schema(path, childOf(value, 'schema')),
    }))
  }

  #schema(path: string, node: DataNode | null): Fields {
    return node ? schemaFields({ path, node }, this.#follow) : { fields: [], isWhole: false }
  }

  #answers(at: Located): Answer[] {
    return entriesOf(childOf(at.node, 'responses')).map(([status, { line, endLine, value }]) => {
      const answer = resolved({ path: at.path, node: value }, this.#follow)
      const schema = childOf(answer.node, 'schema')
      const place = { path: answer.path, line: schema?.line ?? line, endLine: schema?.endLine ?? endLine }
      const contents = this.#isOld
        ? schema
          ? [{ ...place, media: '*/*', fields: this.#schema(answer.path, schema) }]
          : []
        : this.#contents(answer)
      return { path: at.path, line, endLine, status: status.toUpperCase(), contents }
    })
  }

  #security(at: Located): (SharedPlace & { choices: readonly string[] }) | null {
    const own = entryOf(at.node, 'security')
    const entry = own ?? entryOf(this.#root.node, 'security')
    const path = own ? at.path : this.#root.path
    if (!entry) return { path, line: at.node.line, endLine: at.node.endLine, choices: [] }
    const choices = itemsOf(entry.value).map((one) =>
      entriesOf(one)
        .map(([name, { value }]) => [name, ...itemsOf(value).map((scope) => textOf(scope) ?? '')].join(' '))
        .sort()
        .join(' and '),
    )
    return { path, line: entry.line, endLine: entry.endLine, choices }
  }
}

/** Words that say nothing of which service it is. */
const plainWords: ReadonlySet<string> = new Set(
  'api service rest http public internal v1 v2 the server backend app'.split(' '),
)

function serviceWords(title: string): string[] {
  const words = title.toLowerCase().match(/[a-z][a-z0-9]{2,}/g) ?? []
  return words.filter((word) => !plainWords.has(word)).slice(0, 4)
}

/** GraphQL: schemas in SDL, and requests in documents and in code. */

import { posix } from 'node:path'
import type { ASTNode, DefinitionNode, InputValueDefinitionNode, NameNode } from 'graphql'
import { isTestPath, isVendoredPath } from '../../../base/file-paths.ts'
import { splitLines } from '../../../code-index/resolve/lines.ts'
import type { SharedPlace } from '../../../domain/shared-contract.ts'
import { mayHaveStrings } from '../../code-strings.ts'
import type { ContractKind, Provided, SourceFile, SourceTree } from '../../contract.ts'
import { breaksOf, type GraphqlBreak, type GraphqlShape, goneOf } from './breaks.ts'
import { documentsOf, type GraphqlDocument, isGraphqlPath } from './documents.ts'
import { type GraphqlUse, judgeUse, usesOf } from './requests.ts'
import { isTypeNode, type SdlFile, schemasOf } from './schema.ts'

const codeWithSdl = /\.(?:[cm]?[jt]sx?|py|go)$/
const sdlCue = /\bg(?:raph)?ql\b|\bbuildSchema\b|\btypeDefs\b|^[ \t]{0,40}(?:extend )?type Query\b/im

export const graphqlContracts: ContractKind<GraphqlShape, GraphqlUse, GraphqlBreak> = {
  kind: 'graphql',
  mayProvide: (path) =>
    (isGraphqlPath(path) || codeWithSdl.test(path)) && !isTestPath(path) && !isVendoredPath(path),
  mayUse: (path) => isGraphqlPath(path) || mayHaveStrings(path),
  cue: /\b(?:query|mutation|subscription|fragment|gql|graphql)\b/i,
  provided,
  uses: async (file) => usesOf(file, await documentsOf(file)),
  breaks: breaksOf,
  gone: goneOf,
  judge: judgeUse,
}

/** Other files that are read to make a schema whole. */
const mostFiles = 2_000

/** Whole schemas, because a type is judged by what others refer to. Code is asked only beside code that has a part. */
async function provided(paths: readonly string[], tree: SourceTree): Promise<Provided<GraphqlShape>[]> {
  const asked = await sdlIn(paths, tree)
  const parts = [...asked.keys()].map(({ path }) => path).filter((path) => !isGraphqlPath(path))
  if (asked.size === 0 && !paths.some(isGraphqlPath)) return []
  const folders = parts.map((path) => posix.dirname(posix.dirname(path)))
  const isPart = (path: string) =>
    graphqlContracts.mayProvide(path) &&
    (isGraphqlPath(path) || folders.some((folder) => folder === '.' || path.startsWith(`${folder}/`)))
  const others = (await tree.paths()).filter((path) => isPart(path) && !paths.includes(path))
  const entries = new Map([...asked, ...(await sdlIn(others.slice(0, mostFiles), tree))])
  return [...schemasOf([...entries.keys()])].flatMap(([schema, members]) =>
    members
      .flatMap((member) => entries.get(member) ?? [])
      .map(({ sdl, ...entry }) => ({ ...entry, shape: { schema, sdl } })),
  )
}

async function sdlIn(paths: readonly string[], tree: SourceTree): Promise<Map<SdlFile, readonly Entry[]>> {
  const found = new Map<SdlFile, readonly Entry[]>()
  for (const file of await tree.read(paths)) {
    const documents = isGraphqlPath(file.path) || sdlCue.test(file.text) ? await documentsOf(file) : []
    const definitions = documents.flatMap((document) => document.definitions.filter(isSdl))
    if (definitions.length > 0) found.set({ path: file.path, definitions }, entriesOf(file, documents))
  }
  return found
}

function isSdl(node: DefinitionNode): boolean {
  return isTypeNode(node) || /^(?:Schema|Directive)/.test(node.kind)
}

type Entry = SharedPlace & { name: string; sdl: string | null }

/** Each definition with its text, followed by its members. */
function entriesOf({ path, text }: SourceFile, documents: readonly GraphqlDocument[]): Entry[] {
  const { lineOf } = splitLines(text)
  return documents.flatMap((document) => {
    const entry = (name: string, node: ASTNode, from: ASTNode, sdl: string | null = null): Entry => {
      const line = lineOf(document.start + (from.loc?.start ?? 0))
      return { path, line, endLine: lineOf(document.start + (node.loc?.end ?? 1) - 1), name, sdl }
    }
    return document.definitions.filter(isSdl).flatMap((node) => {
      const sdl = document.text.slice(node.loc?.start, node.loc?.end)
      if (!isTypeNode(node)) return [entry(node.kind, node, node, sdl)]
      const owner = node.name.value
      return [
        entry(owner, node, node.name, sdl),
        ...membersOf(node).flatMap((member) => [
          entry(`${owner}.${member.name.value}`, member, member.name),
          ...(member.arguments ?? []).map((one) =>
            entry(`${owner}.${member.name.value}(${one.name.value}:)`, one, one.name),
          ),
        ]),
      ]
    })
  })
}

type Member = ASTNode & { name: NameNode; arguments?: readonly InputValueDefinitionNode[] }

function membersOf(node: DefinitionNode): readonly Member[] {
  if ('fields' in node) return node.fields ?? []
  return 'values' in node ? (node.values ?? []) : []
}

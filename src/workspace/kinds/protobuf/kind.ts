/** Protocol Buffers and gRPC: `.proto` files, and what uses them or the code that is generated from them. */
import { isGeneratedPath, isTestPath, isVendoredPath } from '../../../base/file-paths.ts'
import { languageOf } from '../../../code-index/language-of.ts'
import type { ContractKind, Provided, SourceFile } from '../../contract.ts'
import { breaksOf, type ProtoBreak, type ProtoShape } from './breaks.ts'
import { joinName, readProto } from './read-proto.ts'
import { isProtoPath, judgeUse, type ProtoUse, usesOf } from './uses.ts'

export const protobufContracts: ContractKind<ProtoShape, ProtoUse, ProtoBreak> = {
  kind: 'protobuf',
  mayProvide: (path) => isProtoPath(path) && !isTestPath(path) && !isVendoredPath(path),
  mayUse: (path) => isProtoPath(path) || (languageOf(path) !== null && !isGeneratedPath(path)),
  cue: /pb|proto|grpc|_connect|[./:]v\d/i,
  provided: async (paths, tree) => (await tree.read(paths)).flatMap(providedBy),
  uses: async (file) => usesOf(file),
  breaks: breaksOf,
  judge: judgeUse,
}

function providedBy({ path, text }: SourceFile): Provided<ProtoShape>[] {
  const { packageName, entries, options } = readProto(text)
  const home = { path, packageName, options: Object.fromEntries(options) }
  return entries.map(({ name, scope, line, endLine, detail }) => ({
    path,
    line,
    endLine,
    name: joinName(scope, name),
    shape: { scope, word: name, detail, home },
  }))
}

/** HTTP interfaces: operations of OpenAPI documents and routes in code, against calls of HTTP clients. */
import { isTestPath, isUnwrittenPath, isVendoredPath } from '../../../base/file-paths.ts'
import type { ContractKind, Provided, SourceTree } from '../../contract.ts'
import { type HttpBreak, httpBreaks } from './breaks.ts'
import { judgeHttp } from './judge.ts'
import { documentEnding, openApiOperations } from './openapi.ts'
import type { HttpUse, Operation } from './operation.ts'
import { codeOperations } from './routes/code-routes.ts'
import { httpUses } from './uses.ts'

const codeEnding = /\.(?:[cm]?[jt]sx?|py|go|java|kt|rb)$/

export const httpContracts: ContractKind<Operation, HttpUse, HttpBreak> = {
  kind: 'http',
  mayProvide: (path) =>
    (documentEnding.test(path) || codeEnding.test(path)) && !isUnwrittenPath(path) && !isTestPath(path),
  mayUse: (path) => codeEnding.test(path) && !isVendoredPath(path) && !isTestPath(path),
  cue: /fetch|axios|\bky\b|\bgot\b|requests|httpx|aiohttp|net\/http|[rR]est[TC]|WebClient|okhttp|retrofit|Feign|Faraday|HTTP|[hH]ttp|[aA]pi\b|[cC]lient|openapi|swagger/,
  provided,
  uses: async (file) => httpUses(file),
  breaks: httpBreaks,
  judge: (broken, use) => judgeHttp(broken.shape, use.shape),
}

async function provided(paths: readonly string[], tree: SourceTree): Promise<Provided<Operation>[]> {
  const files = await tree.read(paths.filter((path) => documentEnding.test(path)))
  const documents = await openApiOperations(files, paths, tree)
  return [
    ...documents,
    ...(await codeOperations(
      paths.filter((path) => codeEnding.test(path)),
      tree,
    )),
  ]
}

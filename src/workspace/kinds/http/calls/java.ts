/** Calls of RestTemplate, WebClient, RestClient, OkHttp and `java.net.http`, and the interfaces of Feign and Retrofit. */
import type { FileFacts, Reference } from '../../../../code-index/contract.ts'
import { named, positional } from '../../reading/code-text.ts'
import { literalText } from '../../reading/string-value.ts'
import { unknownSent } from '../operation.ts'
import { type ClientCall, type FileClients, httpMethod, type ReadCall } from './client-call.ts'

const templateCalls: Readonly<Record<string, string>> = {
  getForObject: 'GET',
  getForEntity: 'GET',
  postForObject: 'POST',
  postForEntity: 'POST',
  postForLocation: 'POST',
  patchForObject: 'PATCH',
  headForHeaders: 'HEAD',
}

export const readJavaCall: ReadCall = (reference, file) => {
  if (reference.role === 'decorator') return declaredCall(reference, file)
  if (reference.role !== 'call') return null
  const { name } = reference
  const receiver = reference.receiver ?? ''
  const template = templateCalls[name]
  const all = file.code.argumentsOf(reference)
  const first = all && positional(all, 0)?.text
  if (!all || !first) return null
  const call = (
    method: string,
    url: string,
    client: ClientCall['client'],
    yields: ClientCall['yields'],
  ): ClientCall => ({
    method,
    url,
    query: unknownSent,
    body: method === 'GET' || method === 'DELETE' ? { values: {}, isOpen: true } : unknownSent,
    headers: unknownSent,
    client,
    yields,
    by: receiver === '' || receiver.length > 40 ? name : `${receiver}.${name}`,
  })
  if (template) return call(template, first, clientOf(file), name.endsWith('Entity') ? 'response' : 'data')
  if (/rest|template/i.test(receiver) && (name === 'put' || name === 'delete'))
    return call(name.toUpperCase(), first, clientOf(file), 'data')
  if (/rest|template/i.test(receiver) && name === 'exchange')
    return call(methodName(positional(all, 1)?.text ?? ''), first, clientOf(file), 'response')
  if (name === 'uri') return fluentCall(receiver, first, reference, file, call)
  if (name === 'url' && /Request\.Builder\(\)/.test(receiver))
    return call(okHttpMethod(reference, file), first, null, 'response')
  if (name === 'newBuilder' && receiver === 'HttpRequest')
    return call(okHttpMethod(reference, file), first, null, 'response')
  return null
}

type MakeCall = (
  method: string,
  url: string,
  client: ClientCall['client'],
  yields: ClientCall['yields'],
) => ClientCall

/** `client.get().uri("/users/{id}", id)` and `HttpRequest.newBuilder().uri(URI.create(url))`. */
function fluentCall(
  receiver: string,
  url: string,
  reference: Reference,
  file: FileClients,
  call: MakeCall,
): ClientCall | null {
  if (/HttpRequest/.test(receiver)) return call(okHttpMethod(reference, file), url, null, 'response')
  const chain = receiver.endsWith(')') ? receiver : ''
  const verb = /\.(get|post|put|patch|delete|head|options)\(\)$/.exec(chain)?.[1]
  const method = verb?.toUpperCase() ?? /\.method\(HttpMethod\.([A-Z]{3,7})\)$/.exec(chain)?.[1]
  return method ? call(method, url, clientOf(file), 'data') : null
}

/** The base that the file gives to its clients, or one that it does not show. */
function clientOf(file: FileClients): ClientCall['client'] {
  return file.byName.get('*') ?? { base: null, hasHeaders: true }
}

/** From the calls that follow on the builder, up to the end of the statement. */
function okHttpMethod(reference: Reference, file: FileClients): string {
  const end = file.code.endOf(reference)
  const [rest = ''] = file.code.text.slice(end, end + 600).split(';', 1)
  const found =
    /\.(?:method\([ ]{0,2}"([A-Z]{3,7})"|(get|post|put|patch|delete|head|GET|POST|PUT|DELETE|HEAD)\()/.exec(
      rest,
    )
  return (found?.[1] ?? found?.[2] ?? 'GET').toUpperCase()
}

function methodName(written: string): string {
  return httpMethod(written.replace(/^HttpMethod\./, '')) ?? '*'
}

const mapping: Readonly<Record<string, string>> = {
  GetMapping: 'GET',
  PostMapping: 'POST',
  PutMapping: 'PUT',
  PatchMapping: 'PATCH',
  DeleteMapping: 'DELETE',
}

/** Of a method of an interface: `@GET("users/{id}")` of Retrofit, `@GetMapping` under `@FeignClient`. */
function declaredCall(reference: Reference, file: FileClients): ClientCall | null {
  const facts = file.code.file.facts
  const all = file.code.argumentsOf(reference) ?? []
  const path = (positional(all, 0) ?? named(all, 'value') ?? named(all, 'path'))?.text
  if (!facts || path === undefined) return null
  const isRetrofit =
    /^(?:GET|POST|PUT|PATCH|DELETE|HEAD)$/.test(reference.name) &&
    facts.imports.some(({ source }) => source.startsWith('retrofit2'))
  const feign = feignOf(reference, facts, file)
  const method = isRetrofit ? reference.name : mapping[reference.name]
  if (!method || !(isRetrofit || feign !== null)) return null
  const written = literalText(path, file.constants)
  if (written === null) return null
  const base = feign ?? ''
  return {
    method,
    url: JSON.stringify(`${base}/${written}`.replaceAll('//', '/').replace(/^(https?:)\/(?!\/)/, '$1//')),
    query: unknownSent,
    body: unknownSent,
    headers: unknownSent,
    client: { base: null, hasHeaders: true },
    yields: 'data',
    by: `@${reference.name}`,
  }
}

/** What `@FeignClient` puts before the paths of the interface; null where there is none. */
export function feignOf(
  reference: Reference,
  facts: FileFacts,
  { code }: Pick<FileClients, 'code'>,
): string | null {
  const owner = facts.parents[reference.enclosing ?? -1] ?? reference.enclosing
  const mark = facts.references.find(
    ({ name, role, enclosing }) =>
      name === 'FeignClient' && role === 'decorator' && (enclosing === owner || enclosing === null),
  )
  if (!mark) return null
  const all = code.argumentsOf(mark) ?? []
  const part = (name: string): string => literalText(named(all, name)?.text ?? '') ?? ''
  const url = part('url')
  return `${/^https?:/.test(url) ? url : ''}${part('path')}`
}

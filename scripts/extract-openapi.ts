/**
 * Cuts the operations that the fake hosts answer, and the schemas they reach, out of a host's published OpenAPI
 * description, for test/fixtures/openapi:
 *
 *     node scripts/extract-openapi.ts github api.github.com.json > test/fixtures/openapi/github.json
 *     node scripts/extract-openapi.ts forgejo swagger.v1.json > test/fixtures/openapi/forgejo.json
 *     node scripts/extract-openapi.ts azure git.json security.json identities.json > test/fixtures/openapi/azure.json
 *     node scripts/extract-openapi.ts boards workItemTracking.json > test/fixtures/openapi/boards.json
 *
 * The first file is `generated/api.github.com.json` of the npm package @octokit/openapi, the second what a Gitea server
 * serves at /swagger.v1.json, the others are of version 7.1 in github.com/MicrosoftDocs/vsts-rest-api-specs. All are
 * published under the MIT licence. Prose and examples stay out; `nullable` becomes
 * a type, so that any JSON schema validator understands the result.
 */
import { readFileSync } from 'node:fs'

type Json = { [key: string]: unknown }

/** Method and path as the description writes them. */
const operations: Readonly<Record<string, readonly string[]>> = {
  github: [
    'GET /app',
    'GET /user',
    'POST /app/installations/{installation_id}/access_tokens',
    'GET /app/installations',
    'GET /app/hook/deliveries',
    'POST /app/hook/deliveries/{delivery_id}/attempts',
    'POST /app-manifests/{code}/conversions',
    'GET /installation/repositories',
    'GET /repos/{owner}/{repo}',
    'GET /repos/{owner}/{repo}/installation',
    'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
    'GET /repos/{owner}/{repo}/issues',
    'GET /repos/{owner}/{repo}/issues/{issue_number}',
    'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
    'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
    'POST /repos/{owner}/{repo}/issues/{issue_number}/reactions',
    'DELETE /repos/{owner}/{repo}/issues/{issue_number}/reactions/{reaction_id}',
    'GET /repos/{owner}/{repo}/issues/comments/{comment_id}',
    'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
    'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
    'POST /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions',
    'GET /repos/{owner}/{repo}/pulls',
    'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits',
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/files',
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
    'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments',
    'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies',
    'GET /repos/{owner}/{repo}/pulls/comments/{comment_id}',
    'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls',
    'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
    'POST /repos/{owner}/{repo}/check-runs',
    'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}',
    'GET /repos/{owner}/{repo}/commits/{ref}/statuses',
    'POST /repos/{owner}/{repo}/statuses/{sha}',
    'GET /repos/{owner}/{repo}/compare/{basehead}',
  ],
  forgejo: [
    'GET /user',
    'GET /repos/{owner}/{repo}',
    'GET /repos/{owner}/{repo}/collaborators/{collaborator}/permission',
    'GET /repos/{owner}/{repo}/issues',
    'GET /repos/{owner}/{repo}/issues/{index}',
    'GET /repos/{owner}/{repo}/issues/{index}/comments',
    'POST /repos/{owner}/{repo}/issues/{index}/comments',
    'GET /repos/{owner}/{repo}/pulls',
    'GET /repos/{owner}/{repo}/pulls/{index}',
    'GET /repos/{owner}/{repo}/pulls/{index}/files',
    'GET /repos/{owner}/{repo}/pulls/{index}/reviews',
    'POST /repos/{owner}/{repo}/pulls/{index}/reviews',
    'GET /repos/{owner}/{repo}/pulls/{index}/reviews/{id}/comments',
    'PATCH /repos/{owner}/{repo}/issues/comments/{id}',
    'POST /repos/{owner}/{repo}/issues/comments/{id}/reactions',
    'POST /repos/{owner}/{repo}/issues/{index}/reactions',
    'DELETE /repos/{owner}/{repo}/issues/{index}/reactions',
    'GET /repos/{owner}/{repo}/statuses/{sha}',
    'POST /repos/{owner}/{repo}/statuses/{sha}',
  ],
  azure: [
    ...[
      'GET ',
      'GET /pullrequests',
      'GET /pullrequests/{pullRequestId}',
      'GET /pullRequests/{pullRequestId}/iterations',
      'GET /pullRequests/{pullRequestId}/iterations/{iterationId}/changes',
      'GET /pullRequests/{pullRequestId}/labels',
      'GET /pullRequests/{pullRequestId}/workitems',
      'GET /pullRequests/{pullRequestId}/statuses',
      'POST /pullRequests/{pullRequestId}/statuses',
      'DELETE /pullRequests/{pullRequestId}/statuses/{statusId}',
      'GET /pullRequests/{pullRequestId}/threads',
      'POST /pullRequests/{pullRequestId}/threads',
      'PATCH /pullRequests/{pullRequestId}/threads/{threadId}',
      'GET /pullRequests/{pullRequestId}/threads/{threadId}/comments',
      'POST /pullRequests/{pullRequestId}/threads/{threadId}/comments',
      'GET /pullRequests/{pullRequestId}/threads/{threadId}/comments/{commentId}',
      'PATCH /pullRequests/{pullRequestId}/threads/{threadId}/comments/{commentId}',
      'DELETE /pullRequests/{pullRequestId}/threads/{threadId}/comments/{commentId}',
      'POST /pullRequests/{pullRequestId}/threads/{threadId}/comments/{commentId}/likes',
    ].map((name) => name.replace(' ', ' /{organization}/{project}/_apis/git/repositories/{repositoryId}')),
    'GET /{organization}/{project}/_apis/git/repositories/{repositoryNameOrId}/commits/{commitId}/mergebases',
    'GET /{organization}/_apis/accesscontrollists/{securityNamespaceId}',
    'GET /{organization}/_apis/permissions/{securityNamespaceId}/{permissions}',
    'GET /{organization}/_apis/identities',
  ],
  boards: [
    'GET /{organization}/{project}/_apis/wit/workitems/{id}',
    'POST /{organization}/{project}/_apis/wit/workitemsbatch',
    'POST /{organization}/{project}/{team}/_apis/wit/wiql',
  ],
}

/** One definition a line, so that an update can be read as a diff. */
export function extract(host: string, description: Json): string {
  const wanted = operations[host]
  if (!wanted) throw new Error(`Unknown host ${host}; known: ${Object.keys(operations).join(', ')}`)
  const definitions: Json = {}
  const shared = new Set<string>()
  const resolve = (pointer: string) => {
    if (shared.has(pointer)) return
    shared.add(pointer)
    definitions[nameOf(pointer)] = schemaOf(valueAt(description, pointer), resolve)
  }
  const found = wanted.map((name) => {
    const [method = '', path = ''] = name.split(' ')
    const item = objectOf(objectOf(description.paths)[path])
    const operation = item[method.toLowerCase()]
    if (operation === undefined) throw new Error(`The description has no ${name}`)
    const parameters = [...listOf(item.parameters), ...listOf(objectOf(operation).parameters)]
    return { name, ...operationOf(objectOf(operation), parameters, description, resolve) }
  })
  const source = { title: objectOf(description.info).title, version: objectOf(description.info).version }
  const lines = (values: [string, unknown][]) =>
    values.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',\n')
  return [
    `{"source":${JSON.stringify(source)},"license":"MIT","operations":{`,
    lines(found.map(({ name, ...rest }) => [name, rest])),
    '},"definitions":{',
    lines(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1))),
    '}}\n',
  ].join('\n')
}

/** `body` and `query` as schemas (null when there is none), and a schema or null for each status of an answer. */
function operationOf(
  operation: Json,
  parameters: unknown[],
  description: Json,
  resolve: (pointer: string) => void,
) {
  const all = parameters.map((parameter) => objectOf(dereference(objectOf(parameter), description)))
  const query = Object.fromEntries(
    all
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => [
        String(parameter.name),
        schemaOf(
          parameter.schema ?? pick(parameter, ['type', 'enum', 'minimum', 'maximum', 'items']),
          resolve,
        ),
      ]),
  )
  const inBody = all.find((parameter) => parameter.in === 'body')?.schema
  const body = inBody ?? jsonIn(objectOf(dereference(objectOf(operation.requestBody), description)))
  const answers = Object.entries(objectOf(operation.responses)).map(([status, answer]) => {
    const whole = objectOf(dereference(objectOf(answer), description))
    const schema = whole.schema ?? jsonIn(whole)
    return [status, schema === undefined ? null : schemaOf(schema, resolve)]
  })
  return {
    query,
    body: body === undefined ? null : schemaOf(body, resolve),
    answers: Object.fromEntries(answers),
  }
}

function jsonIn(carrier: Json): unknown {
  const content = objectOf(carrier.content)
  const type = Object.keys(content).find((name) => /[/+]json\b/.test(name))
  return type === undefined ? undefined : objectOf(content[type]).schema
}

const kept = new Set(
  'type enum properties required items additionalProperties anyOf oneOf allOf not minimum maximum minLength maxLength minItems maxItems pattern format'.split(
    ' ',
  ),
)

function schemaOf(schema: unknown, resolve: (pointer: string) => void): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map((one) => schemaOf(one, resolve))
  const { $ref, nullable, ...rest } = schema as Json
  if (typeof $ref === 'string') {
    resolve($ref)
    return allowNull({ $ref: `#/definitions/${nameOf($ref)}` }, nullable)
  }
  const result: Json = {}
  for (const [key, value] of Object.entries(rest)) {
    if (!kept.has(key)) continue
    // The alternatives of a published description overlap, so exactly one cannot be asked for.
    const name = key === 'oneOf' ? 'anyOf' : key
    if (key === 'properties')
      result.properties = Object.fromEntries(
        Object.entries(objectOf(value)).map(([property, inner]) => [property, schemaOf(inner, resolve)]),
      )
    else result[name] = key === 'enum' || key === 'required' ? value : schemaOf(value, resolve)
  }
  return allowNull(result, nullable ?? rest['x-nullable'])
}

function allowNull(schema: Json, nullable: unknown): Json {
  if (nullable !== true) return schema
  if (schema.type === undefined || Array.isArray(schema.type)) return { anyOf: [schema, { type: 'null' }] }
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}),
  }
}

function dereference(value: Json, description: Json): unknown {
  return typeof value.$ref === 'string' ? valueAt(description, value.$ref) : value
}

function valueAt(description: Json, pointer: string): unknown {
  let found: unknown = description
  for (const step of pointer.replace(/^#\//, '').split('/'))
    found = objectOf(found)[step.replaceAll('~1', '/').replaceAll('~0', '~')]
  if (found === undefined) throw new Error(`The description has no ${pointer}`)
  return found
}

function nameOf(pointer: string): string {
  return pointer.split('/').at(-1) ?? pointer
}

function pick(value: Json, keys: readonly string[]): Json {
  return Object.fromEntries(keys.filter((key) => value[key] !== undefined).map((key) => [key, value[key]]))
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

if (import.meta.main) {
  const [host = '', ...files] = process.argv.slice(2)
  const parts = files.map((file) => objectOf(JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))))
  const whole = (name: string) => Object.assign({}, ...parts.toReversed().map((part) => part[name])) as Json
  const description = { ...parts[0], paths: whole('paths'), definitions: whole('definitions') }
  process.stdout.write(extract(host, description))
}

/** The OpenAPI document of version 1, made from the contract. */
import { z } from 'zod'
import { packageVersion } from '../../base/package-root.ts'
import { ApiError, apiBase } from './contract/common.ts'
import { type Resource, resources } from './contract/resources.ts'

type Json = Record<string, unknown>

export function openapiDocument(): Json {
  const paths: Record<string, Json> = {}
  for (const [name, resource] of Object.entries<Resource>(resources)) {
    const path = `${apiBase}${resource.path}`
    paths[path] = { ...paths[path], [resource.method.toLowerCase()]: operationOf(name, resource) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sightline',
      version: packageVersion,
      description:
        'Version 1 of the API. Additions keep the version; a change that breaks clients gets a new one.',
    },
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'sightline' },
        token: { type: 'http', scheme: 'bearer' },
      },
      schemas: { ApiError: schemaOf(ApiError, 'output') },
    },
  }
}

function operationOf(name: string, resource: Resource): Json {
  const { path, summary, scope, query, body, answer, isStream } = resource
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const content = {
    [isStream ? 'text/event-stream' : 'application/json']: { schema: schemaOf(answer, 'output') },
  }
  return {
    operationId: name,
    summary,
    security: securityOf(scope),
    parameters: [...inPath, ...(query ? queryParameters(query) : [])],
    ...(body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(body, 'input') } },
          },
        }
      : {}),
    responses: {
      200: { description: isStream ? 'Server-sent events of this shape' : summary, content },
      default: {
        description: 'What was wrong',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } },
      },
    },
  }
}

/** The operator has a token and no session; a `signed` resource reads its proof from the body. */
function securityOf(scope: Resource['scope']): Json[] {
  if (scope === 'public' || scope === 'signed') return []
  return [...(scope === 'operator' ? [] : [{ session: [] }]), { token: [scope] }]
}

function queryParameters(query: z.ZodObject): Json[] {
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return json
}

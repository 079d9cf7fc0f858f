/** Words for the schemas of an API that is described by hand. */
export type Schema = { [key: string]: unknown }

export const text: Schema = { type: 'string' }
export const whole: Schema = { type: 'integer' }
export const yes: Schema = { type: 'boolean' }

export const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })
export const list = (items: Schema): Schema => ({ type: 'array', items })
export const ref = (name: string): Schema => ({ $ref: `#/definitions/${name}` })
/** Optional properties end in a question mark. */
export const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name.replace(/\?$/, ''), value]),
  ),
  required: Object.keys(properties).filter((name) => !name.endsWith('?')),
})

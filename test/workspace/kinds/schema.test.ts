/** Schemas across repositories: what Avro and JSON Schema no longer resolve, in references, copies and code. */
import { expect, test } from 'vitest'
import { schemaContracts } from '../../../src/workspace/kinds/schema/kind.ts'
import { type Files, judgedChange, summary } from '../helpers.ts'

const avro = `{
  "type": "record",
  "namespace": "com.acme.orders",
  "name": "OrderPlaced",
  "fields": [
    { "name": "id", "type": "string" },
    { "name": "total", "type": "int" },
    { "name": "note", "type": ["null", "string"], "default": null },
    { "name": "state", "type": { "type": "enum", "name": "State", "symbols": ["OPEN", "PAID"] } },
    { "name": "lines", "type": { "type": "array", "items": { "type": "record", "name": "Line", "fields": [
      { "name": "sku", "type": "string" },
      { "name": "count", "type": "int", "default": 1 }
    ] } } }
  ]
}
`

const user: Files = {
  'copies/order.avsc': avro,
  'src/Handler.java': `package com.acme.billing;

import com.acme.orders.OrderPlaced;
import org.apache.avro.generic.GenericRecord;

class Handler {
  void handle(OrderPlaced event) {
    bill(event.getId(), event.getTotal());
  }
}
`,
  'src/read.py': `schema = registry.get("com.acme.orders.OrderPlaced")

def read(record):
    return record["total"]
`,
}

const copy = 'copies/order.avsc'
const total = 'src/Handler.java:8 likely, src/read.py:4 possible'

test.each<[string, [string, string][], string[]]>([
  [
    'a field goes',
    [['    { "name": "total", "type": "int" },\n', '']],
    [`com.acme.orders.OrderPlaced.total removed, ${copy}:1 likely, ${total}`],
  ],
  [
    'a field is renamed, with an alias',
    [['"name": "total", "type": "int"', '"name": "totals", "type": "int", "aliases": ["total"]']],
    [`com.acme.orders.OrderPlaced.total renamed, ${copy}:1 likely, ${total}`],
  ],
  [
    'a field is added without a default',
    [['{ "name": "total"', '{ "name": "currency", "type": "string" }, { "name": "total"']],
    [`com.acme.orders.OrderPlaced.currency required, ${copy}:1 likely`],
  ],
  [
    'a type is wider: old readers',
    [['"name": "total", "type": "int"', '"name": "total", "type": "long"']],
    [`com.acme.orders.OrderPlaced.total changed, ${copy}:1 likely, ${total}`],
  ],
  [
    'a type is another one',
    [['"name": "total", "type": "int"', '"name": "total", "type": "string"']],
    [`com.acme.orders.OrderPlaced.total changed, ${copy}:1 likely, ${total}`],
  ],
  [
    'a field can be null',
    [['"name": "total", "type": "int"', '"name": "total", "type": ["null", "int"]']],
    [`com.acme.orders.OrderPlaced.total changed, ${copy}:1 likely, ${total}`],
  ],
  ['a symbol goes', [[', "PAID"', '']], [`com.acme.orders.State narrowed, ${copy}:9 likely`]],
  [
    'a symbol is added',
    [['"PAID"]', '"PAID", "SENT"]']],
    [`com.acme.orders.State changed, ${copy}:9 likely`],
  ],
  [
    'a field of an inner record',
    [['{ "name": "sku", "type": "string" },', '']],
    [`com.acme.orders.Line.sku removed, ${copy}:10 likely`],
  ],
  [
    'the record is renamed',
    [['"name": "OrderPlaced"', '"name": "OrderCreated"']],
    ['com.acme.orders.OrderPlaced renamed, src/Handler.java:3 likely, src/read.py:1 likely'],
  ],
])('Avro, breaking: %s', async (_, edits, expected) => {
  expect(summary(await changeOf({ 'order.avsc': avro }, edits, user))).toEqual(expected)
})

test.each<[string, [string, string][]]>([
  [
    'a field with a default is added',
    [['{ "name": "total"', '{ "name": "currency", "type": "string", "default": "EUR" }, { "name": "total"']],
  ],
  ['a field with a default goes', [[',\n      { "name": "count", "type": "int", "default": 1 }', '']]],
  [
    'fields are in another order',
    [
      [
        '    { "name": "id", "type": "string" },\n    { "name": "total", "type": "int" },\n',
        '    { "name": "total", "type": "int" },\n    { "name": "id", "type": "string" },\n',
      ],
    ],
  ],
  ['words', [['"name": "id", "type": "string"', '"name": "id", "type": "string", "doc": "of the order"']]],
  [
    'a default is added',
    [['"name": "id", "type": "string"', '"name": "id", "type": "string", "default": ""']],
  ],
  [
    'a type is written as an object',
    [['"name": "id", "type": "string"', '"name": "id", "type": { "type": "string" }']],
  ],
  [
    'the namespace stands in the name',
    [
      [
        '  "namespace": "com.acme.orders",\n  "name": "OrderPlaced"',
        '  "name": "com.acme.orders.OrderPlaced"',
      ],
    ],
  ],
])('Avro, compatible: %s', async (_, edits) => {
  expect(await changeOf({ 'order.avsc': avro }, edits, user)).toEqual([])
})

test('a copy that is as new as the schema is not broken', async () => {
  const edit: [string, string] = ['"name": "total", "type": "int"', '"name": "total", "type": "string"']
  const [found] = await changeOf({ 'order.avsc': avro }, [edit], { [copy]: avro.replace(...edit) })
  expect(found?.uses).toEqual([])
})

const json = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "https://acme.com/schemas/user.json",
  "type": "object",
  "required": ["id", "email"],
  "properties": {
    "id": { "type": "string" },
    "email": { "type": "string" },
    "role": { "enum": ["admin", "user"] },
    "address": { "$ref": "#/$defs/address" }
  },
  "$defs": { "address": { "type": "object", "properties": { "city": { "type": "string" } } } }
}
`

const referring: Files = {
  'schemas/order.json': `{
  "$id": "https://acme.com/schemas/order.json",
  "properties": {
    "user": { "$ref": "https://acme.com/schemas/user.json" },
    "mail": { "$ref": "https://acme.com/schemas/user.json#/properties/email" },
    "home": { "$ref": "https://acme.com/schemas/user.json#/$defs/address" }
  }
}
`,
  'copies/user.json': json,
  'src/check.ts': `const check = ajv.getSchema('https://acme.com/schemas/user.json')
export const mail = (user) => check(user) && user.email
`,
}

const id = 'https://acme.com/schemas/user.json'

test.each<[string, [string, string][], string[]]>([
  [
    'a property goes',
    [['    "email": { "type": "string" },\n', '']],
    [`${id}#email removed, schemas/order.json:5 likely, copies/user.json:3 likely, src/check.ts:2 possible`],
  ],
  [
    'a property is required',
    [['["id", "email"]', '["id", "email", "role"]']],
    [`${id}#role required, copies/user.json:3 likely`],
  ],
  [
    'a property is added and required',
    [
      ['["id", "email"]', '["id", "email", "name"]'],
      ['"id": {', '"name": { "type": "string" },\n    "id": {'],
    ],
    [`${id}#name required, copies/user.json:3 likely`],
  ],
  ['a value goes', [[', "user"]', ']']], [`${id}#role narrowed, copies/user.json:3 likely`]],
  [
    'a type',
    [['"email": { "type": "string" }', '"email": { "type": "object" }']],
    [`${id}#email changed, copies/user.json:3 likely, src/check.ts:2 possible`],
  ],
  [
    'a property can be missing',
    [['["id", "email"]', '["id"]']],
    [`${id}#email changed, copies/user.json:3 likely, src/check.ts:2 possible`],
  ],
  [
    'the address',
    [['schemas/user.json', 'schemas/v2/user.json']],
    [
      `${id} renamed, schemas/order.json:4 likely, schemas/order.json:5 likely, schemas/order.json:6 likely, src/check.ts:1 likely`,
    ],
  ],
  [
    'a definition has another name',
    [
      ['"#/$defs/address"', '"#/$defs/place"'],
      ['{ "address": {', '{ "place": {'],
    ],
    [`${id}#/$defs/address renamed, schemas/order.json:6 likely`],
  ],
])('JSON Schema, breaking: %s', async (_, edits, expected) => {
  expect(summary(await changeOf({ 'user.json': json }, edits, referring))).toEqual(expected)
})

test.each<[string, [string, string][]]>([
  ['a property is added', [['"id": {', '"name": { "type": "string" },\n    "id": {']]],
  ['a value is added', [['["admin",', '["owner", "admin",']]],
  [
    'a definition is written in its place',
    [
      [
        '{ "$ref": "#/$defs/address" }',
        '{ "type": "object", "properties": { "city": { "type": "string" } } }',
      ],
    ],
  ],
  ['words', [['"type": "object",', '"title": "User",\n  "type": "object",']]],
  ['an empty fragment', [['user.json"', 'user.json#"']]],
])('JSON Schema, compatible: %s', async (_, edits) => {
  expect(await changeOf({ 'user.json': json }, edits, referring)).toEqual([])
})

const settings: Files = {
  'eu.json': `{
  "$schema": "https://acme.com/schemas/user.json",
  "id": "1",
  "email": "a@b.c",
  "role": "user"
}
`,
  'us.yaml': `# yaml-language-server: $schema=https://acme.com/schemas/user.json
id: '2'
email: d@e.f
`,
  'other.json': '{ "$schema": "https://acme.com/schemas/other.json", "role": "user" }\n',
}

const closed = json.replace('"type": "object",\n', '"type": "object",\n  "additionalProperties": false,\n')

test.each<[string, [string, string][], string[]]>([
  ['a value goes', [[', "user"]', ']']], [`${id}#role narrowed, eu.json:5 likely`]],
  [
    'a property is required',
    [['["id", "email"]', '["id", "email", "role"]']],
    [`${id}#role required, us.yaml:1 likely`],
  ],
  [
    'a property goes and no other is allowed',
    [['    "role": { "enum": ["admin", "user"] },\n', '']],
    [`${id}#role removed, eu.json:5 likely`],
  ],
  [
    'a type',
    [['"id": { "type": "string" }', '"id": { "type": "integer" }']],
    [`${id}#id changed, eu.json:3 likely, us.yaml:2 likely`],
  ],
  [
    'a type is wider',
    [['"id": { "type": "string" }', '"id": { "type": ["string", "integer"] }']],
    [`${id}#id changed`],
  ],
])('documents of a schema: %s', async (_, edits, expected) => {
  expect(summary(await changeOf({ 'user.json': closed }, edits, settings))).toEqual(expected)
})

test.each([
  ['a.avsc', '{"type": "record", "fields": 3}'],
  ['a.avsc', '['.repeat(5_000)],
  ['a.json', '{"$id": 7}'],
  ['a.json', '{"$id": "https://a.com/a.json", "$ref": "#"}'],
])('what is no schema is left alone: %s', async (path, text) => {
  expect(await changeOf({ [path]: text }, [], {})).toEqual([])
})

async function changeOf(base: Files, edits: readonly [string, string][], users: Files) {
  const [path = '', text = ''] = Object.entries(base)[0] ?? []
  let changed = text
  for (const [from, to] of edits) {
    expect(changed).toContain(from)
    changed = changed.replace(from, to)
  }
  return judgedChange(schemaContracts, base, { [path]: `${changed}\n` }, users)
}

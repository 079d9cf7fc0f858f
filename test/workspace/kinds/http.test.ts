/** HTTP across repositories: what an OpenAPI document no longer promises, and the calls that rely on it. */
import { expect, test } from 'vitest'
import type { SourceFile } from '../../../src/workspace/contract.ts'
import { httpContracts } from '../../../src/workspace/kinds/http/kind.ts'
import type { HttpUse } from '../../../src/workspace/kinds/http/operation.ts'
import { type Files, judgedChange, summary, treeOf } from '../helpers.ts'

const openApi = `openapi: 3.0.3
info: { title: Users API, version: '1' }
servers:
  - url: https://users.acme.com/v1
paths:
  /users:
    get:
      operationId: listUsers
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: sort, in: query, schema: { type: string, enum: [name, age] } }
      responses:
        '200':
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/User' } }
    post:
      operationId: createUser
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/NewUser' }
      responses:
        '201':
          content: { application/json: { schema: { $ref: '#/components/schemas/User' } } }
  /users/{id}:
    get:
      operationId: getUser
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
      responses:
        '200':
          content:
            application/json:
              schema: { $ref: '#/components/schemas/User' }
        '404': { description: unknown }
components:
  schemas:
    NewUser:
      type: object
      required: [name]
      properties:
        name: { type: string }
        role: { type: string, enum: [admin, user, guest] }
        email: { type: string, nullable: true }
        address:
          type: object
          properties:
            city: { type: string }
    User:
      type: object
      required: [id, email]
      properties:
        id: { type: string }
        email: { type: string }
        age: { type: integer }
        address:
          type: object
          required: [city]
          properties:
            city: { type: string }
`

const clients: Files = {
  'web/users.ts': `const base = process.env.USERS_API_URL
export async function one(id: string) {
  const response = await fetch(\`\${base}/users/\${id}\`)
  const { email, address: { city } } = await response.json()
  return email + city
}
export async function all() {
  const users = await (await fetch(base + '/users?sort=age')).json()
  return users.map((user) => user.id)
}
export async function add() {
  const response = await fetch(\`\${base}/users\`, {
    method: 'POST',
    body: JSON.stringify({ name: 'x', role: 'guest' }),
  })
  if (response.status !== 201) throw new Error()
}
`,
  'jobs/users.py': `import requests

def mail(id):
    return requests.get(f"https://users.acme.com/v1/users/{id}").json()["email"]

def other(id):
    return requests.get(f"https://people.acme.com/v1/users/{id}").json()["email"]
`,
  'web/other.ts': `export const rows = (id: string) => fetch(\`/orders/\${id}/users\`).then((r) => r.json())
export const name = (id: string) => fetch(\`/users/\${id}/name\`)
`,
}

function changed(...edits: readonly (readonly [string, string])[]): Files {
  let text = openApi
  for (const [from, to] of edits) {
    expect(text).toContain(from)
    text = text.replace(from, to)
  }
  return { 'openapi.yaml': text }
}

const change = (...edits: readonly (readonly [string, string])[]) =>
  judgedChange(httpContracts, { 'openapi.yaml': openApi }, changed(...edits), clients)

const one = 'web/users.ts:3 likely'
const all = 'web/users.ts:8 likely'
const add = 'web/users.ts:12 likely'
const mail = 'jobs/users.py:4 likely'

test.each<[string, [string, string][], string[]]>([
  ['a path is renamed', [['  /users/{id}:', '  /people/{id}:']], [`GET /users/{} renamed, ${one}, ${mail}`]],
  [
    'an operation goes',
    [[openApi.slice(openApi.indexOf('    post:'), openApi.indexOf('  /users/{id}:')), '']],
    [`POST /users removed, ${add}`],
  ],
  [
    'a response field goes',
    [['        email: { type: string }\n        age', '        age']],
    ['GET /users removed', 'POST /users removed', `GET /users/{} removed, ${one}, ${mail}`],
  ],
  [
    'a response field is renamed',
    [['        email: { type: string }\n        age', '        mail: { type: string }\n        age']],
    ['GET /users renamed', 'POST /users renamed', `GET /users/{} renamed, ${one}, ${mail}`],
  ],
  [
    'an inner response field can be missing',
    [['required: [city]', 'required: []']],
    ['GET /users changed', 'POST /users changed', `GET /users/{} changed, ${one}`],
  ],
  [
    'a response field has another type',
    [['        id: { type: string }\n', '        id: { type: integer }\n']],
    [`GET /users changed, ${all}`, 'POST /users changed', 'GET /users/{} changed'],
  ],
  [
    'a response field can be null',
    [['email: { type: string }', 'email: { type: string, nullable: true }']],
    ['GET /users changed', 'POST /users changed', `GET /users/{} changed, ${one}, ${mail}`],
  ],
  ['a request field becomes required', [['[name]', '[name, email]']], [`POST /users required, ${add}`]],
  ['a request field that is sent becomes required', [['[name]', '[name, role]']], ['POST /users required']],
  [
    'a request field is added and required',
    [
      ['[name]', '[name, born]'],
      ['name: { type: string }', 'name: { type: string }\n        born: { type: string }'],
    ],
    [`POST /users required, ${add}`],
  ],
  ['a request value goes', [[', guest]', ']']], [`POST /users narrowed, ${add}`]],
  ['a request value goes that is not sent', [['admin, ', '']], ['POST /users narrowed']],
  [
    'a request field goes',
    [['        role: { type: string, enum: [admin, user, guest] }\n', '']],
    [`POST /users removed, ${add}`],
  ],
  [
    'a request field has another type',
    [['name: { type: string }', 'name: { type: integer }']],
    [`POST /users narrowed, ${add}`],
  ],
  [
    'a parameter becomes required',
    [['{ name: limit, in: query,', '{ name: limit, in: query, required: true,']],
    [`GET /users required, ${all}`],
  ],
  [
    'a parameter that is sent becomes required',
    [['{ name: sort, in: query,', '{ name: sort, in: query, required: true,']],
    ['GET /users required'],
  ],
  ['a parameter is renamed', [['name: sort', 'name: order']], [`GET /users renamed, ${all}`]],
  ['a value of a parameter goes', [['[name, age]', '[name]']], [`GET /users narrowed, ${all}`]],
  ['a status is another one', [["'201'", "'200'"]], [`POST /users renamed, ${add}`]],
  [
    'a media type goes',
    [
      [
        '            application/json:\n              schema: { $ref',
        '            application/xml:\n              schema: { $ref',
      ],
    ],
    [`GET /users/{} removed, ${one}, ${mail}`],
  ],
  [
    'a key is needed',
    [['paths:', 'security: [{ key: [] }]\npaths:']],
    [
      `GET /users required, ${all}`,
      `POST /users required, ${add}`,
      `GET /users/{} required, ${one}, ${mail}`,
    ],
  ],
])('breaking: %s', async (_, edits, expected) => {
  expect(summary(await change(...edits))).toEqual(expected)
})

test.each<[string, [string, string][]]>([
  ['a response field is added', [['        age: {', '        born: { type: string }\n        age: {']]],
  [
    'an optional parameter is added',
    [
      [
        '        - { name: sort',
        '        - { name: page, in: query, schema: { type: integer } }\n        - { name: sort',
      ],
    ],
  ],
  [
    'a required parameter has a default',
    [
      [
        '{ name: sort',
        '{ name: page, in: query, required: true, schema: { type: integer, default: 1 } }\n        - { name: sort',
      ],
    ],
  ],
  ['a request value is added', [['[admin,', '[owner, admin,']]],
  ['a request field becomes optional', [['      required: [name]\n', '']]],
  ['a request field is added', [['        role:', '        born: { type: string }\n        role:']]],
  [
    'a required request field has a default',
    [
      ['[name]', '[name, born]'],
      ['        role:', '        born: { type: string, default: x }\n        role:'],
    ],
  ],
  ['a request field can be null', [['name: { type: string }', 'name: { type: string, nullable: true }']]],
  ['a response field becomes required', [['[id, email]', '[id, email, age]']]],
  [
    'words change',
    [["{ title: Users API, version: '1' }", "{ title: Users API, version: '2', description: x }"]],
  ],
  [
    'a parameter of a path is renamed',
    [
      ['/users/{id}:', '/users/{userId}:'],
      ['name: id, in: path', 'name: userId, in: path'],
    ],
  ],
  [
    'a schema is renamed',
    [
      ["'#/components/schemas/NewUser'", "'#/components/schemas/Draft'"],
      ['    NewUser:', '    Draft:'],
    ],
  ],
  [
    'fields are in another order',
    [
      [
        '        id: { type: string }\n        email: { type: string }\n',
        '        email: { type: string }\n        id: { type: string }\n',
      ],
    ],
  ],
  ['a status of failure goes', [["        '404': { description: unknown }\n", '']]],
  ['a status is added', [["        '404'", "        '202': { description: later }\n        '404'"]]],
  [
    'a media type is added',
    [
      [
        '            application/json:\n              schema: { $ref',
        '            application/xml: {}\n            application/json:\n              schema: { $ref',
      ],
    ],
  ],
  ['a key may be given', [['paths:', 'security: [{ key: [] }, {}]\npaths:']]],
  [
    'a number takes more in a request, less in a response',
    [['age: { type: integer }', 'age: { type: integer, format: int32 }']],
  ],
  [
    'a list of what there is to choose is written otherwise',
    [
      [
        "items: { $ref: '#/components/schemas/User' }",
        "items: { allOf: [{ $ref: '#/components/schemas/User' }] }",
      ],
    ],
  ],
])('compatible: %s', async (_, edits) => {
  expect(await change(...edits)).toEqual([])
})

test('a break says what it is about and where, on both sides', async () => {
  const [first] = await change(['  /users/{id}:', '  /people/{id}:'])
  expect(first).toEqual({
    name: 'GET /users/{}',
    how: 'renamed',
    renamedTo: 'GET /people/{}',
    what: '`GET /users/{}` is now `GET /people/{}`',
    before: 'openapi.yaml:27',
    after: 'openapi.yaml:27',
    uses: [
      { at: 'web/users.ts:3', name: 'GET /users/{}', how: 'called with `fetch`', confidence: 'likely' },
      {
        at: 'jobs/users.py:4',
        name: 'GET /v1/users/{}',
        how: 'called with `requests.get`',
        confidence: 'likely',
      },
    ],
  })
  const [second] = await change(['[name]', '[name, email]'])
  expect(second).toMatchObject({
    what: 'the request field `email` is now required',
    before: 'openapi.yaml:46',
    after: 'openapi.yaml:42',
  })
})

const swagger = JSON.stringify(
  {
    swagger: '2.0',
    host: 'users.acme.com',
    basePath: '/v1',
    paths: {
      '/users': {
        post: {
          parameters: [{ in: 'body', name: 'user', schema: { properties: { name: { type: 'string' } } } }],
          responses: { 200: { schema: { $ref: '#/definitions/User' } } },
        },
      },
    },
    definitions: { User: { properties: { id: { type: 'string' } } } },
  },
  null,
  1,
)

test('version 2: body parameters, definitions, host and base path', async () => {
  const user: Files = {
    'a.js':
      "export const f = async () => (await axios.post('https://users.acme.com/v1/users', { name: 'x' })).data.id\n",
  }
  const edit = (from: string, to: string) =>
    judgedChange(
      httpContracts,
      { 'swagger.json': swagger },
      { 'swagger.json': swagger.replace(from, to) },
      user,
    )
  expect(summary(await edit('"id"', '"key"'))).toEqual(['POST /users renamed, a.js:1 likely'])
  expect(summary(await edit('"name": {', '"title": {'))).toEqual(['POST /users renamed, a.js:1 likely'])
  expect(await edit('"host": "users.acme.com"', '"host": "users.acme.com", "schemes": ["https"]')).toEqual([])
})

test('parts of a document in other files, and a document that has moved', async () => {
  const parts = (user: string, root = 'api/openapi.yaml'): Files => ({
    [root]: `openapi: 3.1.0
paths:
  /users/{id}:
    $ref: ./paths/user.yaml
`,
    'api/paths/user.yaml': `get:
  responses:
    '200':
      content:
        application/json:
          schema: { $ref: ../schemas/user.yaml }
`,
    'api/schemas/user.yaml': user,
  })
  const user = 'type: object\nproperties:\n  email: { type: string }\n  id: { type: string }\n'
  const client: Files = { 'a.py': 'def f(i):\n    return httpx.get(f"{URL}/users/{i}").json()["email"]\n' }
  const change = (after: Files) => judgedChange(httpContracts, parts(user), after, client)
  expect(await change(parts(user.replace('  email: { type: string }\n', '')))).toMatchObject([
    { name: 'GET /users/{}', how: 'removed', before: 'api/schemas/user.yaml:3', uses: [{ at: 'a.py:2' }] },
  ])
  expect(
    await change(parts(user.replace('email: { type: string }', 'email: { type: [string, "null"] }'))),
  ).toMatchObject(
    [{ what: 'the response field `email` can now be null', uses: [] }].map((one) => ({
      ...one,
      uses: [{ at: 'a.py:2' }],
    })),
  )
  expect(await change(parts(user, 'api/v1.openapi.yaml'))).toEqual([])
})

async function uses(path: string, text: string): Promise<string[]> {
  const [file] = await treeOf({ [path]: text }).read([path])
  const found = await httpContracts.uses(file as SourceFile)
  return found.map(({ name, line, shape }) => {
    const use = shape as HttpUse
    const sent =
      use.kind === 'call' ? [...Object.keys(use.query.values), ...Object.keys(use.body.values)] : []
    return [
      `${line} ${name}`,
      ...sent.map((one) => `sends ${one}`),
      ...use.reads.map((one) => `reads ${one}`),
    ].join(', ')
  })
}

test.each<[string, string, string[]]>([
  [
    'a.ts',
    `const id = 1\nfetch(\`/users/\${id}?full=1\`).then((r) => r.json()).then(({ email }) => email)\n`,
    ['2 GET /users/{}, sends full, reads email'],
  ],
  [
    'a.ts',
    "async function f(u) {\n  const url = BASE + '/users/' + u.id\n  const r = await fetch(url, { method: 'DELETE' })\n}\n",
    ['3 DELETE /users/{}'],
  ],
  [
    'a.ts',
    "const api = axios.create({ baseURL: 'https://a.com/v1/' })\nasync function f() {\n  const { data: users } = await api.get<User[]>('users', { params: { page: 1 } })\n  for (const user of users) show(user.email ?? '')\n}\n",
    ['3 GET /v1/users, sends page, reads [].email?'],
  ],
  [
    'a.ts',
    `import { api } from './api.ts'\nexport const f = (body) => api.put(\`/users/\${body.id}\`, { ...body, name: 'x' })\n`,
    ['2 PUT /users/{}, sends name'],
  ],
  [
    'a.ts',
    `const r = await axios({ method: 'post', url: \`\${HOST}/users\`, data: { a: 1, b: { c: 2 } } })\nconsole.log(r.data.id)\n`,
    ['1 POST /users, sends a, sends b, sends b.c, reads id'],
  ],
  [
    'a.ts',
    "const user = await ky.post('https://a.com/users', { json: { name } }).json()\nshow(user.items[0].id)\n",
    ['1 POST /users, sends name, reads items[].id'],
  ],
  [
    'a.ts',
    "app.get('/users/:id', (req, res) => res.json({}))\nrouter.get('/users', list)\n// fetch('/users')\nconst text = \"fetch('/users')\"\ncache.get('users')\nclient.get(key)\n",
    [],
  ],
  [
    'a.py',
    'class A:\n    def f(self, i):\n        r = self.session.post(f"{self.base_url}/users/{i}/tags", json={"tag": "x"})\n        r.raise_for_status()\n        data = r.json()\n        return data["items"][0]["id"], data.get("next")\n',
    ['3 POST /users/{}/tags, sends tag, reads items[].id, reads next?'],
  ],
  [
    'a.py',
    'client = httpx.Client(base_url="https://a.com/v1")\ndef f(i):\n    response = client.get("/users/{}".format(i))\n    for user in response.json()["users"]:\n        print(user["name"])\n',
    ['3 GET /v1/users/{}, reads users, reads users[].name'],
  ],
  [
    'a.py',
    'def f(i):\n    url = "%s/users/%s" % (BASE, i)\n    payload = {"name": "x"}\n    payload["age"] = 3\n    return requests.request("PATCH", url, json=payload)\n',
    ['5 PATCH /users/{}'],
  ],
  [
    'a.go',
    'package a\n\nfunc f(id string) {\n\treq, _ := http.NewRequest(http.MethodPut, fmt.Sprintf("%s/users/%s", base, id), body)\n\thttp.DefaultClient.Do(req)\n}\n',
    ['4 PUT /users/{}'],
  ],
  [
    'A.java',
    'class A {\n  void f() {\n    ResponseEntity<User> r = rest.exchange(base + "/users/" + id, HttpMethod.GET, null, User.class);\n    use(r.getBody().getEmail());\n  }\n}\n',
    ['3 GET /users/{}, reads email'],
  ],
  [
    'A.java',
    'class A {\n  void f() {\n    Request request = new Request.Builder().url(base + "/users").post(body).build();\n  }\n}\n',
    ['3 POST /users'],
  ],
  [
    'A.java',
    'class A {\n  void f() {\n    var request = HttpRequest.newBuilder().uri(URI.create(base + "/users/7")).GET().build();\n  }\n}\n',
    ['3 GET /users/7'],
  ],
  [
    'A.java',
    '@FeignClient(name = "users", path = "/v1")\ninterface A {\n  @GetMapping("/users/{id}")\n  User one(@PathVariable String id);\n}\n',
    ['3 GET /v1/users/{}'],
  ],
  [
    'A.java',
    'import retrofit2.http.GET;\ninterface A {\n  @GET("users/{id}")\n  Call<User> one(@Path("id") String id);\n}\n',
    ['3 GET /users/{}'],
  ],
  [
    'a.rb',
    'def f(id)\n  uri = URI("#{BASE}/users/#{id}")\n  JSON.parse(Net::HTTP.get(uri))["email"]\nend\n',
    ['3 GET /users/{}, reads email'],
  ],
  [
    'a.rb',
    'def f(id)\n  response = HTTParty.post("#{BASE}/users", body: { name: "x" }.to_json)\n  response.parsed_response["id"]\nend\n',
    ['2 POST /users, sends name, reads id'],
  ],
  [
    'a.ts',
    `const paths = {
  all: '/v1/users',
  one: (id: number) => \`/v1/users/\${id}\`,
}
axios.get(paths.all)
axios.get(paths.one(id))
axios.get(paths.other)
`,
    ['5 GET /v1/users', '6 GET /v1/users/{}'],
  ],
])('calls in %s: %s', async (path, text, expected) => {
  expect(await uses(path, text)).toEqual(expected)
})

test('a value in the path, a path that every service has, and the service that is asked', async () => {
  const document = (paths: string): Files => ({
    'openapi.yaml': `openapi: 3.0.0
info: { title: Cart API }
paths:
${paths}`,
  })
  const add = "  /add/{id}/{sku}: { get: { responses: { '200': {} } } }\n"
  const health = "  /health: { get: { responses: { '200': {} } } }\n"
  const client: Files = {
    'a.ts': `fetch(\`\${process.env.CART_URL}/add/\${id}/1\`)
fetch(\`\${process.env.CART_URL}/health\`)
fetch(\`\${process.env.USERS_URL}/health\`)
fetch(\`\${process.env.CART_URL}/add/\${id}/all/1\`)
`,
  }
  const change = (after: string) =>
    judgedChange(httpContracts, document(add + health), document(after), client)
  expect(summary(await change(health))).toEqual(['GET /add/{}/{} removed, a.ts:1 likely'])
  expect(summary(await change(add))).toEqual(['GET /health removed, a.ts:2 likely'])
})

test('a method of a generated client is likely, whatever its URL', async () => {
  const client: Files = {
    'sdk/apis/UsersApi.ts':
      '/* Generated by OpenAPI Generator. Do not edit. */\nexport class UsersApi {\n  getUser(id: string) {\n    return request(id)\n  }\n}\n',
    'web/a.ts':
      "import { UsersApi } from '../sdk/generated/users'\nconst users = new UsersApi()\nexport async function f(id: string) {\n  const { data } = await users.getUser(id)\n  return data.email\n}\n",
  }
  const found = await judgedChange(
    httpContracts,
    { 'openapi.yaml': openApi },
    changed(['  /users/{id}:', '  /people/{id}:']),
    client,
  )
  expect(summary(found)).toEqual(['GET /users/{} renamed, sdk/apis/UsersApi.ts:3 likely, web/a.ts:4 likely'])
  const field = await judgedChange(
    httpContracts,
    { 'openapi.yaml': openApi },
    changed(['        email: { type: string }\n        age', '        age']),
    client,
  )
  expect(summary(field).at(-1)).toBe('GET /users/{} removed, web/a.ts:4 likely')
})

test.each([
  ['a.json', '{"openapi": "3.0.0", "paths": {"/a": {"get": {"responses": '],
  ['a.yaml', 'openapi: 3.0.0\npaths:\n  /a: [\n'],
  ['a.yaml', `openapi: 3.0.0\npaths:\n  /a: ${'['.repeat(2_000)}`],
  ['a.yaml', 'openapi: 3.0.0\npaths:\n  /a:\n    $ref: "#/paths/~1a"\n'],
  ['a.yaml', 'openapi: 3.0.0\npaths: 7\n'],
  ['a.yaml', 'openapi: 3.0.0\npaths: &p\n  /a: *p\n'],
])('a document that is no document provides nothing: %s', async (path, text) => {
  expect(await httpContracts.provided([path], treeOf({ [path]: text }))).toEqual([])
})

test('a schema that contains itself, and one that branches without end', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `f${at}: { $ref: '#/components/schemas/A' }`).join(', ')
  const text = `openapi: 3.0.0
paths:
  /a:
    get:
      responses: { '200': { content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } } }
components: { schemas: { A: { type: object, properties: { id: { type: string }, ${names} } } } }
`
  const found = await judgedChange(
    httpContracts,
    { 'a.yaml': text },
    { 'a.yaml': text.replace('id: { type: s', 'key: { type: s') },
    {},
  )
  expect(found.map(({ what }) => what)).toEqual(['the response field `id` is now `key`'])
})

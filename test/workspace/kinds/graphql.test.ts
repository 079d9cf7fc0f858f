/** GraphQL across repositories: what a schema no longer takes, and the requests that ask for it. */
import { expect, test } from 'vitest'
import { graphqlContracts } from '../../../src/workspace/kinds/graphql/kind.ts'
import { type Files, judgedChange, summary, treeOf } from '../helpers.ts'

const sdl = `type Query {
  "All of them."
  users(limit: Int = 10, role: Role): [User!]!
  user(id: ID!): User
  search(text: String!): [Hit!]!
}

type Mutation {
  addUser(input: UserInput!): User
  addTeam(input: TeamInput!): Boolean
}

interface Named {
  name: String!
}

type User implements Named {
  id: ID!
  name: String!
  email: String!
  age: Int
  friends: [User!]
}

type Team {
  title: String!
}

union Hit = User | Team

enum Role {
  ADMIN
  GUEST
}

input UserInput {
  name: String!
  nickname: String
  role: Role
}

input TeamInput {
  members: [UserInput!]
}
`

const client = `import gql from 'graphql-tag'

const fields = gql\`
  fragment UserFields on User {
    id
    email
  }
\`

export const list = gql\`
  query Users($limit: Int, $input: UserInput!) {
    users(limit: $limit, role: GUEST) {
      name
      age
      ...UserFields
    }
    one: user(id: 1) {
      friends { name }
    }
    search(text: "a") {
      ... on Team { title }
      ... on User { name }
    }
  }
  \${fields}
\`

export const add = gql\`
  mutation Add($input: UserInput!, $team: TeamInput!) {
    addUser(input: $input) { id }
    addTeam(input: $team)
    other: addUser(input: { name: "a", nickname: "b" }) { id }
  }
\`

export const input = { name: 'a', nickname: 'b' }
`

const user: Files = { 'src/client.ts': client }
const base: Files = { 'schema.graphql': sdl }

/** The schema with some text replaced. */
function changed(...edits: readonly [string, string][]): Files {
  let text = sdl
  for (const [from, to] of edits) {
    expect(text).toContain(from)
    text = text.replace(from, to)
  }
  return { 'schema.graphql': text }
}

const at = (line: number, confidence: string) => `src/client.ts:${line} ${confidence}`

test.each<[string, [string, string][], string[]]>([
  ['a field goes', [['  email: String!\n', '']], [`User.email removed, ${at(6, 'certain')}`]],
  ['a field is renamed', [['email: S', 'mail: S']], [`User.email renamed, ${at(6, 'certain')}`]],
  ['a root field goes', [['  user(id: ID!): User\n', '']], [`Query.user removed, ${at(17, 'certain')}`]],
  [
    'a type is renamed',
    [
      ['type Team {', 'type Group {'],
      ['| Team', '| Group'],
    ],
    [`Team renamed, ${at(21, 'certain')}`],
  ],
  ['an argument goes', [['limit: Int = 10, ', '']], [`Query.users(limit:) removed, ${at(12, 'certain')}`]],
  [
    'an argument is added and required',
    [['search(text: String!)', 'search(text: String!, in: String!)']],
    [`Query.search(in:) required, ${at(20, 'certain')}`],
  ],
  ['an argument becomes required', [['role: Role)', 'role: Role!)']], ['Query.users(role:) required']],
  [
    'an argument that a variable fills becomes required',
    [['limit: Int = 10', 'limit: Int!']],
    [`Query.users(limit:) required, ${at(12, 'certain')}`],
  ],
  ['a value goes', [['  GUEST\n', '']], [`Role.GUEST removed, ${at(12, 'certain')}`]],
  ['a union loses a member', [['User | Team', 'User']], [`Team narrowed, ${at(21, 'certain')}`]],
  [
    'an input field is added and required',
    [['  nickname: String\n', '  nickname: String\n  born: Int!\n']],
    [`UserInput.born required, ${at(30, 'likely')}, ${at(31, 'possible')}, ${at(32, 'certain')}`],
  ],
  [
    'an input field goes',
    [['  nickname: String\n', '']],
    [`UserInput.nickname removed, ${at(30, 'possible')}, ${at(31, 'possible')}, ${at(32, 'certain')}`],
  ],
  ['a result is another leaf', [['age: Int', 'age: String']], [`User.age changed, ${at(14, 'likely')}`]],
  [
    'a result may be null',
    [['name: String!\n  email', 'name: String\n  email']],
    [`User.name changed, ${at(13, 'possible')}, ${at(18, 'possible')}, ${at(22, 'possible')}`],
  ],
  [
    'a result has parts now',
    [
      ['age: Int', 'age: Age'],
      ['type Team', 'type Age {\n  years: Int\n}\n\ntype Team'],
    ],
    [`User.age changed, ${at(14, 'certain')}`],
  ],
  [
    'a list becomes a connection',
    [
      ['friends: [User!]', 'friends: Friends'],
      ['type Team', 'type Friends {\n  nodes: [User!]\n}\n\ntype Team'],
    ],
    [`User.friends changed, ${at(18, 'certain')}`],
  ],
])('%s', async (_, edits, found) => {
  expect(summary(await judgedChange(graphqlContracts, base, changed(...edits), user))).toEqual(found)
})

test.each<[string, [string, string][]]>([
  ['a field is added', [['  age: Int\n', '  age: Int\n  born: Int\n']]],
  ['a type is added', [['type Team', 'type Age {\n  years: Int\n}\n\ntype Team']]],
  ['an optional argument is added', [['search(text: String!)', 'search(text: String!, in: String)']]],
  ['a required argument has a default', [['(text: String!)', '(text: String!, in: String! = "all")']]],
  ['an argument becomes optional', [['text: String!', 'text: String']]],
  ['a value is added', [['  GUEST\n', '  GUEST\n  OWNER\n']]],
  [
    'a union gains a member',
    [
      ['User | Team', 'User | Team | Bot'],
      ['type Team', 'type Bot {\n  id: ID\n}\n\ntype Team'],
    ],
  ],
  ['an optional input field is added', [['  nickname: String\n', '  nickname: String\n  born: Int\n']]],
  [
    'an input field becomes optional',
    [['input UserInput {\n  name: String!', 'input UserInput {\n  name: String']],
  ],
  ['a result is never null', [['age: Int', 'age: Int!']]],
  ['a result is an ID now', [['email: String!', 'email: ID!']]],
  ['fields are in another order', [['  id: ID!\n  name: String!\n', '  name: String!\n  id: ID!\n']]],
  ['a description changes', [['"All of them."', '"All users, the first ten."']]],
  ['a field is deprecated', [['age: Int', 'age: Int @deprecated(reason: "old")']]],
  ['a default changes', [['limit: Int = 10', 'limit: Int = 20']]],
  [
    'an interface is implemented',
    [['type Team {\n  title', 'type Team implements Named {\n  name: String!\n  title']],
  ],
])('compatible: %s', async (_, edits) => {
  expect(summary(await judgedChange(graphqlContracts, base, changed(...edits), user))).toEqual([])
})

test('says what is different, and where', async () => {
  const head = changed(
    ['email: String!', 'mail: String!'],
    ['search(text: String!)', 'search(text: String!, in: ID!)'],
  )
  expect(await judgedChange(graphqlContracts, base, head, user)).toEqual([
    {
      name: 'Query.search(in:)',
      how: 'required',
      what: 'the argument is new and required',
      before: 'schema.graphql:5',
      after: 'schema.graphql:5',
      uses: [
        { at: 'src/client.ts:20', name: 'search', how: 'named in the query `Users`', confidence: 'certain' },
      ],
    },
    {
      name: 'User.email',
      how: 'renamed',
      renamedTo: 'User.mail',
      what: 'the field is now named `User.mail`',
      before: 'schema.graphql:20',
      after: 'schema.graphql:20',
      uses: [
        {
          at: 'src/client.ts:6',
          name: 'email',
          how: 'named in the fragment `UserFields`',
          confidence: 'certain',
        },
      ],
    },
  ])
})

const withoutEmail = changed(['  email: String!\n', ''])

test.each<[string, Files, string[]]>([
  ['a document', { 'a.graphql': 'query {\n  user(id: 1) {\n    email\n  }\n}\n' }, ['a.graphql:3 certain']],
  [
    'a comment that marks a template',
    { 'a.js': 'const q = `#graphql\n{ user(id: 1) { email } }`' },
    ['a.js:2 certain'],
  ],
  [
    'a template that code fills',
    { 'a.ts': `const q = gql\`query { user(id: \${id}) { email } }\`` },
    ['a.ts:1 certain'],
  ],
  [
    'Python',
    { 'a.py': 'query = gql("""\n  query {\n    user(id: 1) { email }\n  }\n""")\n' },
    ['a.py:3 certain'],
  ],
  [
    'Go',
    { 'a.go': 'package a\n\nconst q = `query($id: ID!) {\n  user(id: $id) { email }\n}`\n' },
    ['a.go:4 certain'],
  ],
  [
    'literals in parts',
    { 'A.java': 'class A {\n  String q = "query { user(id: 1) {" +\n    " email } }";\n}\n' },
    ['A.java:3 certain'],
  ],
  [
    'Ruby',
    { 'a.rb': 'Q = <<~GRAPHQL\n  query {\n    user(id: 1) { email }\n  }\nGRAPHQL\n' },
    ['a.rb:3 certain'],
  ],
  [
    'a request that asks for more than the schema has',
    { 'a.graphql': 'query { user(id: 1) { email more } }' },
    ['a.graphql:1 possible'],
  ],
  [
    'the same field of another type',
    { 'a.graphql': 'query { search(text: "") { ... on Team { email } } }' },
    [],
  ],
  [
    'what only looks like it',
    { 'a.ts': 'const query = `{ user { email`\nexport const email = user.email' },
    [],
  ],
  ['a request in a comment', { 'a.ts': '// gql`query { user(id: 1) { email } }`\nexport {}' }, []],
])('uses in %s', async (_, files, found) => {
  const [broken] = await judgedChange(graphqlContracts, base, withoutEmail, files)
  expect(broken?.uses.map(({ at, confidence }) => `${at} ${confidence}`)).toEqual(found)
})

const query = { 'q.graphql': 'query { users { email } posts { author { email } } }' }
const userModule = 'type User {\n  email: String\n}\nextend type Query {\n  users: [User]\n}\n'

test.each<[string, Files, Files, string[]]>([
  [
    'modules that extend the root',
    {
      'src/schema.graphql': 'type Query {\n  posts: [Post]\n}\n',
      'src/user/u.graphql': userModule,
      'src/post/p.graphql': 'type Post {\n  author: User\n}\n',
    },
    { 'src/user/u.graphql': userModule.replace('email: String', 'id: ID') },
    ['User.email removed, q.graphql:1 certain, q.graphql:1 certain'],
  ],
  [
    'modules that each define the root, in code',
    {
      'a/users.ts':
        'export const typeDefs = gql`\n  type User { email: String }\n  type Query { users: [User] }\n`',
      'a/posts.ts':
        'export const typeDefs = gql`\n  type Post { author: User }\n  type Query { posts: [Post] }\n`',
    },
    {
      'a/users.ts':
        'export const typeDefs = gql`\n  type User { id: String }\n  type Query { users: [User] }\n`',
    },
    ['User.email removed, q.graphql:1 certain, q.graphql:1 certain'],
  ],
  [
    'two versions side by side',
    {
      'v1.graphql':
        'type Query { users: [User] posts: [Post] }\ntype User { email: String }\ntype Post { author: User }',
      'v2.graphql':
        'type Query { users: [User] posts: [Post] }\ntype User { email: String }\ntype Post { author: User }',
    },
    {
      'v1.graphql':
        'type Query { users: [User] posts: [Post] }\ntype User { id: ID }\ntype Post { author: User }',
    },
    ['User.email removed, q.graphql:1 certain, q.graphql:1 certain'],
  ],
  [
    'a part that went',
    {
      'src/schema.graphql':
        'type Query {\n  posts: [Post]\n  users: [User]\n}\ntype Post { author: User }\ntype User { id: ID }\n',
      'src/more.graphql': 'extend type User { email: String }\n',
    },
    { 'src/more.graphql': '' },
    ['User.email removed, q.graphql:1 certain, q.graphql:1 certain'],
  ],
])('a schema of %s', async (_, before, edits, found) => {
  const after = { ...before, ...edits }
  const breaks = summary(await judgedChange(graphqlContracts, before, after, query))
  expect(breaks.map((line) => line.replace('renamed', 'removed'))).toEqual(found)
})

test('a schema that goes from the repository, or moves, breaks nothing', async () => {
  expect(await judgedChange(graphqlContracts, base, {}, user)).toEqual([])
  expect(await judgedChange(graphqlContracts, base, { 'api/schema.graphql': sdl }, user)).toEqual([])
  const moved = { 'api/schema.graphql': withoutEmail['schema.graphql'] ?? '' }
  expect(summary(await judgedChange(graphqlContracts, base, moved, user))).toEqual([
    `User.email removed, ${at(6, 'certain')}`,
  ])
})

test('a schema of a test is not provided', () => {
  expect(graphqlContracts.mayProvide('test/schema.graphql')).toBe(false)
  expect(graphqlContracts.mayProvide('schema.graphql')).toBe(true)
})

test('texts that nest deeply, end early or are no GraphQL provide and use nothing', async () => {
  const hostile: Files = {
    'deep.graphql': `query ${'{ a '.repeat(50_000)}`,
    'list.graphql': `type Query { a: ${'['.repeat(100_000)}`,
    'value.graphql': `query { a(b: ${'['.repeat(100_000)}${']'.repeat(100_000)}) }`,
    'open.ts': `const a = gql\`query { \${${'{'.repeat(10_000)}`,
    'quotes.ts': '"'.repeat(100_001),
    'cycle.graphql': 'type Query implements Query { a: Missing }\nunion A = A | Missing\n',
  }
  const tree = treeOf(hostile)
  const names = (await graphqlContracts.provided(Object.keys(hostile), tree)).map(({ name }) => name)
  expect(names).toEqual(['Query', 'Query.a', 'A'])
  for (const file of await tree.read(Object.keys(hostile)))
    expect(await graphqlContracts.uses(file)).toEqual([])
  expect(
    await judgedChange(
      graphqlContracts,
      hostile,
      { ...hostile, 'cycle.graphql': 'type Query { b: A }' },
      user,
    ),
  ).toMatchObject([
    { name: 'Query.a', how: 'removed' },
    { name: 'A', how: 'changed' },
  ])
})

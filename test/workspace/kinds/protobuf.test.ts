/** Protocol Buffers across repositories: what a file no longer defines, and who uses it or what is generated from it. */
import { expect, test } from 'vitest'
import { protobufContracts } from '../../../src/workspace/kinds/protobuf/kind.ts'
import { type Files, judgedChange, summary, treeOf } from '../helpers.ts'

const path = 'acme/user/v1/user.proto'

const proto = `syntax = "proto3";

package acme.user.v1;

option go_package = "github.com/acme/api/gen/user/v1;userv1";

/* A person. */
message User {
  string id = 1;
  string email = 2; // where to write to
  int32 age = 3;
  repeated string tags = 4;
  Role role = 5;
  map<string, Address> addresses = 6;

  message Address {
    string street = 1;
  }
}

enum Role {
  ROLE_UNSPECIFIED = 0;
  ROLE_ADMIN = 1;
}

message GetUserRequest {
  string id = 1;
}

message Team {
  repeated User members = 1;
  string title = 2;
}

service UserService {
  rpc GetUser(GetUserRequest) returns (User);
  rpc WatchUser(GetUserRequest) returns (stream User) {
    option deprecated = true;
  }
}
`

const user: Files = {
  'order.proto': `syntax = "proto3";
package acme.order.v1;
import "acme/user/v1/user.proto";
message Order {
  acme.user.v1.User buyer = 1;
  user.v1.Role role = 2;
}
`,
  'client.py': `import grpc
from acme.user.v1 import user_pb2, user_pb2_grpc

def show(channel):
    stub = user_pb2_grpc.UserServiceStub(channel)
    user = stub.GetUser(user_pb2.GetUserRequest(id="1"))
    if user.role == user_pb2.ROLE_ADMIN:
        return user.age
    return user.email
`,
  'client.go': `package client

import userv1 "github.com/acme/api/gen/user/v1"

func Show(client userv1.UserServiceClient) string {
	user, _ := client.GetUser(ctx, &userv1.GetUserRequest{Id: "1"})
	if user.GetRole() == userv1.Role_ROLE_ADMIN {
		return user.Email
	}
	return user.GetEmail()
}
`,
  'client.ts': `import { UserServiceClient } from './gen/acme/user/v1/user_grpc_pb'
import { User, Role } from './gen/acme/user/v1/user_pb'

export function show(user: User): string {
  return user.getRole() === Role.ROLE_ADMIN ? '' : user.getEmail()
}
`,
  // Nothing generated is imported here.
  'other.py': `from accounts.models import User

def mail(user):
    return user.email
`,
}

/** The file with some text replaced. */
function changed(...edits: readonly [string, string][]): Files {
  let text = proto
  for (const [from, to] of edits) {
    expect(text).toContain(from)
    text = text.replace(from, to)
  }
  return { [path]: text }
}

const emails = 'client.py:9 likely, client.go:8 likely, client.go:10 likely, client.ts:5 likely'

test.each<[string, [string, string][], string[]]>([
  [
    'a field goes',
    [['  string email = 2; // where to write to\n', '']],
    [`acme.user.v1.User.email removed, ${emails}`],
  ],
  ['a field is renamed', [['string email', 'string mail']], [`acme.user.v1.User.email renamed, ${emails}`]],
  [
    'a field is of another type',
    [['string email', 'Team email']],
    [`acme.user.v1.User.email changed, ${emails}`],
  ],
  [
    'a field is of a type that is alike on the wire',
    [['string email', 'bytes email']],
    [`acme.user.v1.User.email changed, ${emails.replaceAll('likely', 'possible')}`],
  ],
  [
    'a field has another number',
    [['int32 age = 3', 'int32 age = 13']],
    ['acme.user.v1.User.age changed, client.py:8 possible'],
  ],
  [
    'a field is repeated',
    [['int32 age', 'repeated int32 age']],
    ['acme.user.v1.User.age changed, client.py:8 likely'],
  ],
  [
    'a field moves into a oneof',
    [['  int32 age = 3;', '  oneof more { int32 age = 3; }']],
    ['acme.user.v1.User.age changed, client.py:8 possible'],
  ],
  [
    'the values of a map are of another type',
    [['map<string, Address>', 'map<string, string>']],
    ['acme.user.v1.User.addresses changed'],
  ],
  [
    'a value goes',
    [['  ROLE_ADMIN = 1;\n', '']],
    ['acme.user.v1.Role.ROLE_ADMIN removed, client.py:7 likely, client.go:7 likely, client.ts:5 likely'],
  ],
  [
    'a value is renamed',
    [['ROLE_ADMIN = 1', 'ROLE_OWNER = 1']],
    ['acme.user.v1.Role.ROLE_ADMIN renamed, client.py:7 likely, client.go:7 likely, client.ts:5 likely'],
  ],
  [
    'a call goes',
    [['  rpc GetUser(GetUserRequest) returns (User);\n', '']],
    ['acme.user.v1.UserService.GetUser removed, client.py:6 likely, client.go:6 likely'],
  ],
  [
    'a call is renamed',
    [['rpc GetUser(', 'rpc FindUser(']],
    ['acme.user.v1.UserService.GetUser renamed, client.py:6 likely, client.go:6 likely'],
  ],
  [
    'a call answers with something else',
    [['returns (User);', 'returns (Team);']],
    ['acme.user.v1.UserService.GetUser changed, client.py:6 likely, client.go:6 likely'],
  ],
  [
    'a call answers with a stream',
    [['returns (User);', 'returns (stream User);']],
    ['acme.user.v1.UserService.GetUser changed, client.py:6 likely, client.go:6 likely'],
  ],
  [
    'a message is renamed',
    [
      ['message GetUserRequest', 'message GetUser'],
      ['GetUser(GetUserRequest)', 'GetUser(GetUser)'],
      ['WatchUser(GetUserRequest)', 'WatchUser(GetUser)'],
    ],
    [
      'acme.user.v1.GetUserRequest renamed, client.py:6 likely, client.go:6 likely',
      'acme.user.v1.UserService.GetUser changed, client.py:6 likely, client.go:6 likely',
      'acme.user.v1.UserService.WatchUser changed',
    ],
  ],
  [
    'an enum goes',
    [
      ['enum Role {\n  ROLE_UNSPECIFIED = 0;\n  ROLE_ADMIN = 1;\n}\n', ''],
      ['  Role role = 5;\n', '  reserved 5;\n'],
    ],
    [
      'acme.user.v1.User.role removed, client.py:7 likely, client.go:7 likely, client.ts:5 likely',
      'acme.user.v1.Role removed, order.proto:6 certain, client.ts:2 likely, client.ts:5 likely',
    ],
  ],
])('%s', async (_, edits, found) => {
  expect(summary(await judgedChange(protobufContracts, { [path]: proto }, changed(...edits), user))).toEqual(
    found,
  )
})

test.each<[string, [string, string][]]>([
  ['a field is added', [['  int32 age = 3;\n', '  int32 age = 3;\n  string phone = 7;\n']]],
  ['a message is added', [['message Team', 'message Group {\n  string id = 1;\n}\n\nmessage Team']]],
  ['a value is added', [['ROLE_ADMIN = 1;', 'ROLE_ADMIN = 1;\n  ROLE_GUEST = 2;']]],
  [
    'a call is added',
    [['  rpc WatchUser', '  rpc ListUsers(GetUserRequest) returns (Team);\n  rpc WatchUser']],
  ],
  [
    'fields are in another order',
    [
      [
        '  string id = 1;\n  string email = 2; // where to write to\n',
        '  string email = 2;\n  string id = 1;\n',
      ],
    ],
  ],
  ['a comment changes', [['/* A person. */', '// Somebody. message User { string email = 9; }']]],
  ['a type is written in full', [['  Role role = 5;', '  .acme.user.v1.Role role = 5;']]],
  ['a request is written in full', [['GetUser(GetUserRequest)', 'GetUser(acme.user.v1.GetUserRequest)']]],
  ['a field is deprecated', [['int32 age = 3;', 'int32 age = 3 [deprecated = true];']]],
  ['a field may be absent', [['int32 age', 'optional int32 age']]],
  [
    'a number is reserved',
    [['  int32 age = 3;', '  reserved 20 to 30, 40;\n  reserved "old";\n  int32 age = 3;']],
  ],
  [
    'an option is added',
    [['package acme.user.v1;', 'package acme.user.v1;\noption java_multiple_files = true;']],
  ],
  [
    'an import is added',
    [['package acme.user.v1;', 'package acme.user.v1;\nimport "google/protobuf/empty.proto";']],
  ],
])('compatible: %s', async (_, edits) => {
  expect(summary(await judgedChange(protobufContracts, { [path]: proto }, changed(...edits), user))).toEqual(
    [],
  )
})

test('says what is different, and where', async () => {
  const head = changed(
    ['  string email = 2; // where to write to\n', ''],
    ['int32 age = 3', 'int32 years = 3'],
  )
  const found = await judgedChange(protobufContracts, { [path]: proto }, head, {})
  expect(found).toEqual([
    {
      name: 'acme.user.v1.User.email',
      how: 'removed',
      what: 'the field was removed without reserving its number',
      before: `${path}:10`,
      after: null,
      uses: [],
    },
    {
      name: 'acme.user.v1.User.age',
      how: 'renamed',
      renamedTo: 'acme.user.v1.User.years',
      what: 'the field is now named `years`',
      before: `${path}:11`,
      after: `${path}:10`,
      uses: [],
    },
  ])
})

test.each<[string, [string, string], string]>([
  ['reserved', ['string email = 2;', 'reserved 2;'], 'the field was removed'],
  ['reserved by its name', ['string email = 2;', 'reserved "email";'], 'the field was removed'],
  [
    'given to another',
    ['string email = 2;', 'Role other = 2;'],
    'the field was removed, and its number 2 is now `other`',
  ],
])('a number that is %s', async (_, edit, what) => {
  const [found] = await judgedChange(protobufContracts, { [path]: proto }, changed(edit), {})
  expect(found?.what).toBe(what)
})

test('a package that is renamed breaks who imports it, once', async () => {
  const head = changed(['package acme.user.v1', 'package acme.user.v2'])
  expect(summary(await judgedChange(protobufContracts, { [path]: proto }, head, user))).toEqual([
    'acme.user.v1 renamed, order.proto:5 certain, order.proto:6 certain, client.py:2 likely, client.go:3 likely, client.ts:1 likely, client.ts:2 likely',
  ])
})

test('a file that is moved breaks nothing', async () => {
  expect(await judgedChange(protobufContracts, { [path]: proto }, { 'api/user.proto': proto }, user)).toEqual(
    [],
  )
})

const withoutEmail = changed(['  string email = 2; // where to write to\n', ''])
const java = (body: string) => `package app;\n\nimport com.acme.user.v1.User;\n\nclass A {\n  ${body}\n}\n`

test.each<[string, Files, string[]]>([
  ['a copy of the file, which is whole', { 'third/user.proto': proto }, []],
  ['Java', { 'A.java': java('String a(User user) { return user.getEmail(); }') }, ['A.java:6 likely']],
  [
    'a builder',
    { 'A.java': java('User a() { return User.newBuilder().setEmail("a").build(); }') },
    ['A.java:6 likely'],
  ],
  [
    'C#',
    { 'A.cs': 'using Acme.User.V1;\nclass A {\n  string M(User user) { return user.Email; }\n}\n' },
    ['A.cs:3 likely'],
  ],
  [
    'keywords',
    { 'a.py': 'from acme.user.v1 import user_pb2\nuser_pb2.User(id="1", email="a")\n' },
    ['a.py:2 likely'],
  ],
  [
    'a member',
    { 'a.py': 'from acme.user.v1 import user_pb2\n\ndef f(team):\n    return team.members[0].email\n' },
    ['a.py:4 likely'],
  ],
  [
    'generated code of another package',
    { 'a.py': 'from acme.mail.v1 import mail_pb2\n\ndef f(user):\n    return user.email\n' },
    ['a.py:4 possible'],
  ],
  [
    'a message that the file does not speak of',
    { 'a.py': 'from acme.user.v1 import user_pb2\n\ndef f(letter):\n    return letter.email\n' },
    [],
  ],
])('uses in %s', async (_, files, found) => {
  const [broken] = await judgedChange(protobufContracts, { [path]: proto }, withoutEmail, files)
  expect(broken?.uses.map(({ at, confidence }) => `${at} ${confidence}`)).toEqual(found)
})

test('a field that several messages have is that of the receiver', async () => {
  const head = changed(['message GetUserRequest {\n  string id = 1;', 'message GetUserRequest {\n'])
  const found = await judgedChange(protobufContracts, { [path]: proto }, head, {
    'client.go': user['client.go'] ?? '',
    'a.py': `from acme.user.v1 import user_pb2

def f(user, team):
    request = user_pb2.GetUserRequest(id="1")
    return user.id + team.id
`,
  })
  expect(summary(found)).toEqual([
    'acme.user.v1.GetUserRequest.id removed, client.go:6 likely, a.py:4 likely',
  ])
})

test('texts that nest deeply, end early or are no definition provide and use nothing', async () => {
  const hostile: Files = {
    'deep.proto': `message A {`.repeat(20_000),
    'open.proto': 'message A { string b = 1; /* ',
    'none.proto': '}}} = ; "',
    'types.proto': `package a;\nmessage B { map<map<string = 1; optional = 2; c d; .x.y z = 3; group E = 4 {} reserved; }`,
  }
  const tree = treeOf(hostile)
  const provided = await protobufContracts.provided(['open.proto', 'none.proto', 'types.proto'], tree)
  expect(provided.map(({ name }) => name)).toEqual(['A', 'A.b', 'a.B', 'a.B.z'])
  // Names of names would take a thousand times the room of the file.
  expect(await protobufContracts.provided(['deep.proto'], tree)).toHaveLength(250)
})

const many = 8_000
const numbered = (write: (at: number) => string) =>
  Array.from({ length: many }, (_, at) => write(at)).join('\n')

test.each([
  ['messages of one name', numbered(() => 'message M { M b = 1; }'), 2],
  ['messages alike', numbered((at) => `message M${at} { A b = 1; }`), 2 * many],
  ['messages of one another', numbered((at) => `message M${at} { M${at + 1} f${at} = 1; }`), 2 * many],
  ['fields of one message', `message M {\n${numbered((at) => `M f${at} = ${at + 1};`)}\n}`, many + 1],
  ['fields of one number', `message M {\n${numbered((at) => `M f${at} = 1;`)}\n}`, many + 1],
  ['what is reserved', `message M {\n${numbered((at) => `reserved ${at};`)}\n}`, 1],
  ['a long package', `package ${'a.'.repeat(many)}b;\n${numbered((at) => `message M${at} {}`)}`, many],
])('a file full of %s is compared by keys', async (_, text, names) => {
  const after = text.replaceAll(/\b([Mf]\d+) /g, 'x$1 ')
  const [old, now] = await Promise.all(
    [text, after].map((one) => protobufContracts.provided(['a.proto'], treeOf({ 'a.proto': one }))),
  )
  if (!old || !now) throw new Error('both are read')
  expect(new Set(old.map(({ name }) => name)).size).toBe(names)
  expect(Math.max(...old.map(({ name }) => name.length))).toBeLessThan(1000)
  const whole = protobufContracts.breaks(old, [])
  expect(whole.length).toBeGreaterThan(0)
  expect(Math.max(...whole.map(({ shape }) => shape.ways.length + shape.otherWays.length))).toBeLessThan(
    10_000,
  )
  expect(protobufContracts.breaks(old, now).length).toBeLessThanOrEqual(names)
})

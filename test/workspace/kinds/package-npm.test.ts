import { expect, test } from 'vitest'
import { packages } from '../../../src/workspace/kinds/package/kind.ts'
import { breaksBetween, brokenUses, changed, type Files, treeOf, words } from '../helpers.ts'

const manifest = (more: object = {}) =>
  JSON.stringify({ name: '@acme/client', version: '1.4.2', main: 'dist/index.js', ...more }, null, 2)

const library: Files = {
  'package.json': manifest(),
  'src/index.ts': `export { connect, Client, type Options } from './client.js'
export * from './colors.js'
export { default } from './client.js'
`,
  'src/client.ts': `import { helper } from './helper.js'

export interface Options {
  timeout?: number
  retries: number
}

export function connect(url: string, timeout?: number): string {
  return helper(url, timeout)
}

export class Client {
  constructor(readonly url: string) {}

  query(sql: string, limit = 10): string {
    return helper(sql, limit)
  }

  close(): void {
    helper('', 0)
  }
}

export default function create(url: string): Client {
  return new Client(url)
}
`,
  'src/colors.ts': `export enum Color {
  Red = 'red',
  Green = 'green',
}
`,
  'src/helper.ts': `export function helper(a: string, b?: number): string {
  return a + b
}
`,
}

const user: Files = {
  'package.json': JSON.stringify({ name: 'web', dependencies: { '@acme/client': '^1.4.0' } }, null, 2),
  'src/app.ts': `import create, { connect, Client, Color, type Options } from '@acme/client'

const client = new Client('db')
export const options: Options = { retries: 1 }
connect('db')
client.query('select 1', 5)
client.close()
create('db').close()
console.log(Color.Green)
`,
  'src/whole.js': `const acme = require('@acme/client')
acme.connect('db', 3)
`,
}

type Case = {
  change: Record<string, string | null>
  breaks: string[]
  uses: string[]
  before?: Files
}

const replaced = (path: string, from: string, to: string) => {
  const text = library[path] ?? ''
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
  return { [path]: text.replace(from, to) }
}

const breaking: Record<string, Case> = {
  'an export is no longer passed on': {
    change: replaced('src/index.ts', 'connect, Client', 'Client'),
    breaks: [
      'removed @acme/client#connect: `connect` is no longer exported by `@acme/client` (before src/index.ts:1)',
    ],
    uses: ['certain src/app.ts:1 @acme/client#connect', 'likely src/whole.js:2 @acme/client#connect'],
  },
  'two exports of one line are no longer passed on': {
    change: replaced('src/index.ts', 'connect, Client, ', ''),
    breaks: [
      'removed @acme/client#connect: `connect` is no longer exported by `@acme/client` (before src/index.ts:1)',
      'removed @acme/client#Client: `Client` is no longer exported by `@acme/client` (before src/index.ts:1)',
    ],
    uses: [
      'certain src/app.ts:1 @acme/client#connect',
      'certain src/app.ts:1 @acme/client#Client',
      'likely src/whole.js:2 @acme/client#connect',
    ],
  },
  'a definition goes, with its export': {
    change: {
      ...replaced('src/index.ts', 'connect, Client', 'Client'),
      ...replaced(
        'src/client.ts',
        `export function connect(url: string, timeout?: number): string {
  return helper(url, timeout)
}
`,
        '',
      ),
    },
    breaks: [
      'removed @acme/client#connect: `connect` is no longer exported by `@acme/client` (before src/client.ts:8)',
    ],
    uses: ['certain src/app.ts:1 @acme/client#connect', 'likely src/whole.js:2 @acme/client#connect'],
  },
  'an export is renamed': {
    change: {
      ...replaced('src/index.ts', 'connect, Client', 'open, Client'),
      ...replaced('src/client.ts', 'function connect', 'function open'),
    },
    breaks: [
      'renamed @acme/client#connect → @acme/client#open: `connect` is now called `open` (before src/client.ts:8, after src/client.ts:8)',
    ],
    uses: ['certain src/app.ts:1 @acme/client#connect', 'likely src/whole.js:2 @acme/client#connect'],
  },
  'an export has another name outside': {
    change: replaced('src/index.ts', 'connect, Client', 'connect as open, Client'),
    breaks: [
      'renamed @acme/client#connect → @acme/client#open: `connect` is now called `open` (before src/index.ts:1, after src/client.ts:8)',
    ],
    uses: ['certain src/app.ts:1 @acme/client#connect', 'likely src/whole.js:2 @acme/client#connect'],
  },
  'an optional parameter becomes required': {
    change: replaced('src/client.ts', 'timeout?: number): string', 'timeout: number): string'),
    breaks: [
      'required @acme/client#connect: the parameter `timeout` is now required (before src/client.ts:8, after src/client.ts:8)',
    ],
    uses: ['likely src/app.ts:5 @acme/client#connect'],
  },
  'a new required parameter': {
    change: replaced(
      'src/client.ts',
      'constructor(readonly url: string)',
      'constructor(readonly url: string, key: string)',
    ),
    breaks: [
      'required @acme/client#Client: the new parameter `key` is required (before src/client.ts:12, after src/client.ts:12)',
    ],
    uses: ['likely src/app.ts:3 @acme/client#Client'],
  },
  'a parameter is inserted': {
    change: replaced(
      'src/client.ts',
      'connect(url: string, timeout?: number)',
      'connect(url: string, key: string, timeout: number)',
    ),
    breaks: [
      'required @acme/client#connect: the new parameter `key` is required (before src/client.ts:8, after src/client.ts:8)',
    ],
    uses: ['likely src/app.ts:5 @acme/client#connect', 'likely src/whole.js:2 @acme/client#connect'],
  },
  'a parameter is removed': {
    change: replaced('src/client.ts', 'connect(url: string, timeout?: number)', 'connect(url: string)'),
    breaks: [
      'narrowed @acme/client#connect: the parameter `timeout` was removed (before src/client.ts:8, after src/client.ts:8)',
    ],
    uses: ['likely src/whole.js:2 @acme/client#connect'],
  },
  'parameters change places': {
    change: replaced('src/client.ts', 'query(sql: string, limit = 10)', 'query(limit: number, sql: string)'),
    breaks: [
      'required @acme/client#Client.query: the parameter `limit` is now required (before src/client.ts:15, after src/client.ts:15)',
    ],
    uses: ['possible src/app.ts:6 @acme/client#Client.query'],
  },
  'a method goes': {
    change: replaced(
      'src/client.ts',
      `
  close(): void {
    helper('', 0)
  }
`,
      '',
    ),
    breaks: ['removed @acme/client#Client.close: `Client.close` was removed (before src/client.ts:19)'],
    uses: ['likely src/app.ts:7 @acme/client#Client.close'],
  },
  'a method is renamed': {
    change: replaced('src/client.ts', 'close(): void', 'end(): void'),
    breaks: [
      'renamed @acme/client#Client.close → @acme/client#Client.end: `Client.close` is now called `end` (before src/client.ts:19, after src/client.ts:19)',
    ],
    uses: ['likely src/app.ts:7 @acme/client#Client.close'],
  },
  'a member of an enum goes': {
    change: replaced('src/colors.ts', "  Green = 'green',\n", ''),
    breaks: ['removed @acme/client#Color.Green: `Color.Green` was removed (before src/colors.ts:3)'],
    uses: ['likely src/app.ts:9 @acme/client#Color.Green'],
  },
  'a field of an interface goes': {
    change: replaced('src/client.ts', '  retries: number\n', ''),
    breaks: ['removed @acme/client#Options.retries: `Options.retries` was removed (before src/client.ts:5)'],
    uses: [],
  },
  'a star no longer passes a file on': {
    change: replaced('src/index.ts', "export * from './colors.js'\n", ''),
    breaks: [
      'removed @acme/client#Color: `Color` is no longer exported by `@acme/client` (before src/index.ts:2)',
    ],
    uses: ['certain src/app.ts:1 @acme/client#Color'],
  },
  'the default export goes': {
    change: replaced('src/index.ts', "export { default } from './client.js'\n", ''),
    breaks: [
      'removed @acme/client#default: `default` is no longer exported by `@acme/client` (before src/index.ts:3)',
    ],
    uses: ['certain src/app.ts:1 @acme/client#default'],
  },
  'a result has to be awaited': {
    change: replaced(
      'src/client.ts',
      'export function connect(url: string, timeout?: number): string',
      'export async function connect(url: string, timeout?: number): Promise<string>',
    ),
    breaks: [
      'changed @acme/client#connect: `connect` has to be awaited now (before src/client.ts:8, after src/client.ts:8)',
    ],
    uses: ['likely src/app.ts:5 @acme/client#connect', 'likely src/whole.js:2 @acme/client#connect'],
  },
  'the package is renamed': {
    change: { 'package.json': manifest({ name: '@acme/sdk' }) },
    breaks: [
      'renamed @acme/client → @acme/sdk: the npm package `@acme/client` is now called `@acme/sdk` (before package.json:2, after package.json:2)',
    ],
    uses: [
      'likely src/app.ts:1 @acme/client#default',
      'likely src/app.ts:1 @acme/client#connect',
      'likely src/app.ts:1 @acme/client#Client',
      'likely src/app.ts:1 @acme/client#Color',
      'likely src/app.ts:1 @acme/client#Options',
      'likely src/whole.js:1 @acme/client',
    ],
  },
}

for (const [name, { change, breaks, uses }] of Object.entries(breaking))
  test(`npm: ${name}`, async () => {
    const found = await breaksBetween(packages, library, changed(library, change))
    expect(found.map(words)).toEqual(breaks)
    expect(await brokenUses(packages, found, user)).toEqual(uses)
  })

const compatible: Record<string, Record<string, string | null>> = {
  'a file moves and the name is passed on': {
    'src/client.ts': null,
    'src/net/client.ts': (library['src/client.ts'] ?? '').replace('./helper.js', '../helper.js'),
    'src/index.ts': (library['src/index.ts'] ?? '').replaceAll('./client.js', './net/client.js'),
  },
  'an optional parameter is added': replaced(
    'src/client.ts',
    'timeout?: number)',
    'timeout?: number, retries = 2)',
  ),
  'a required parameter becomes optional': replaced(
    'src/client.ts',
    'query(sql: string',
    'query(sql?: string',
  ),
  'rest parameters are added': replaced(
    'src/client.ts',
    'timeout?: number)',
    'timeout?: number, ...rest: string[])',
  ),
  'a parameter is renamed': replaced('src/client.ts', 'connect(url: string', 'connect(address: string'),
  'a private helper changes': {
    'src/helper.ts': 'export function assist(a: string, b: number): string {\n  return a + b\n}\n',
  },
  'a private member is added': replaced(
    'src/client.ts',
    '  query(sql',
    '  private secret(): void {}\n\n  query(sql',
  ),
  'a body changes': replaced('src/client.ts', 'return helper(url, timeout)', 'return helper(url)'),
  'exports are reordered': {
    'src/index.ts': `export { default } from './client.js'
export * from './colors.js'
export { type Options, Client, connect } from './client.js'
`,
  },
  'comments are added': replaced(
    'src/client.ts',
    'export class',
    '/** Speaks to the server. */\nexport class',
  ),
  'an alias keeps the old name': {
    ...replaced('src/index.ts', 'connect, Client', 'open as connect, open, Client'),
    ...replaced('src/client.ts', 'function connect', 'function open'),
  },
  'a member moves into a base class': replaced(
    'src/client.ts',
    `export class Client {
  constructor(readonly url: string) {}
`,
    `class Closing {
  close(): void {
    helper('', 0)
  }
}

export class Client extends Closing {
  constructor(readonly url: string) {
    super()
  }
`,
  ),
  'a member may come from another package': {
    ...replaced(
      'src/client.ts',
      'export class Client {',
      "import { Base } from '@acme/base'\n\nexport class Client extends Base {",
    ),
  },
  'names may come from another package': {
    'src/index.ts': "export * from '@acme/other'\nexport { Client, type Options } from './client.js'\n",
  },
  'an overload is added': replaced(
    'src/client.ts',
    'export function connect(',
    'export function connect(url: URL): string\nexport function connect(',
  ),
  'entry points are written another way': {
    'package.json': manifest({
      main: undefined,
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    }),
  },
  'the version changes': { 'package.json': manifest({ version: '2.0.0' }) },
}

for (const [name, change] of Object.entries(compatible))
  test(`npm, compatible: ${name}`, async () => {
    const after = changed(library, change)
    expect(after).not.toEqual(library)
    expect((await breaksBetween(packages, library, after)).map(words)).toEqual([])
  })

const exportsMap: Files = {
  ...library,
  'package.json': manifest({
    exports: { '.': './dist/index.js', './colors': './dist/colors.js', './net/*': './dist/net/*.js' },
    bin: { acme: './dist/cli.js' },
  }),
  'src/net/tcp.ts': 'export const open = () => {\n  return 1\n}\n',
  'src/cli.ts': 'console.log(1)\n',
}
const exportsUser: Files = {
  'package.json': JSON.stringify(
    { name: 'web', scripts: { build: 'acme build && tsc' }, dependencies: { '@acme/client': '1' } },
    null,
    2,
  ),
  'src/app.ts': `import { Color } from '@acme/client/colors'
import { open } from '@acme/client/net/tcp'
export { Color, open }
`,
}

test('npm: entry points, patterns and commands go', async () => {
  const after = changed(exportsMap, {
    'package.json': manifest({ exports: { '.': './dist/index.js', './net/*': './dist/net/*.js' } }),
    'src/net/tcp.ts': null,
  })
  const found = await breaksBetween(packages, exportsMap, after)
  expect(found.map(words)).toEqual([
    'removed @acme/client/colors: `@acme/client/colors` can no longer be imported (before package.json:7)',
    'removed @acme/client/net/tcp: `@acme/client/net/tcp` can no longer be imported (before package.json:2)',
    'removed acme: the command `acme` is no longer installed by `@acme/client` (before package.json:10)',
  ])
  expect(await brokenUses(packages, found, exportsUser)).toEqual([
    'likely package.json:4 acme',
    'certain src/app.ts:1 @acme/client/colors#Color',
    'certain src/app.ts:2 @acme/client/net/tcp#open',
  ])
})

test('npm: one definition under several entry points breaks once', async () => {
  const after = changed(exportsMap, replaced('src/colors.ts', "  Green = 'green',\n", ''))
  expect((await breaksBetween(packages, exportsMap, after)).map(({ name }) => name)).toEqual([
    '@acme/client#Color.Green',
  ])
})

test('npm: CommonJS is compared where it says what it exports', async () => {
  const before: Files = {
    'package.json': JSON.stringify({ name: 'acme-js', main: 'index.js' }),
    'index.js':
      'function connect() {\n  return 1\n}\nfunction close() {\n  return 2\n}\nmodule.exports = { connect, close }\n',
  }
  const after = changed(before, {
    'index.js': 'function close() {\n  return 2\n}\nmodule.exports = { close }\n',
  })
  const found = await breaksBetween(packages, before, after)
  expect(found.map(({ name, how }) => `${how} ${name}`)).toEqual(['removed acme-js#connect'])
  expect(
    await brokenUses(packages, found, {
      'package.json': JSON.stringify({ dependencies: { 'acme-js': '1' } }),
      'a.js': "const { connect } = require('acme-js')\nconnect()\n",
      'b.mjs': "import { connect } from 'acme-js'\nconnect()\n",
    }),
  ).toEqual(['likely a.js:1 acme-js#connect', 'certain b.mjs:1 acme-js#connect'])
  const open = changed(before, { 'index.js': "module.exports = { ...require('./all'), close: 1 }\n" })
  expect(await breaksBetween(packages, before, open)).toEqual([])
})

test('npm: a module that is a function is called by its name, and one without a default export is read through it', async () => {
  const manifest = '{ "name": "@acme/check", "main": "index.js" }\n'
  const one = { 'package.json': manifest, 'index.js': 'function check() {}\nmodule.exports = check\n' }
  const several = changed(one, {
    'index.js': 'function check() {}\nfunction count() {}\nmodule.exports = { check, count }\n',
  })
  const called = { 'a.js': "const check = require('@acme/check')\n\ncheck(1)\n" }
  const [whole, fewer] = [
    await breaksBetween(packages, one, several),
    await breaksBetween(
      packages,
      several,
      changed(one, { 'index.js': 'function check() {}\nmodule.exports = { check }\n' }),
    ),
  ]
  expect(await brokenUses(packages, whole, called)).toEqual(['likely a.js:3 @acme/check#default'])
  const through = { 'a.js': "import acme from '@acme/check'\n\nacme.count(1)\nacme.check(1)\n" }
  expect(await brokenUses(packages, fewer, through)).toEqual(['likely a.js:3 @acme/check#default.count'])
})

test('npm: a private package is nobody else’s', async () => {
  const before = { ...library, 'package.json': manifest({ private: true }) }
  const after = changed(before, replaced('src/index.ts', 'connect, Client', 'Client'))
  expect(await breaksBetween(packages, before, after)).toEqual([])
})

test('npm: who does not depend on the package, or has one of that name, does not use it', async () => {
  const found = await breaksBetween(
    packages,
    library,
    changed(library, replaced('src/index.ts', 'connect, Client', 'Client')),
  )
  expect(
    await brokenUses(packages, found, { ...user, 'package.json': '{"name":"web","dependencies":{}}' }),
  ).toEqual([])
  expect(
    await brokenUses(packages, found, { ...user, 'vendor-less/package.json': '{"name":"@acme/client"}' }),
  ).toEqual([])
})

const locks: Record<string, [string, string, string]> = {
  npm: [
    'package-lock.json',
    '{\n  "packages": {\n    "": {},\n    "node_modules/@acme/client": {\n      "version": "1.4.2"\n    }\n  }\n}\n',
    '1.4.2 package-lock.json:5',
  ],
  pnpm: [
    'pnpm-lock.yaml',
    "packages:\n\n  '@acme/client@1.4.3':\n    resolution: {}\n",
    '1.4.3 pnpm-lock.yaml:3',
  ],
  yarn: ['yarn.lock', '"@acme/client@^1.4.0":\n  version "1.4.4"\n', '1.4.4 yarn.lock:2'],
  berry: ['yarn.lock', '"@acme/client@npm:^1.4.0":\n  version: 1.4.5\n', '1.4.5 yarn.lock:2'],
  manifest: ['README.md', '', '^1.4.0 package.json:4'],
}

for (const [name, [path, text, pinned]] of Object.entries(locks))
  test(`npm: the version is in the ${name} file`, async () => {
    const [broken] = await breaksBetween(
      packages,
      library,
      changed(library, replaced('src/index.ts', 'connect, Client', 'Client')),
    )
    const tree = treeOf({ ...user, [path]: text })
    const [file] = await tree.read(['src/app.ts'])
    const use = file ? (await packages.uses(file)).find(({ name }) => name.endsWith('#connect')) : undefined
    if (!broken || !use) throw new Error('nothing broke')
    const pin = await packages.pin?.(broken, use, tree)
    expect(`${pin?.version} ${pin?.path}:${pin?.line}`).toBe(pinned)
  })

test('npm: a private field is no member, wherever it is set', async () => {
  const classOf = (name: string) =>
    `export class Client {\n  private ${name}: () => void\n  constructor() {\n    this.${name} = () => undefined\n  }\n}\n`
  const before: Files = { 'package.json': manifest(), 'src/index.ts': classOf('send') }
  const after = changed(before, { 'src/index.ts': classOf('write') })
  expect(await breaksBetween(packages, before, after)).toEqual([])
})

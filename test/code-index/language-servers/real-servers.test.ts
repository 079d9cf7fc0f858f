/** The servers themselves, over repositories of a few lines. gopls and clangd are asked where they are installed. */
import { expect, test } from 'vitest'
import { needs } from '../../helpers/needs/needs.ts'
import { errors, open, places } from './open-servers.ts'

test('typescript answers from all projects of a solution, and across packages by name', async () => {
  const servers = await open({
    'tsconfig.json':
      '{ "files": [], "references": [{ "path": "./packages/core" }, { "path": "./packages/app" }], // two\n}',
    'packages/core/tsconfig.json': '{ "compilerOptions": { "composite": true }, "include": ["src"] }',
    'packages/core/package.json': '{ "name": "@x/core", "exports": "./src/index.ts" }',
    'packages/core/src/index.ts': 'export function load(id: string): string {\n  return id\n}\nload("a")\n',
    'packages/app/tsconfig.json':
      '{ "compilerOptions": { "module": "nodenext" }, "include": ["src"], "references": [{ "path": "../core" }] }',
    'packages/app/package.json': '{ "type": "module", "dependencies": { "@x/core": "workspace:*" } }',
    'packages/app/src/main.ts': "import { load } from '@x/core'\nexport const run = () => load(1)\n",
  })
  const at = { path: 'packages/core/src/index.ts', line: 1, column: 16 }
  const references = await servers.references(at)
  expect(references).toMatchObject({ state: 'complete', source: 'typescript 7.0.2', why: null })
  expect(places(references)).toEqual([
    'packages/app/src/main.ts:1:9',
    'packages/app/src/main.ts:2:25',
    'packages/core/src/index.ts:4:0',
  ])
  expect(places(await servers.definition({ path: 'packages/app/src/main.ts', line: 2, column: 25 }))).toEqual(
    ['packages/core/src/index.ts:1:16'],
  )
  const callers = await servers.callers(at)
  expect(callers.found.map(({ path, symbol }) => [path, symbol?.name ?? null])).toEqual([
    ['packages/app/src/main.ts', null],
    ['packages/app/src/main.ts', 'run'],
    ['packages/core/src/index.ts', null],
  ])
  const { found, state } = await servers.diagnostics('packages/app/src/main.ts')
  expect([state, found.map(({ line, code, severity }) => [line, code, severity])]).toEqual([
    'complete',
    [[2, '2345', 'error']],
  ])
})

test('pyright waits until it has read everything, hides nothing by the repository’s settings, and judges another text', async () => {
  const text = 'from till.order import total\nimport absent\n\nprint(total(1), total("a", 2), absent.x)\n'
  const servers = await open({
    'pyproject.toml': '[tool.pyright]\ninclude = ["src"]\n',
    'src/shop/__init__.py': '',
    'src/shop/order.py': 'class Order:\n    def total(self) -> int:\n        return 1\n',
    'src/shop/use.py': 'from shop.order import Order\n\ndef show(order: Order):\n    return order.total()\n',
    'tests/test_order.py':
      'from shop.order import Order\n\ndef test_total():\n    assert Order().total() == 1\n',
    'till/__init__.py': '',
    'till/order.py': 'def total(count: int) -> int:\n    return count\n',
    'use.py': text,
    'free.py': 'def free(x):\n    return x.foo\n',
    'other.py': 'class Other:\n    def total(self):\n        return 2\n\nOther().total()\n',
  })
  const answer = await servers.references({ path: 'src/shop/order.py', line: 2, column: 8 })
  expect(answer.state).toBe('complete')
  expect(answer.source).toMatch(/^pyright 1\./)
  expect(places(answer)).toEqual(['src/shop/use.py:4:17', 'tests/test_order.py:4:19'])
  const { found } = await servers.symbols('src/shop/order.py')
  expect(
    found.filter(({ kind }) => kind === 5 || kind === 6).map(({ scope, name }) => `${scope}.${name}`),
  ).toEqual(['.Order', 'Order.total'])
  const own = ['(2 reportMissingImports)', '4 reportCallIssue']
  expect(await errors(servers, 'use.py')).toEqual(own)
  expect(await errors(servers, 'use.py', text.replace('total("a", 2)', 'total(2)'))).toEqual(own.slice(0, 1))
  expect(await errors(servers, 'use.py')).toEqual(own)
  const free = await servers.type({ path: 'free.py', line: 1, column: 4 })
  // No type where it knows none.
  expect(free.found[0]).toMatch(/Unknown|free\(x\)/)
})

test('gopls loads a module whose requirements are not here', needs('gopls and go'), async () => {
  const servers = await open({
    'go.mod':
      'module example.com/shop\n\ngo 1.99.0\n\ntoolchain go1.99.1\n\nrequire example.com/absent v1.2.3\n',
    'shop.go': 'package shop\n\nimport "example.com/absent"\n\nfunc Total() int { return absent.X }\n',
    'use/use.go': 'package use\n\nimport "example.com/shop"\n\nvar _ = shop.Total()\n',
  })
  const answer = await servers.references({ path: 'shop.go', line: 5, column: 5 })
  expect(answer.state).toBe('complete')
  expect(places(answer)).toEqual(['use/use.go:5:13'])
})

test('clangd works without the repository’s own database', needs('clangd'), async () => {
  const servers = await open({
    'compile_commands.json':
      '[{ "directory": "/", "file": "no.c", "command": "clang -fplugin=evil.so no.c" }]',
    '.clangd': 'CompileFlags:\n  Add: [-fplugin=evil.so]\n',
    'include/shop/total.h': 'int total(int a);\n',
    'src/total.c': '#include "shop/total.h"\nint total(int a) { return a; }\n',
    'src/use.c': '#include <shop/total.h>\nint use(void) { return total(1); }\n',
  })
  const answer = await servers.references({ path: 'src/total.c', line: 2, column: 4 })
  expect(answer.state).toBe('complete')
  expect(places(answer)).toContain('src/use.c:2:23')
})

/** Broken uses in Go, and uses that still work. */
import { expect, test } from 'vitest'
import { brokenUses } from './broken-uses.ts'

const mod = { 'go.mod': 'module example.com/kit\n\ngo 1.22\n' }

test('functions of packages, methods of receivers, promoted members', async () => {
  const store = (list: string, gone: string) =>
    `package store\n\ntype Store struct {\n\tName string\n}\n\nfunc New() (*Store, error) {\n\treturn &Store{}, nil\n}\n\nfunc (s *Store) Load(${list}) string {\n\treturn s.Name\n}\n${gone}`
  const found = await brokenUses(
    {
      ...mod,
      'store/store.go': store('key string', '\nfunc Reset() int {\n\treturn len("abc")\n}\n'),
      'store/near.go': 'package store\n\nfunc near() {\n\tReset()\n}\n',
      'store/near_test.go':
        'package store_test\n\nimport "example.com/kit/store"\n\nfunc use() {\n\tstore.Reset()\n}\n',
      'app/app.go':
        'package app\n\nimport (\n\tst "example.com/kit/store"\n)\n\ntype App struct {\n\t*st.Store\n\tinner *st.Store\n}\n\nfunc (a *App) Run(other st.Store) {\n\ta.inner.Load("a")\n\ta.Load("b")\n\tother.Load("c")\n\tmade, err := st.New()\n\tif err == nil {\n\t\tmade.Load("d")\n\t}\n\tst.Reset()\n}\n',
      'app/other.go':
        'package app\n\ntype Other struct{}\n\nfunc (o Other) Load(key string) string { return key }\n\nfunc other(o Other) {\n\to.Load("a")\n\tReset := func() {}\n\tReset()\n}\n',
    },
    { 'store/store.go': store('key string, fresh bool', '') },
  )
  expect(found.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'app/app.go:13 signature-arity',
    'app/app.go:14 signature-arity',
    'app/app.go:15 signature-arity',
    'app/app.go:18 signature-arity',
    'app/app.go:20 removed-symbol',
    'store/near.go:4 removed-symbol',
    'store/near_test.go:6 removed-symbol',
  ])
})

test('a repository without go.mod is found by the folders that its files import from each other', async () => {
  const name = 'github.com/example/kit'
  const base = {
    'kit.go': `package kit\n\nimport (\n\t"${name}/table"\n\t"${name}/y"\n)\n\nfunc run() { table.Open(y.Sum(1)) }\n`,
    'table/table.go': 'package table\n\nfunc Open(at int) {}\n',
    'table/table_test.go': `package table\n\nimport "${name}/y"\n\nfunc use() {\n\ty.Temp()\n}\n`,
    'y/y.go':
      'package y\n\nfunc Sum(of int) int { return of }\n\nfunc Temp() (string, error) {\n\treturn "a", nil\n}\n',
  }
  const change = { 'y/y.go': 'package y\n\nfunc Sum(of int) int { return of }\n' }
  const found = await brokenUses(base, change)
  expect(found).toEqual([expect.stringMatching(/^table\/table_test\.go:6 removed-symbol /)])
  const other = { 'table/table_test.go': base['table/table_test.go'].replace(name, 'github.com/another/kit') }
  expect(await brokenUses({ ...base, ...other }, change)).toEqual([])
})

test('the same function for another platform keeps its callers whole', async () => {
  const found = await brokenUses(
    {
      ...mod,
      'os/a_linux.go': 'package os\n\nfunc Open(name string) int { return 1 }\n',
      'os/a_windows.go': 'package os\n\nfunc Open(name string) int { return 2 }\n',
      'os/use.go': 'package os\n\nfunc use() int { return Open("a") }\n',
    },
    { 'os/a_linux.go': 'package os\n\nfunc Open(name string, mode int) int { return mode }\n' },
  )
  expect(found).toEqual([])
})

test('keys of literals are fields: one of a telling name counts', async () => {
  const type = (field: string) => `package kit\n\ntype Report struct {\n\t${field} string\n\tOther  int\n}\n`
  const found = await brokenUses(
    {
      ...mod,
      'report.go': type('ServersDataPath'),
      'use.go': 'package kit\n\nfunc use() Report {\n\treturn Report{ServersDataPath: "a", Other: 1}\n}\n',
    },
    { 'report.go': type('Source') },
  )
  expect(found).toEqual([
    expect.stringMatching(/^use\.go:4 \w+-symbol the only member with this name was removed$/),
  ])
})

test('types that lack the method an interface gained', async () => {
  const type = (name: string, more = '') =>
    `package kit\n\ntype ${name} struct{}\n\nfunc (x *${name}) Get() {}\nfunc (x *${name}) Put() {}\n${more}`
  const found = await brokenUses(
    {
      ...mod,
      'cache.go': 'package kit\n\ntype Cache interface {\n\tGet()\n\tPut()\n}\n',
      'one.go': type('One', '\nvar _ Cache = (*One)(nil)\n'),
      'two.go': type('Two'),
      'three.go': type('Three', 'func (x *Three) Drop() {}\n\nvar _ Cache = &Three{}\n'),
    },
    { 'cache.go': 'package kit\n\ntype Cache interface {\n\tGet()\n\tPut()\n\tDrop()\n}\n' },
  )
  expect(found).toEqual(['one.go:8 implementer-not-updated it has no `Drop`'])
})

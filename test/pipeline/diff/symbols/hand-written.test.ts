/** The syntactic diff over facts written by hand: what parsers rarely give, and what must not be guessed. */
import { expect, test } from 'vitest'
import type { FactStore, FileFacts } from '../../../../src/code-index/contract.ts'
import type { CodeSymbol, Parameter } from '../../../../src/domain/code-symbol.ts'
import { signatureDelta } from '../../../../src/pipeline/diff/symbol-changes.ts'
import { maskedTokens, shapeOf, similarity } from '../../../../src/pipeline/diff/symbols/match-content.ts'
import { blobOf, type Texts } from '../../../helpers/in-memory/change.ts'
import { diffTrees, inWords } from './diff-trees.ts'

function parameter(name: string, rest: Partial<Parameter> = {}): Parameter {
  return { name, type: null, optional: false, variadic: false, keywordOnly: false, ...rest }
}

function codeSymbol(name: string, rest: Partial<CodeSymbol> = {}): CodeSymbol {
  return {
    ...{ name, kind: 'function', scope: '', startLine: 1, endLine: 3, nameLine: 1 },
    signature: { text: `function ${name}()`, parameters: [], returnType: null },
    ...{ visibility: 'exported', signatureHash: 's', bodyHash: 'b', isTest: false, doc: null },
    ...rest,
  }
}

function fileFacts(symbols: CodeSymbol[], rest: Partial<FileFacts> = {}): FileFacts {
  return {
    ...{ language: 'typescript', symbols, parents: symbols.map(() => null), references: [], imports: [] },
    ...{ exports: [], typedNames: [], supertypes: [], errorLines: [], lineCount: 3 },
    ...{ packageName: null, otherPackages: [] },
    ...rest,
  }
}

/** A store that knows the given texts only. */
function storeOf(known: [string, FileFacts][]): FactStore {
  const byBlob = new Map(known.map(([text, facts]) => [blobOf(text), facts]))
  return {
    facts: async (files) =>
      new Map(
        files.flatMap(({ path, blob }) => {
          const own = byBlob.get(blob)
          return own ? [[path, own] as const] : []
        }),
      ),
    failures: [],
    close: async () => {},
  }
}

async function changes(known: [string, FileFacts][], before: Texts, after: Texts) {
  return inWords(await diffTrees(storeOf(known), before, after))
}

test('a file that could not be parsed on one side yields nothing', async () => {
  const known: [string, FileFacts][] = [['old', fileFacts([codeSymbol('f')])]]
  expect(await changes(known, { 'a.ts': 'old' }, { 'a.ts': 'new' })).toEqual([])
  expect(await changes(known, { 'a.ts': 'new' }, { 'a.ts': 'old' })).toEqual([])
  expect(await changes(known, {}, { 'a.ts': 'old' })).toEqual(['added a.ts f'])
  expect(await changes(known, { 'a.ts': 'old' }, {})).toEqual(['removed a.ts f'])
})

test('what may stand in unreadable lines is not called removed', async () => {
  const torn = 'function f( {\n}\n'
  const known: [string, FileFacts][] = [
    ['old', fileFacts([codeSymbol('f'), codeSymbol('g')])],
    [torn, fileFacts([], { errorLines: [{ startLine: 1, endLine: 2 }] })],
  ]
  expect(await changes(known, { 'a.ts': 'old' }, { 'a.ts': torn })).toEqual(['removed a.ts g'])
})

test('members of a class whose head cannot be read were not removed, and not added where they stand now', async () => {
  const torn = 'class Row(\nlet a\nfunc f()\n'
  const within = { scope: 'Row' }
  const members = [
    codeSymbol('a', { ...within, kind: 'field' }),
    codeSymbol('f', { ...within, kind: 'method' }),
  ]
  const orphans = [codeSymbol('a', { kind: 'variable' }), codeSymbol('f'), codeSymbol('h')]
  const known: [string, FileFacts][] = [
    ['old', fileFacts([codeSymbol('Row', { kind: 'class' }), ...members], { parents: [null, 0, 0] })],
    [torn, fileFacts(orphans, { errorLines: [{ startLine: 1, endLine: 1 }] })],
  ]
  expect(await changes(known, { 'a.ts': 'old' }, { 'a.ts': torn })).toEqual(['added a.ts h'])
  expect(await changes(known, { 'a.ts': torn }, { 'a.ts': 'old' })).toEqual(['removed a.ts h'])
})

test('a block of a namespace of C++ is no symbol that comes or goes', async () => {
  const space = codeSymbol('kit', { kind: 'module' })
  const known: [string, FileFacts][] = [
    ['old', fileFacts([space, codeSymbol('f', { scope: 'kit' })], { language: 'cpp', parents: [null, 0] })],
  ]
  expect(await changes(known, { 'a.cpp': 'old' }, {})).toEqual(['removed a.cpp kit.f'])
})

test('a body that several share proves no rename; declarations without a body never do', async () => {
  const lone = (name: string, bodyHash: string, startLine: number) =>
    codeSymbol(name, { bodyHash, startLine, endLine: startLine + 2, signatureHash: name })
  const text = (names: string[]) => names.map((name) => `${name}\n\n\n`).join('')
  const [old, now] = [text(['a', 'b']), text(['c', 'd'])]
  const shared: [string, FileFacts][] = [
    [old, fileFacts([lone('a', 'same', 1), lone('b', 'same', 4)])],
    [now, fileFacts([lone('c', 'same', 1), lone('d', 'same', 4)])],
  ]
  const all = ['removed x.ts a', 'added x.ts c', 'removed x.ts b', 'added x.ts d']
  expect((await changes(shared, { 'x.ts': old }, { 'x.ts': now })).sort()).toEqual(all.sort())
  const empty = 'e3b0c44298fc1c14'
  const bare: [string, FileFacts][] = [
    [old, fileFacts([lone('a', empty, 1), lone('b', 'one', 4)])],
    [now, fileFacts([lone('c', 'two', 1), lone('d', empty, 4)])],
  ]
  expect((await changes(bare, { 'x.ts': old }, { 'x.ts': now })).sort()).toEqual(all.sort())
})

test('thousands of leftovers end, and the result is the same every time', async () => {
  const names = Array.from({ length: 1_500 }, (_, index) => index)
  const side = (prefix: string): [string, FileFacts] => {
    const text = names.map((i) => `function ${prefix}${i}() {\n  return ${i} + other(${i} * 7)\n}\n`).join('')
    const symbols = names.map((i) =>
      codeSymbol(`${prefix}${i}`, {
        ...{
          startLine: i * 3 + 1,
          endLine: i * 3 + 3,
          signatureHash: `${prefix}${i}`,
          bodyHash: `${prefix}${i}`,
        },
      }),
    )
    return [text, fileFacts(symbols)]
  }
  const known = [side('a'), side('b')]
  const run = () => changes(known, { 'x.ts': known[0]?.[0] ?? '' }, { 'x.ts': known[1]?.[0] ?? '' })
  const first = await run()
  expect(first.filter((line) => line.startsWith('renamed')).length).toBeGreaterThan(100)
  const told = first.reduce((sum, line) => sum + (line.startsWith('renamed') ? 2 : 1), 0)
  expect(told).toBe(3_000)
  expect(await run()).toEqual(first)
})

test('parameters added, removed, changed, in another order', () => {
  const withParameters = (...parameters: Parameter[]) =>
    codeSymbol('f', {
      signature: { text: parameters.map(({ name }) => name).join(), parameters, returnType: null },
      signatureHash: JSON.stringify(parameters),
    })
  const [a, b, c] = [parameter('a'), parameter('b'), parameter('c')]
  const delta = (before: Parameter[], after: Parameter[]) =>
    signatureDelta(withParameters(...before), withParameters(...after))
  expect(delta([a, b], [a, b])).toBeNull()
  expect(delta([a, b], [a, c])).toMatchObject({
    parametersAdded: [c],
    parametersRemoved: [b],
    reordered: false,
  })
  expect(delta([a, b, c], [c, a])).toMatchObject({ parametersRemoved: [b], reordered: true })
  const optional = parameter('a', { optional: true })
  expect(delta([a], [optional])).toMatchObject({
    parametersChanged: [{ name: 'a', before: a, after: optional }],
  })
  const blank = parameter('_')
  expect(delta([blank, blank], [blank])).toMatchObject({ parametersRemoved: [blank], parametersAdded: [] })
})

test('a rename alone is no other signature; a decorator alone is', () => {
  const named = (name: string) =>
    codeSymbol(name, {
      signature: { text: `function ${name}(a, ${name}2)`, parameters: [], returnType: null },
      signatureHash: name,
    })
  expect(signatureDelta(named('f'), named('g'))).not.toBeNull()
  const plain = (name: string) => codeSymbol(name, { signatureHash: name })
  expect(signatureDelta(plain('f'), plain('g'))).toBeNull()
  expect(signatureDelta(plain('f'), codeSymbol('f', { signatureHash: 'decorated' }))).toMatchObject({
    parametersAdded: [],
    visibility: null,
  })
})

test('similarity is the share of trigrams, without the name', () => {
  const alike = (a: string, b: string) => similarity(shapeOf(a, 'f'), shapeOf(b, 'g'))
  expect(alike('f(a) + 1', 'g(a) + 1')).toBe(1)
  expect(alike('a b c d e', 'a b c x y')).toBeCloseTo(1 / 3)
  expect(alike('a', 'a')).toBe(0)
  expect(maskedTokens('naïve($x, 12)', '$x')).toEqual(['naïve', '(', '·', ',', '12', ')'])
})

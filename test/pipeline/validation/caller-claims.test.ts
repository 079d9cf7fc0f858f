import { describe, expect, test } from 'vitest'
import type { Claim } from '../../../src/domain/claim.ts'
import { check } from './claim-check.ts'
import { createWorld, reference, symbol, symbolChange } from './world.ts'

describe('caller-not-updated', () => {
  const callers = 'import { parse } from "./a"\nparse(1)\n// parse(2)\n'
  const use = { imports: [], references: [reference('parse', 2)] }
  const claim: Claim = {
    kind: 'caller-not-updated',
    symbol: 'parse',
    definedIn: 'src/a.ts',
    path: 'src/b.ts',
    line: 2,
  }
  const was = { symbols: [symbol('parse', 1)] }
  const make = (after: Parameters<typeof createWorld>[2], head = 'const x = 1\n') =>
    createWorld(
      { 'src/a.ts': 'export function parse() {}\n', 'src/b.ts': callers },
      { 'src/a.ts': head, 'src/b.ts': callers },
      after,
    )
  const gone = make({ facts: { 'old:src/a.ts': was, 'new:src/a.ts': {}, 'new:src/b.ts': use } })

  test('confirmed when the line calls it and it is gone', async () => {
    expect(await check(claim, gone)).toBe('confirmed')
  })
  test('confirmed for a member named with its container', async () => {
    expect(await check({ ...claim, symbol: 'Reader.parse' }, gone)).toBe('confirmed')
  })
  test('refuted where the name stands in a comment, or nowhere', async () => {
    expect(await check({ ...claim, line: 3 }, gone)).toContain('refuted: `src/b.ts:3` holds `parse` only')
    expect(await check({ ...claim, line: 9 }, gone)).toContain('refuted: `src/b.ts` has no line 9')
    expect(await check({ ...claim, symbol: 'pars' }, gone)).toContain('does not hold')
  })
  test('refuted for a local of the same name', async () => {
    const facts = { references: [reference('parse', 2, { shadowed: true })] }
    const world = make({ facts: { 'old:src/a.ts': was, 'new:src/a.ts': {}, 'new:src/b.ts': facts } })
    expect(await check(claim, world)).toContain('refuted')
  })
  test('refuted when the symbol is the same on both sides, confirmed when its signature is another', async () => {
    const same = { 'old:src/a.ts': was, 'new:src/a.ts': was, 'new:src/b.ts': use }
    expect(await check(claim, make({ facts: same }))).toContain('is the same before and after')
    const other = { symbols: [symbol('parse', 1, { signatureHash: '1'.repeat(16) })] }
    expect(await check(claim, make({ facts: { ...same, 'new:src/a.ts': other } }))).toBe('confirmed')
  })
  test('confirmed for a class whose constructor changed though its header did not', async () => {
    const facts = { 'old:src/a.ts': was, 'new:src/a.ts': was, 'new:src/b.ts': use }
    const before = { path: 'src/a.ts', symbol: symbol('constructor', 1, { scope: 'parse' }) }
    const changed = symbolChange({ kind: 'signature-changed', before, after: before })
    expect(await check(claim, make({ facts }), { symbols: [changed] })).toBe('confirmed')
  })
  test('refuted when the file passes the name on from elsewhere', async () => {
    const passed = { exports: [{ exported: 'parse', local: 'parse', line: 1 }] }
    const world = make({ facts: { 'old:src/a.ts': was, 'new:src/a.ts': passed, 'new:src/b.ts': use } })
    expect(await check(claim, world)).toContain('still offers')
  })
  test('unverifiable through a wildcard, or where nothing is parsed', async () => {
    const star = {
      imports: [{ line: 1, source: './c', imported: '*', local: null, reexport: true, typeOnly: false }],
    }
    const facts = { 'old:src/a.ts': was, 'new:src/a.ts': star, 'new:src/b.ts': use }
    expect(await check(claim, make({ facts }))).toContain('unverifiable')
    expect(await check(claim, make({ facts: {} }))).toContain('unverifiable')
  })
  test('confirmed where it is called by another name: an alias, its type, its heirs', async () => {
    const imported = (name: string, local: string) => ({
      line: 1,
      source: './a',
      imported: name,
      local,
      reexport: false,
      typeOnly: false,
    })
    const alias = { imports: [imported('parse', 'p')], references: [reference('p', 2)] }
    expect(
      await check(claim, make({ facts: { 'old:src/a.ts': was, 'new:src/a.ts': {}, 'new:src/b.ts': alias } })),
    ).toBe('confirmed')

    const build = { ...claim, symbol: 'constructor' }
    const maker = (hash: string) => ({
      symbols: [symbol('constructor', 1, { scope: 'Reader', signatureHash: hash })],
    })
    const called = (name: string) =>
      make({
        facts: {
          'old:src/a.ts': maker('1'),
          'new:src/a.ts': maker('2'),
          'new:src/b.ts': { references: [reference(name, 2)] },
        },
      })
    expect(await check(build, called('Reader'))).toBe('confirmed')
    expect(await check(build, called('Other'))).toContain('unverifiable')

    const duty = { ...claim, symbol: 'area' }
    const heir = { supertypes: [{ symbol: 0, name: 'Shape', line: 2 }] }
    const shape = { symbols: [symbol('area', 1, { scope: 'Shape' })] }
    expect(
      await check(duty, make({ facts: { 'old:src/a.ts': {}, 'new:src/a.ts': shape, 'new:src/b.ts': heir } })),
    ).toBe('confirmed')
    expect(
      await check(duty, make({ facts: { 'old:src/a.ts': {}, 'new:src/a.ts': shape, 'new:src/b.ts': {} } })),
    ).toContain('refuted')
  })
  test('confirmed for a member whatever the file imports: members come with their type', async () => {
    const star = {
      imports: [{ line: 1, source: './c', imported: '*', local: null, reexport: false, typeOnly: false }],
    }
    const member = { symbols: [symbol('parse', 1, { scope: 'Reader' })] }
    const facts = { 'old:src/a.ts': member, 'new:src/a.ts': star, 'new:src/b.ts': use }
    expect(await check(claim, make({ facts }))).toBe('confirmed')
  })
  test('refuted when the symbol never stood there', async () => {
    const facts = { 'old:src/a.ts': {}, 'new:src/a.ts': {}, 'new:src/b.ts': use }
    expect(await check(claim, make({ facts }))).toContain('did not define')
  })
  test('refuted when it only moved within its package', async () => {
    const facts = { 'old:src/a.ts': was, 'new:src/a.ts': { packageName: 'main' }, 'new:src/b.ts': use }
    const moved = symbolChange({
      kind: 'moved',
      before: { path: 'src/a.ts', symbol: symbol('parse', 1) },
      after: { path: 'src/c.ts', symbol: symbol('parse', 1) },
    })
    expect(await check(claim, make({ facts }), { symbols: [moved] })).toContain(
      'only moved within its package',
    )
  })
})

/** What a release consists of besides the bundle, which has a test of its own. */
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { DockerfileParser } from 'dockerfile-ast'
import { expect, test } from 'vitest'
import { packFolder, unpackFolder } from '../../scripts/release/archive.ts'
import { controlFile } from '../../scripts/release/debian.ts'
import { homebrewFormula } from '../../scripts/release/homebrew.ts'
import { releaseNotes } from '../../scripts/release/notes.ts'
import { bundleHostSuite } from '../../scripts/release/npm-package.ts'
import { billOfMaterials, checksums, provenance, sha256Of } from '../../scripts/release/papers.ts'
import { ownNode } from '../../src/base/own-node.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'

const root = join(import.meta.dirname, '../..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

test('a folder is the same after packing, and packs to the same bytes', () => {
  const folder = join(temporaryFolder(), 'from')
  mkdirSync(join(folder, 'bin/deep'), { recursive: true })
  writeFileSync(join(folder, 'bin/run'), '#!/bin/sh\n')
  chmodSync(join(folder, 'bin/run'), 0o755)
  writeFileSync(join(folder, 'bin/deep/bytes'), Buffer.from([0, 255, 10]))
  writeFileSync(join(folder, 'empty'), '')
  const packed = packFolder(folder)
  const to = join(temporaryFolder(), 'to')
  unpackFolder(packed, to)
  expect(readFileSync(join(to, 'bin/deep/bytes'))).toEqual(Buffer.from([0, 255, 10]))
  expect(statSync(join(to, 'bin/run')).mode & 0o777).toBe(0o755)
  expect(packFolder(to).equals(packed)).toBe(true)
  expect(() => unpackFolder(packed, to)).toThrow(/EEXIST/)
})

test('the single file gets the flags that Node reads from options in one word, and those of the engine in another', () => {
  expect(ownNode(['--max-old-space-size=9'])).toEqual([process.execPath, '--max-old-space-size=9'])
  const flags = ['--max-old-space-size=9', '--liftoff-only', '--permission', '--allow-fs-read=/a b/"c"']
  expect(ownNode(flags, true)).toEqual([
    process.execPath,
    '--node-options=--max-old-space-size=9 --permission "--allow-fs-read=/a b/\\"c\\""',
    '--engine-flags=--liftoff-only',
  ])
  expect(ownNode([], true)).toEqual([process.execPath])
})

test('notes list what users notice, by kind', () => {
  const notes = releaseNotes('1.2.3', [
    'feat(cli): a man page',
    'fix: a crash on <empty> files',
    'feat(config)!: keys are checked',
    'perf(index): half the memory',
    'refactor(x): moved',
    'Merge branch a',
  ])
  expect(notes).toContain('# Sightline 1.2.3')
  expect(notes).toContain('## Changes that need your attention\n\n- **config**: keys are checked')
  expect(notes).toContain('## New\n\n- **cli**: a man page\n- **config**: keys are checked')
  expect(notes).toContain('## Fixed\n\n- a crash on &lt;empty> files')
  expect(notes).toContain('2 more commits')
})

test('the bill of materials has a version, a licence and a hash for each package', () => {
  const bill = JSON.parse(JSON.stringify(billOfMaterials(['yaml', '@ast-grep/wasm'], '1.0.0', new Date(0))))
  const component = {
    type: 'object',
    required: ['type', 'name', 'version', 'purl', 'licenses', 'hashes'],
    properties: {
      purl: { pattern: '^pkg:npm/(%40[\\w.-]+/)?[\\w.-]+@\\d' },
      hashes: { minItems: 1, items: { properties: { content: { pattern: '^[0-9a-f]{128}$' } } } },
    },
  }
  const isBill = new Ajv().compile({ properties: { components: { minItems: 2, items: component } } })
  expect([isBill(bill), isBill.errors]).toEqual([true, null])
  expect(() => billOfMaterials(['not-there'], '1.0.0', new Date(0))).toThrow()
})

test('checksums and provenance name the files by their hash', () => {
  const path = join(temporaryFolder(), 'sightline-1.0.0.tgz')
  writeFileSync(path, 'x')
  expect(checksums([path])).toBe(`${sha256Of(path)}  sightline-1.0.0.tgz\n`)
  expect(provenance([path], 'abc', new Date(0))).toMatchObject({
    subject: [{ name: 'sightline-1.0.0.tgz', digest: { sha256: sha256Of(path) } }],
    predicate: { buildDefinition: { resolvedDependencies: [{ digest: { gitCommit: 'abc' } }, {}] } },
  })
})

test('the formula and the description of the Debian package have what their tools require', () => {
  const formula = homebrewFormula('https://example.org/x/sightline-1.0.0.tgz', 'ab'.repeat(32))
  for (const part of [
    'class Sightline < Formula',
    'homepage "https://example.org/x/"',
    'depends_on "node"',
    'test do',
  ])
    expect(formula).toContain(part)
  const control = controlFile('1.0.0', 'amd64', 1000)
  for (const field of ['Package', 'Version', 'Architecture', 'Maintainer', 'Depends', 'Description'])
    expect(control).toMatch(new RegExp(`^${field}: \\S`, 'm'))
  // Lines of a field begin with a space, and the last one ends.
  expect(control).toMatch(/^(?:[A-Z][\w-]*: .+\n(?: .+\n)*)+$/)
})

test('the image pins what it installs, and does not run as root', () => {
  const text = readFileSync(join(root, 'examples/server/Dockerfile'), 'utf8')
  const file = DockerfileParser.parse(text)
  const words = file.getInstructions().map((each) => each.getInstruction())
  expect(new Set(words)).toEqual(new Set(['FROM', 'RUN', 'USER', 'ENTRYPOINT', 'CMD']))
  expect(file.getFROMs().map((from) => from.getImageTag())).toEqual([expect.stringMatching(/^24[.-]/)])
  const installed = [...text.matchAll(/([@\w/-]+)@(\d+\.\d+\.\d+)/g)].map(([, name = '', version]) => [
    name,
    version,
  ])
  const versions = { sightline: manifest.version, ...manifest.dependencies, ...manifest.optionalDependencies }
  expect(Object.fromEntries(installed)).toEqual(
    Object.fromEntries(installed.map(([name = '']) => [name, versions[name]])),
  )
  expect(installed.map(([name]) => name)).toContain('@electric-sql/pglite')
  expect(words.indexOf('USER')).toBeLessThan(words.indexOf('ENTRYPOINT'))
})

test('the contract suite for hosts is one file that needs vitest only, and takes a package as it is', async () => {
  const folder = temporaryFolder()
  await bundleHostSuite(folder)
  expect(readdirSync(folder)).toEqual(['index.js'])
  const imported = [
    ...readFileSync(join(folder, 'index.js'), 'utf8').matchAll(/^import .*? from "([^"]+)"/gm),
  ]
  const outside = imported.flatMap(([, from = '']) => (from.startsWith('node:') ? [] : [from]))
  expect([...new Set(outside)]).toEqual(['vitest'])
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  cpSync(join(folder, 'index.js'), join(root, 'node_modules/.cache/host-suite.js'))
  const suite = await import(join(root, 'node_modules/.cache/host-suite.js'))
  const gerrit = await import(join(root, 'examples/sightline-host-gerrit/index.js'))
  expect(suite.openPackagedHost('sightline-host-gerrit', gerrit).facts.title).toBe('Gerrit')
  expect(() => suite.openPackagedHost('sightline-host-gerrit', { contract: 2 })).toThrow(
    /version 1: contract/,
  )
})

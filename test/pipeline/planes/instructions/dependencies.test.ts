/** Dependencies on real commits: the lock file follows the manifest, or it does not. */
import { expect, test } from 'vitest'
import { instructionsPlane } from '../../../../src/pipeline/planes/instructions/plane.ts'
import type { Changed, Texts } from '../../../helpers/in-memory/change.ts'
import { outcomesOf, reviewChange } from '../review-commit.ts'

const outcomesOfChange = async (before: Texts, after: Changed): Promise<string[]> =>
  outcomesOf(await reviewChange(instructionsPlane, before, after))

const manifest = (dependencies: Record<string, string>, scripts = {}) =>
  `${JSON.stringify({ name: 'shop', scripts, dependencies }, null, 2)}\n`
const lock = (packages: Record<string, Record<string, string>>) =>
  `${JSON.stringify(
    {
      lockfileVersion: 3,
      packages: Object.fromEntries(
        Object.entries(packages).map(([path, dependencies]) => [path, { dependencies }]),
      ),
    },
    null,
    2,
  )}\n`

test('npm: what the lock does not have, in a workspace too', async () => {
  const before = {
    'package.json': manifest({ zod: '^4.0.0' }),
    'app/package.json': manifest({}),
    'new/package.json': manifest({}),
    'package-lock.json': lock({ '': { zod: '^4.0.0' }, app: {} }),
  }
  const after = {
    'package.json': manifest({ zod: '^4.1.0' }, { pino: '^9.0.0' }),
    'app/package.json': manifest({ pino: '^9.0.0', shared: 'workspace:*' }),
    // Not yet known to the lock at all, so nothing can be said of it.
    'new/package.json': manifest({ pino: '^9.0.0' }),
  }
  expect(await outcomesOfChange(before, after)).toEqual([
    'app/package.json:5 instructions/lock-out-of-step',
    'package.json:7 instructions/lock-out-of-step',
  ])
  const locked = { 'package-lock.json': lock({ '': { zod: '^4.1.0' }, app: { pino: '^9.0.0' } }) }
  expect(await outcomesOfChange(before, { ...after, ...locked })).toEqual([])
})

test('npm: what a repository has itself is linked, or published later', async () => {
  const packageOf = (name: string, version: string, dependencies = {}) =>
    `${JSON.stringify({ name, version, dependencies }, null, 2)}\n`
  const before = {
    'core/package.json': packageOf('@kit/core', '1.0.0'),
    'app/package.json': packageOf('@kit/app', '1.0.0', { '@kit/core': '^1.0.0' }),
    'example/package.json': packageOf('example', '0.0.0', { '@kit/app': '^1.0.0' }),
    'example/package-lock.json': lock({ '': { '@kit/app': '^1.0.0' } }),
    'package-lock.json': `${JSON.stringify({
      packages: {
        '': {},
        app: { dependencies: { '@kit/core': '^1.0.0' } },
        'node_modules/@kit/core': { resolved: 'core', link: true },
      },
    })}\n`,
  }
  const linked = { 'app/package.json': packageOf('@kit/app', '1.0.0', { '@kit/core': '^1.0.1' }) }
  expect(await outcomesOfChange(before, linked)).toEqual([])
  const published = {
    'app/package.json': packageOf('@kit/app', '1.0.1', { '@kit/core': '^1.0.0' }),
    'example/package.json': packageOf('example', '0.0.0', { '@kit/app': '^1.0.1' }),
  }
  expect(await outcomesOfChange(before, published)).toEqual([])
})

test('Cargo and Go', async () => {
  const cargo = (more: string) => `[package]\nname = "shop"\n\n[dependencies]\nserde = "1"\n${more}`
  const before = {
    'Cargo.toml': cargo(''),
    'Cargo.lock': 'version = 4\n\n[[package]]\nname = "serde"\nversion = "1.0.0"\n',
    'go.mod': 'module example.org/shop\n\ngo 1.24\n',
    'go.sum': 'example.org/a v1.0.0/go.mod h1:x=\n',
  }
  const after = {
    'Cargo.toml': cargo(
      'json = { package = "serde_json", version = "1" }\nown = { workspace = true }\n[features]\nfast = ["x"]\n[workspace.dependencies]\nunused = "2"\n',
    ),
    'go.mod':
      'module example.org/shop\n\ngo 1.24\n\nrequire (\n\texample.org/a v1.0.0\n\texample.org/b v1.2.0\n\texample.org/c v1.0.0 // indirect\n)\n\nretract (\n\t[v0.4.36, v0.4.37]\n)\n',
  }
  expect(await outcomesOfChange(before, after)).toEqual([
    'Cargo.toml:6 instructions/lock-out-of-step',
    'go.mod:7 instructions/lock-out-of-step',
  ])
})

test('a package that advisories name, and a range in which there are others', async () => {
  const before = { 'package.json': manifest({}) }
  expect(await outcomesOfChange(before, { 'package.json': manifest({ 'event-stream': '3.3.6' }) })).toEqual([
    'package.json:5 instructions/dependency-malicious',
  ])
  expect(await outcomesOfChange(before, { 'package.json': manifest({ 'event-stream': '^3.3.6' }) })).toEqual(
    [],
  )
})

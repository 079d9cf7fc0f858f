/**
 * Where the product writes. Whoever adds a file that makes, changes or removes files decides here why nobody can lead it elsewhere:
 * in a checkout, and for a path that somebody named, `src/base/below.ts` follows no link.
 */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const decided: Record<string, string> = {
  'keep the promise for the others': `
    bin/compile-cache.js src/base/below.ts src/base/durable.ts src/base/file-lock.ts src/base/private-folders.ts`,
  'in a temporary folder of this process, which no one else can enter': `
    src/assembly/run-linters.ts src/base/git/config-data.ts src/base/git/read-data.ts src/base/git/refs.ts src/base/git/shadow.ts
    src/base/git/write-object.ts src/code-index/language-servers/lay-out.ts src/hosts/local/patch.ts
    src/hosts/local/work-tree-place.ts src/test-runs/build-caches.ts src/test-runs/lay-out.ts src/test-runs/run-test.ts`,
  'in a cache or state folder, which makeFolder or ownCacheFolder has checked': `
    src/assembly/workspace/hosted-members.ts src/base/sandbox/confine-node.ts src/code-index/cache/pack.ts
    src/code-index/index-files/index-folder.ts src/code-index/tree-index/collect-garbage.ts src/hosts/remote/fetch-commits.ts src/hosts/remote/fetch-default-branch.ts
    src/hosts/remote/mirror.ts src/hosts/remote/remote-git.ts src/ledger/files.ts src/storage/catalog/sqlite.ts
    src/storage/runs/files/claims.ts src/storage/runs/files/objects.ts src/storage/runs/files/store.ts
    src/storage/runs/registry.ts`,
  "in the server's data folder, which makeFolder has checked": `
    src/server/admin/move.ts src/server/admin/tenants.ts src/server/database/embedded/data-files.ts
    src/server/database/embedded/engine.ts src/server/jobs/job-roles.ts src/server/jobs/live-indexes.ts
    src/server/jobs/places.ts src/server/jobs/run-job.ts src/server/jobs/workspaces.ts src/server/roles/analyzer.ts
    src/server/roles/compiled.ts src/server/roles/gate.ts src/server/roles/run-role.ts
    src/server/settings/data-folder.ts`,
  'makes or empties an absolute folder that a person named; what is in it is written without following links': `
    src/cli/commands/demo.ts src/cli/demo/build.ts src/hosts/frozen/frozen-change.ts`,
  'to the file that the operator named, and the draft beside it is new': 'src/server/admin/archive.ts',
  "the user's settings, which may be a link into their collection": 'src/config/settings/load.ts',
  "the runner's own files, and what a step replaces in its folder": 'action/run.ts',
  'in the installation itself': 'src/server/dashboard-build.ts',
  'opens for reading only': `
    src/cli/commands/config.ts src/code-index/index-files/section-file.ts`,
}

const writes =
  /\b(?:writeFile|createWriteStream|cp|copyFile|rename|mkdir|mkdtemp|appendFile|open|symlink|link|rm|rmdir|unlink|f?truncate|write|[fl]?chmod|[fl]?utimes)(?:Sync)?\b/

test('every file that writes, makes or removes files is decided about', () => {
  const found = globSync(['src/**/*.ts', 'action/*.ts', 'bin/*.js']).filter((path) => {
    const imports = readFileSync(path, 'utf8').matchAll(/import ([^;]*?) from '(?:node:)?fs(?:\/promises)?'/g)
    return [...imports].some(([, names = '']) => !names.startsWith('{') || writes.test(names))
  })
  const known = Object.values(decided).flatMap((paths) => paths.trim().split(/\s+/))
  expect(found.sort()).toEqual(known.sort())
  expect(new Set(known).size).toBe(known.length)
})

/**
 * gopls. It calls `go list`, which reads files and compiles nothing: no toolchain or module is fetched, cgo is off, and
 * generators are never run. In a sandbox the operator's module cache is there only if the settings name it.
 */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { isInside } from '../../../base/places.ts'
import type { Absent, Arrangement, LaidTree, LanguageServer, Program, Surroundings } from '../contract.ts'
import { askVersion, findOnPath, realOf, searchPath } from '../programs.ts'
import { dropAbsentRequirements, dropForeignFolders, lowerGoLine } from './go-modules.ts'

const mostModules = 20

export const gopls: LanguageServer = {
  name: 'gopls',
  languages: ['go'],
  find: findGopls,
  readsFile: (path) => /(?:^|\/)go\.(?:mod|sum|work|work\.sum)$/.test(path),
  documentKind: () => 'go',
  arrange: arrangeGo,
  environment: goEnvironment,
  initializationOptions: null,
  configuration: () => null,
  readiness: { awaitsProgress: true, graceMs: 2_000, agreeing: 2 },
  importsAreDeclarations: false,
  checksTypes: () => true,
  knowsGlobals: true,
  isAbsence: ({ code, message }) =>
    code === 'BrokenImport' || /^could not import|^error while importing/.test(message),
  openAtOnce: 50,
  memoryMb: 3072,
}

async function findGopls(surroundings: Surroundings): Promise<Program | Absent> {
  const [named, ...more] = surroundings.command ?? []
  const command = named ?? findOnPath('gopls', surroundings)
  if (command === null) return { absent: '`gopls` is not on the PATH' }
  const go = findOnPath('go', surroundings)
  if (go === null) return { absent: '`gopls` needs `go`, which is not on the PATH' }
  const environment = goEnvironment(surroundings)
  const version = await askVersion(command, ['version'], environment)
  if (version === null) return { absent: `\`${command}\` does not run` }
  const runtime = await askVersion(go, ['version'], environment)
  const from = named === undefined ? 'PATH' : 'settings'
  const needs = [go, ...installationOf(go)]
  return { command, arguments: more, version: version === '' ? null : version, from, runtime, needs }
}

function goEnvironment(surroundings: Surroundings): Readonly<Record<string, string>> {
  const { environment } = surroundings
  const home = environment.HOME || homedir()
  const goPath = environment.GOPATH || join(home, 'go')
  const modules = environment.GOMODCACHE || join(goPath, 'pkg', 'mod')
  const isSeen =
    !surroundings.isConfined || surroundings.readOnlyPaths.some((path) => isInside(modules, path))
  return {
    PATH: searchPath(surroundings),
    // Modules of others may be private: in a sandbox they are there only if the operator names their cache.
    ...(isSeen ? { GOMODCACHE: modules } : {}),
    ...(surroundings.isConfined ? {} : { GOPATH: goPath }),
    ...(environment.GOROOT ? { GOROOT: environment.GOROOT } : {}),
    GO111MODULE: 'on',
    GOENV: 'off',
    GOFLAGS: '-mod=mod',
    GOPROXY: 'off',
    GOSUMDB: 'off',
    GONOSUMCHECK: '1',
    GOVCS: '*:off',
    GOTOOLCHAIN: 'local',
    GOTELEMETRY: 'off',
    CGO_ENABLED: '0',
    GOMEMLIMIT: '2GiB',
  }
}

/** The folder that Go is installed in, by the place of its program. */
function installationOf(go: string): string[] {
  const folder = dirname(dirname(realOf(go)))
  return existsSync(join(folder, 'pkg', 'tool')) ? [folder] : []
}

/** What would keep a module from loading is taken out of its manifest: nothing is fetched to fix it. */
async function arrangeGo({ paths, read, program, environment }: LaidTree): Promise<Arrangement> {
  const files = new Map<string, string>()
  const openFirst: string[] = []
  for (const path of paths) {
    if (!/(?:^|\/)go\.(?:mod|work)$/.test(path)) continue
    const text = (await read(path)) ?? ''
    const own = dropForeignFolders(text, posix.dirname(path))
    const lowered = lowerGoLine(own, program.runtime) ?? own
    const kept = dropAbsentRequirements(lowered, environment.GOMODCACHE ?? null) ?? lowered
    if (kept !== text) files.set(path, kept)
    if (openFirst.length >= mostModules || !path.endsWith('go.mod')) continue
    const folder = posix.dirname(path)
    const first = paths.find((one) => one.endsWith('.go') && (folder === '.' || one.startsWith(`${folder}/`)))
    if (first !== undefined) openFirst.push(first)
  }
  return { files, links: [], openFirst }
}

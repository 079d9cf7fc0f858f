/** The native server of TypeScript 7: `tsc --lsp --stdio`. It loads no plugin and starts no other program. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { packageRoot } from '../../../base/package-root.ts'
import type { Absent, Arrangement, LaidTree, LanguageServer, Program, Surroundings } from '../contract.ts'
import { askVersion, findOnPath, realOf } from '../programs.ts'
import { isProjectFile, projectFilesToOpen, workspaceLinks } from './typescript-projects.ts'

const flags = ['--lsp', '--stdio']
/** Earlier compilers do not speak the protocol. */
const firstMajor = 7

export const typescript: LanguageServer = {
  name: 'typescript',
  languages: ['typescript', 'tsx', 'javascript'],
  find: findTypescript,
  // Configurations, package manifests and data that is imported: read, never run.
  readsFile: (path) => /(?:^|\/)package\.json$/.test(path) || isProjectFile(path),
  documentKind: (path) => {
    const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
    if (ending === 'tsx') return 'typescriptreact'
    if (ending === 'jsx') return 'javascriptreact'
    return ending.endsWith('js') ? 'javascript' : 'typescript'
  },
  arrange: arrangeTypescript,
  // The collector then works harder instead of growing.
  environment: () => ({ GOMEMLIMIT: '1200MiB' }),
  initializationOptions: null,
  configuration: () => null,
  readiness: { awaitsProgress: true, graceMs: 0, agreeing: 1 },
  importsAreDeclarations: true,
  // JavaScript is looked at for its syntax only.
  checksTypes: (path) => /\.[cm]?tsx?$/.test(path),
  knowsGlobals: false,
  isAbsence: ({ code, message }) =>
    absences.has(code ?? '') ||
    options.test(code ?? '') ||
    (modules.has(code ?? '') && !/'\.{1,2}\//.test(message)),
  openAtOnce: 100,
  memoryMb: null,
}

/** Modules that cannot be found; those of the repository itself are named by a relative path. */
const modules: ReadonlySet<string> = new Set(['2307', '2792', '2882'])
/** No types for a package or a runtime, and what follows from it: parameters without a type from their context. */
const absences: ReadonlySet<string> = new Set(
  '2318 2580 2581 2582 2583 2584 2591 2592 2593 2688 2867 2868 2875 7005 7006 7016 7019 7026 7031'.split(' '),
)

/**
 * Settings that would allow it, or a newer library: a configuration may take them from a package that is not here.
 * Endings of imports, modules of the other kind, `await` and iteration beyond the target.
 */
const options = /^(?:5\d{3}|1259|128[67]|1343|1375|1378|1479|148[45]|2550|2569|2583|2802|2821)$/

async function findTypescript(surroundings: Surroundings): Promise<Program | Absent> {
  const [named, ...more] = surroundings.command ?? []
  if (named !== undefined) {
    const version = await askVersion(named, ['--version'])
    if (version === null) return { absent: `\`${named}\` of the settings does not run` }
    const rest = more.length > 0 ? more : flags
    return {
      command: named,
      arguments: rest,
      version,
      from: 'settings',
      runtime: null,
      needs: besides(named),
    }
  }
  const found = findOnPath('tsc', surroundings)
  const version = found === null ? null : await askVersion(found, ['--version'])
  if (found !== null && isNewEnough(version))
    return { command: found, arguments: flags, version, from: 'PATH', runtime: null, needs: besides(found) }
  return bundled() ?? { absent: 'neither `tsc` 7 on the PATH nor the optional package `typescript`' }
}

function isNewEnough(version: string | null): version is string {
  return version !== null && Number.parseInt(version, 10) >= firstMajor
}

/** The binary of our own optional dependency. */
function bundled(): Program | null {
  try {
    const manifest = createRequire(join(packageRoot, 'package.json')).resolve('typescript/package.json')
    const require = createRequire(manifest)
    const { version }: { version: string } = require(manifest)
    const platform = `@typescript/typescript-${process.platform}-${process.arch}`
    const binary = process.platform === 'win32' ? 'tsc.exe' : 'tsc'
    const command = join(dirname(require.resolve(`${platform}/package.json`)), 'lib', binary)
    if (!isNewEnough(version)) return null
    return { command, arguments: flags, version, from: 'bundled', runtime: null, needs: besides(command) }
  } catch {
    return null
  }
}

/** The declarations of the language itself lie in the folder of the program. */
function besides(command: string): string[] {
  const folder = dirname(realOf(command))
  return existsSync(join(folder, 'lib.d.ts')) ? [folder] : []
}

async function arrangeTypescript(tree: LaidTree): Promise<Arrangement> {
  const [links, openFirst] = [await workspaceLinks(tree), await projectFilesToOpen(tree)]
  return { files: new Map(), links, openFirst }
}

/**
 * Pyright. It would ask a Python interpreter for its folders; with an empty PATH it finds none, and runs nothing. Its
 * configuration is left out of the tree, since that can hide files from it.
 */

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ownNode } from '../../../base/own-node.ts'
import { packageRoot } from '../../../base/package-root.ts'
import type { Absent, LanguageServer, Program, Surroundings } from '../contract.ts'
import { openingFirst } from '../lay-out.ts'
import { findOnPath, realOf } from '../programs.ts'

const memoryMb = 2048

export const pyright: LanguageServer = {
  name: 'pyright',
  languages: ['python'],
  find: findPyright,
  readsFile: (path) => path.endsWith('.pyi') || /(?:^|\/)py\.typed$/.test(path),
  documentKind: () => 'python',
  // Its work starts with the first open file.
  arrange: openingFirst((path) => path.endsWith('.py')),
  environment: () => ({}),
  initializationOptions: null,
  configuration: (section) => {
    if (section === 'python.analysis') return analysis
    return section === 'python' ? { analysis } : null
  },
  readiness: { awaitsProgress: true, graceMs: 500, agreeing: 2 },
  importsAreDeclarations: false,
  checksTypes: () => true,
  knowsGlobals: true,
  isAbsence: ({ code, message }) =>
    code === 'reportMissingModuleSource' ||
    code === 'reportMissingTypeStubs' ||
    (code === 'reportMissingImports' && !/"\./.test(message)),
  openAtOnce: 50,
  memoryMb,
}

const analysis = {
  autoSearchPaths: true,
  diagnosticMode: 'openFilesOnly',
  typeCheckingMode: 'standard',
  useLibraryCodeForTypes: false,
  autoImportCompletions: false,
}

async function findPyright(surroundings: Surroundings): Promise<Program | Absent> {
  const [named, ...more] = surroundings.command ?? []
  if (named !== undefined) {
    const rest = more.length > 0 ? more : ['--stdio']
    return { command: named, arguments: rest, version: null, from: 'settings', runtime: null, needs: [] }
  }
  const found = findOnPath('pyright-langserver', surroundings)
  // What is installed there is a script for Node, which needs the PATH to find its interpreter; so Node is named.
  if (found !== null) return underNode(found, null, 'PATH')
  return (
    bundled() ?? { absent: 'neither `pyright-langserver` on the PATH nor the optional package `pyright`' }
  )
}

function bundled(): Program | null {
  try {
    const require = createRequire(join(packageRoot, 'package.json'))
    const manifest = require.resolve('pyright/package.json')
    const { version }: { version: string } = require(manifest)
    return underNode(join(dirname(manifest), 'langserver.index.js'), version, 'bundled')
  } catch {
    return null
  }
}

function underNode(script: string, version: string | null, from: Program['from']): Program {
  const [command, ...flags] = ownNode([`--max-old-space-size=${memoryMb}`])
  return {
    command,
    arguments: [...flags, script, '--stdio'],
    version,
    from,
    runtime: null,
    // With all that it loads.
    needs: [dirname(realOf(script))],
  }
}

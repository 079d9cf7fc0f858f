/**
 * Code under review that makes a language server read a folder of the host which is not reviewed: another tenant's. Each
 * is written by somebody who knows the names of all folders.
 */
import { basename } from 'node:path'

export const canary = 'QZ7TENANTSNOWDROP47'

/** What lies in the other tenant's folder. */
export const tenantFiles: Readonly<Record<string, string>> = {
  'keys.ts': `export const leaked = '${canary}' as const\n`,
  'globals.d.ts': `declare const leaked: '${canary}'\n`,
  'types/leak/index.d.ts': `declare const leaked: '${canary}'\n`,
  'tsconfig.json': '{ "compilerOptions": { "typeRoots": ["./types"], "types": ["leak"] } }\n',
  'plugin/package.json': '{ "name": "plugin", "main": "index.js" }\n',
  'plugin/index.js': `require('node:fs').writeFileSync(__dirname + '/executed', '')\n`,
  'mod.py': `from typing import Literal\n\nleaked: Literal['${canary}'] = '${canary}'\n`,
  'pyrightconfig.json': '{}\n',
  'keys.h': `static const char leaked[] = "${canary}";\n#define LEAKED "${canary}"\n`,
  'go.mod': 'module tenant.example/keys\n\ngo 1.18\n',
  'keys.go': `package keys\n\nconst Leaked = "${canary}"\n`,
}

/** Written by a server that was made to run something. */
export const traces = ['plugin/executed'] as const

export type ServerAttack = {
  name: string
  server: 'typescript' | 'pyright' | 'clangd' | 'gopls'
  /** The file that is asked about; every place with the word `leaked` in it. */
  path: string
  /** `tenant`: the folder's absolute path; `climb`: how Python climbs from the tree's root to what it lies in. */
  files(tenant: string, climb: string): Record<string, string>
  /** False where our own precautions hold without a sandbox too. */
  needsSandbox: boolean
}

const wrong = 'export const wrong: number = leaked\n'

export const serverAttacks: readonly ServerAttack[] = [
  {
    name: 'import by an absolute path',
    server: 'typescript',
    path: 'a.ts',
    files: (tenant) => ({ 'a.ts': `import { leaked } from '${tenant}/keys'\n${wrong}` }),
    needsSandbox: true,
  },
  {
    name: 'tsconfig include with a wildcard folder',
    server: 'typescript',
    path: 'a.ts',
    files: (tenant) => ({
      'a.ts': wrong,
      'tsconfig.json': JSON.stringify({ include: ['a.ts', `${tenant.slice(0, -2)}*/*.d.ts`] }),
    }),
    needsSandbox: true,
  },
  {
    name: 'tsconfig extends outside of the tree',
    server: 'typescript',
    path: 'a.ts',
    files: (tenant) => ({
      'a.ts': wrong,
      'tsconfig.json': JSON.stringify({ extends: `${tenant}/tsconfig.json`, include: ['a.ts'] }),
    }),
    needsSandbox: true,
  },
  {
    name: 'tsconfig typeRoots',
    server: 'typescript',
    path: 'a.ts',
    files: (tenant) => ({
      'a.ts': wrong,
      'tsconfig.json': JSON.stringify({
        compilerOptions: { typeRoots: [`${tenant}/types`], types: ['leak'] },
      }),
    }),
    needsSandbox: true,
  },
  {
    name: 'tsconfig paths',
    server: 'typescript',
    path: 'a.ts',
    files: (tenant) => ({
      'a.ts': `import { leaked } from 'keys'\n${wrong}`,
      'tsconfig.json': JSON.stringify({ compilerOptions: { paths: { keys: [`${tenant}/keys.ts`] } } }),
    }),
    needsSandbox: true,
  },
  {
    name: 'reference by an absolute path',
    server: 'typescript',
    path: 'a.ts',
    files: (tenant) => ({ 'a.ts': `/// <reference path="${tenant}/globals.d.ts" />\n${wrong}` }),
    needsSandbox: true,
  },
  {
    name: 'tsconfig plugins',
    server: 'typescript',
    path: 'a.ts',
    files: (tenant) => ({
      'a.ts': wrong,
      'tsconfig.json': JSON.stringify({ compilerOptions: { plugins: [{ name: `${tenant}/plugin` }] } }),
    }),
    needsSandbox: false,
  },
  {
    name: 'relative import that climbs out of the tree',
    server: 'pyright',
    path: 'a.py',
    files: (tenant, climb) => ({
      'a.py': `from ${climb}${basename(tenant)}.mod import leaked\nwrong: int = leaked\n`,
    }),
    needsSandbox: true,
  },
  {
    name: 'configuration with extra paths',
    server: 'pyright',
    path: 'a.py',
    files: (tenant) => ({
      'a.py': 'from mod import leaked\nwrong: int = leaked\n',
      'pyrightconfig.json': JSON.stringify({ extraPaths: [tenant] }),
      'pyproject.toml': `[tool.pyright]\nextraPaths = ["${tenant}"]\n`,
    }),
    needsSandbox: false,
  },
  {
    name: 'include by an absolute path',
    server: 'clangd',
    path: 'a.c',
    files: (tenant) => ({
      'a.c': `#include "${tenant}/keys.h"\nconst char *leaked_to = LEAKED; int wrong = leaked;\n`,
    }),
    needsSandbox: true,
  },
  {
    name: 'compilation database and .clangd',
    server: 'clangd',
    path: 'a.c',
    files: (tenant) => ({
      'a.c': '#include "keys.h"\nconst char *leaked_to = LEAKED; int wrong = leaked;\n',
      'compile_commands.json': JSON.stringify([
        { directory: tenant, file: 'a.c', arguments: ['clang', `-I${tenant}`, '-include', 'keys.h', 'a.c'] },
      ]),
      '.clangd': `CompileFlags:\n  Add: [-I${tenant}]\n`,
    }),
    needsSandbox: false,
  },
  {
    name: 'replace by a folder outside of the tree',
    server: 'gopls',
    path: 'a.go',
    files: (tenant) => ({
      'go.mod': `module example.com/a\n\ngo 1.18\n\nrequire tenant.example/keys v0.0.0\n\nreplace tenant.example/keys => ${tenant}\n`,
      'a.go': 'package a\n\nimport leaked "tenant.example/keys"\n\nvar Wrong int = leaked.Leaked\n',
    }),
    needsSandbox: false,
  },
]

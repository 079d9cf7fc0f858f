/**
 * Makes the package for VS Code and its relatives: `node scripts/vscode-package.ts FILE.vsix`, after `npm ci` in `editors/vscode`.
 * One file with the client of the language server; the server itself is the command, installed apart.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bundleOne } from './bundle-one.ts'

const folder = join(import.meta.dirname, '../editors/vscode')

/** Replaces `editors/vscode/dist`. */
export async function bundleExtension(): Promise<string> {
  const dist = join(folder, 'dist')
  const file = join(dist, 'extension.cjs')
  rmSync(dist, { recursive: true, force: true })
  await bundleOne(
    { folder, input: 'src/extension.ts', external: ['vscode'] },
    { file, format: 'cjs', minify: true },
  )
  return file
}

if (import.meta.main) {
  const [to = 'sightline.vsix'] = process.argv.slice(2)
  await bundleExtension()
  copyFileSync(join(folder, '../../LICENSE'), join(folder, 'LICENSE.txt'))
  const words = ['package', '--no-dependencies', '--out', resolve(to)]
  execFileSync(process.execPath, [join(folder, 'node_modules/@vscode/vsce/vsce'), ...words], {
    cwd: folder,
    stdio: 'inherit',
  })
}

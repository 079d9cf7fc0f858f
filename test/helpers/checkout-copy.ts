/** A checkout of our own sources in a temporary folder, with the packages of this one. */
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/base/package-root.ts'
import { temporaryFolder } from './git-repo.ts'

const copied = [
  'bin',
  'dashboard',
  'prompts',
  'rules',
  'schema',
  'scripts',
  'src',
  'package.json',
  'package-lock.json',
  'sightline',
]

/** `without`: packages that it does not have. */
export function copyCheckout({ without = [] as string[], name = 'checkout' } = {}): string {
  const folder = join(temporaryFolder(), name)
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  for (const each of copied)
    cpSync(join(packageRoot, each), join(folder, each), {
      recursive: true,
      filter: (path) => !path.startsWith(join(packageRoot, 'dashboard/dist')),
    })
  const packages = readdirSync(join(packageRoot, 'node_modules'))
  for (const each of packages.filter((one) => !without.includes(one) && !one.startsWith('.sightline')))
    symlinkSync(join(packageRoot, 'node_modules', each), join(folder, 'node_modules', each))
  return folder
}

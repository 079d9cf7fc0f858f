/** The uses of packages in one file: each once, and not without bound. */
import { placeAt } from '../../places.ts'
import type { PackageUse, PackageUseShape } from './contract.ts'

type Lines = { line: number; endLine: number }

export type UseList = {
  /** What `shape` does not say is that of a plain import. `how`: in words. */
  add(
    key: string,
    at: Lines,
    shape: Partial<PackageUseShape> & Pick<PackageUseShape, 'target'>,
    how: (shape: PackageUseShape) => string,
  ): void
  all(): PackageUse[]
}

export const plainImport = { role: 'import', by: 'name', call: null, isGuarded: false } as const

export function useList(ecosystem: string, path: string, most = 2_000): UseList {
  const found = new Map<string, PackageUse>()
  return {
    add(key, at, shape, how) {
      const whole: PackageUseShape = { ecosystem, ...plainImport, ...shape }
      const id = JSON.stringify(whole)
      if (found.has(id) || found.size >= most) return
      const place = placeAt(path, at.line, at.endLine)
      found.set(id, { ...place, key, name: whole.target, how: how(whole), shape: whole })
    },
    all: () => [...found.values()],
  }
}

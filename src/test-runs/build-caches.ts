/**
 * Folders in which compilers keep what they built from one run to the next, for as long as one finding is being shown. What
 * runs on one side may write anything into them, and would then be compiled in: so each side has its own, and no later
 * finding sees either.
 */
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateFolder, type PrivateFolder } from '../base/private-folders.ts'

export interface BuildCaches {
  /** The folder of this side, which any user may write to; made when it is first asked for. */
  folderOf(side: string): Promise<string>
  /** To be called at the end. Never rejects. */
  remove(): Promise<void>
}

export function openBuildCaches(): BuildCaches {
  let whole: Promise<PrivateFolder> | null = null
  const sides = new Map<string, Promise<string>>()
  const make = async (at: number): Promise<string> => {
    whole ??= makePrivateFolder('builds')
    const { path } = await whole
    // Entered by the sandbox's user, who is nobody.
    await chmod(path, 0o711)
    const folder = join(path, String(at))
    await mkdir(folder)
    await chmod(folder, 0o777)
    return folder
  }
  return {
    folderOf(side) {
      const known = sides.get(side) ?? make(sides.size)
      sides.set(side, known)
      return known
    },
    async remove() {
      const folder = await whole?.catch(() => null)
      await folder?.remove().catch(() => {})
    },
  }
}

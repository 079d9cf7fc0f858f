/** The Python of a project: that of its virtual environment, else the one of the system. */
import type { Installed } from '../contract.ts'

/** `root`: where the tree is in the sandbox. */
export function pythonOf(root: string, installed: Installed): string {
  const own = installed.find('bin/python')
  return own === null ? 'python3' : `${root}/${own}`
}

/** Whether a project of JavaScript uses a test framework: it depends on it, or the command of its tests starts it. */
import type { Project } from '../contract.ts'

export function asksFor(name: string, { dependencies, script }: Project): boolean {
  return dependencies.has(name) || script.split(/[\s&|;]+/).includes(name)
}

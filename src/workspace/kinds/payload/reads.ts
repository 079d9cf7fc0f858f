/** Whether code that reads some fields feels the change of one. */
import type { ReadPath } from './fields-read.ts'

/** Reading what is inside a field reads the field. */
export function doesRead(
  reads: readonly ReadPath[],
  { field, bears }: { field: string; bears: 'a missing value' | 'nothing' },
): boolean {
  return reads.some((read) => {
    const isTolerant = read.endsWith('?')
    const path = isTolerant ? read.slice(0, -1) : read
    if (path === field) return !(isTolerant && bears === 'a missing value')
    if (field === '') return true
    return path.startsWith(field) && /^[.[{]/.test(path.slice(field.length))
  })
}

/** Which files would go through a content filter (`filter=lfs` …), according to .gitattributes read as data. */
import type { WorkTreePlace } from './work-tree-place.ts'

/** Filter names by path; files without one are left out. */
export async function contentFilters(place: WorkTreePlace, paths: string[]): Promise<Map<string, string>> {
  const { shadow, env, options } = place
  if (paths.length === 0) return new Map()
  const input = paths.map((path) => `${path}\0`).join('')
  const args = [...options, 'check-attr', '-z', '--stdin', 'filter']
  const words = (await shadow.run(args, { env, input })).toString('utf8').split('\0')
  const found = new Map<string, string>()
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [path = '', , value = ''] = words.slice(at, at + 3)
    if (!['unspecified', 'set', 'unset', ''].includes(value)) found.set(path, value)
  }
  return found
}

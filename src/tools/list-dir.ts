/** `list_dir`: what lies directly in a folder. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { pathArgument } from './arguments.ts'
import { defineTool, ToolError, type ToolOutput } from './contract.ts'

export const listDir = defineTool({
  name: 'list_dir',
  cost: 'cheap',
  about: 'Files and folders directly in one folder; folders end with /, and say how many files they hold.',
  args: z.object({ path: pathArgument.default('') }),
  limits: { lines: 100, lineLength: 240, bytes: 4 * 1024 },
  narrow: 'list a folder below it',
  version: 2,
  keeps: true,
  async run({ path }, { head }): Promise<ToolOutput> {
    const prefix = path === '' ? '' : `${path}/`
    const folders = new Map<string, number>()
    const files: string[] = []
    for (const entry of await head.list()) {
      if (!entry.path.startsWith(prefix)) continue
      const rest = entry.path.slice(prefix.length)
      const slash = rest.indexOf('/')
      if (slash >= 0) folders.set(rest.slice(0, slash), (folders.get(rest.slice(0, slash)) ?? 0) + 1)
      else if (entry.mode === '160000') files.push(`${rest} (submodule: not read)`)
      else files.push(rest)
    }
    if (folders.size === 0 && files.length === 0) throw new ToolError('there is no folder at this path')
    const lines = [...[...folders].map(([name, inside]) => `${name}/ (${count(inside, 'file')})`), ...files]
    return { lines, remarks: [`${count(folders.size, 'folder')}, ${count(files.length, 'file')}`] }
  },
})

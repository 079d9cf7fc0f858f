/** `get_open_changes`: which other change requests are open and change the same files. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { fileArgument } from './arguments.ts'
import { defineTool, type ToolOutput } from './contract.ts'

const placesShown = 8

export const getOpenChanges = defineTool({
  name: 'get_open_changes',
  cost: 'cheap',
  about:
    'Other open change requests that change files of this change: whose, what for, and which lines of the base. Will one of them conflict with it, or rely on what it changes?',
  args: z.object({ path: fileArgument.optional() }),
  limits: { lines: 60, lineLength: 300, bytes: 6 * 1024 },
  narrow: 'name one changed file with path',
  version: 1,
  keeps: false,
  async run({ path }, { openChanges }): Promise<ToolOutput> {
    const near = (openChanges ?? []).flatMap((one) => {
      const files = one.files.filter((file) => path === undefined || file.path === path)
      return files.length > 0 ? [{ ...one, files }] : []
    })
    return {
      lines: near.flatMap(({ name, title, author, isDraft, files }) => [
        `${name} (${author ?? 'unknown'}${isDraft ? ', draft' : ''}): ${title}`,
        ...files.map(({ path: file, places }) => `  ${file}: ${linesOf(places)}`),
      ]),
      remarks: [
        near.length === 0
          ? 'no other open change request changes it'
          : `${count(near.length, 'open change request')}; lines are those of the base of this change`,
      ],
    }
  },
})

function linesOf(places: readonly { start: number; end: number }[] | null): string {
  if (places === null) return 'lines unknown'
  const shown = places
    .slice(0, placesShown)
    .map(({ start, end }) => (start === end ? String(start) : `${start}-${end}`))
  const rest = places.length > placesShown ? ', …' : ''
  return `lines ${shown.join(', ')}${rest}`
}

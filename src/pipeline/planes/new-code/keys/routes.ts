/** Names of routes: Django's `reverse` and `name=`, Laravel's `route` and `->name`. */

import { nearestName } from '../near-miss.ts'
import type { Judged, KeyFamily, KeySides, KeyUse, Registry } from './contract.ts'

const uses =
  /(?<![\w.>])(?:reverse|reverse_lazy|route)\(\s*["']([\w:.-]{4,80})["']|\{%\s*url\s+["']([\w:.-]{4,80})["']/g
const declarations = /\bname=["']([\w.-]{1,80})["']|->name\(\s*["']([\w.-]{1,80})["']/g

export const routes: KeyFamily = {
  rule: 'new-code/unknown-route',
  usesIn: (line) => [...line.matchAll(uses)].flatMap(([, call, tag]) => call ?? tag ?? []),
  isRegistry(path) {
    const folders = path.split('/')
    const name = folders.pop() ?? ''
    const isDjango = name === 'urls.py' || (folders.at(-1) === 'urls' && name.endsWith('.py'))
    return isDjango || (folders.includes('routes') && name.endsWith('.php'))
  },
  judge,
}

/** Only a near miss: names may be made by class-based routers, or come from a package. */
async function judge(
  { key, file }: KeyUse,
  registries: readonly Registry[],
  { head }: KeySides,
): Promise<Judged | null> {
  const wanted = key.split(':').at(-1) ?? key
  const declared = new Map<string, { path: string; line: number }>()
  for (const { path, text } of registries)
    for (const [at, line] of text.split('\n').entries())
      if (line.length <= 1_000)
        for (const [, one, two] of line.matchAll(declarations)) {
          const name = one ?? two ?? ''
          if (!declared.has(name)) declared.set(name, { path, line: at + 1 })
        }
  if (declared.has(wanted)) return null
  const meant = nearestName(wanted, [...declared.keys()])
  const place = meant === null ? undefined : declared.get(meant)
  if (meant === null || !place) return null
  const word = wanted.split(/[^\w]/).sort((a, b) => b.length - a.length)[0] ?? wanted
  const paths = (await head.filesWithWords([word])).get(word) ?? []
  for (const { text } of (await head.readMany(paths)).values())
    for (const line of text.split('\n'))
      if (line.includes(wanted) && !routes.usesIn(line.slice(0, 1_000)).includes(key)) return null
  return {
    title: `No route is named \`${key}\`; did you mean \`${meant}\`?`,
    explanation: `\`${file.path}\` asks for the route \`${key}\`, which nothing declares. \`${place.path}\` declares \`${meant}\`.`,
    remedy: `Use \`${meant}\`, or declare the route.`,
    shown: [{ ...place, title: `the route \`${meant}\`` }],
  }
}

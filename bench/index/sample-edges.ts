/**
 * Edges for a person to read, in languages without a server to ask: uses are drawn by a seed from all files of a
 * language, and what each resolves to is printed beside it. Usage: node --liftoff-only bench/index/sample-edges.ts
 * GIT_DIRECTORY --language csharp [--seed 1] [--edges 100] [--open 40] [--all]. Without --all, edges inside of one file
 * that need no type are left out. Uses that stay open are printed too, when something of that name is defined in the tree.
 */
import { parseArgs } from 'node:util'
import type { Reference } from '../../src/code-index/contract.ts'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { languageOf } from '../../src/code-index/language-of.ts'
import { openCodeTree } from '../../src/code-index/query/open-tree.ts'
import type { Meaning, World } from '../../src/code-index/resolve/contract.ts'
import { resolveReference } from '../../src/code-index/resolve/resolve.ts'
import { symbolOf } from '../../src/code-index/resolve/symbols.ts'
import { refreshTree } from '../../src/code-index/tree-index/refresh.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { Random } from '../../test/helpers/random.ts'
import { nameOf } from '../figures.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    language: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    edges: { type: 'string', default: '100' },
    open: { type: 'string', default: '40' },
    cache: { type: 'string' },
    all: { type: 'boolean', default: false },
  },
})

const [folder = '.'] = positionals
const change = await collectLocal({
  folder,
  selector: { kind: 'commit', commit: 'HEAD' },
  limits: defaultConfig.limits,
})
const store = createFactStore({ cacheFolder: values.cache ?? null })
try {
  const refreshed = await refreshTree({ snapshot: change.head, facts: store, stored: null })
  if (!('tree' in refreshed)) throw new Error(refreshed.why)
  const tree = await openCodeTree(change.head, store, { index: refreshed.tree.index })
  const files = (await change.head.list()).map(({ path }) => path)
  await sample(
    tree.world,
    files.filter((path) => languageOf(path) === values.language),
  )
} finally {
  await store.close()
  await change.close()
}

async function sample(world: World, paths: readonly string[]): Promise<void> {
  const facts = await world.factsOf(paths)
  const uses = [...facts].flatMap(([path, own]) =>
    own.references.filter(isUse).map((reference) => ({ path, own, reference })),
  )
  const random = new Random(Number(values.seed))
  for (let at = uses.length - 1; at > 0; at--) {
    const other = random.between(0, at)
    const [one, two] = [uses[at], uses[other]]
    if (one && two) [uses[at], uses[other]] = [two, one]
  }
  const tally: Record<string, number> = {}
  let defined = 0
  let nameable = 0
  const edges: string[] = []
  const open: string[] = []
  for (const { path, own, reference } of uses) {
    if (edges.length >= Number(values.edges) && open.length >= Number(values.open)) break
    const text = await world.text(path)
    const meaning = await resolveReference(world, { path, facts: own, enclosing: null, text }, reference)
    const named = await isDefinedHere(world, reference.name)
    const label = meaning.kind === 'defined' ? howOf(meaning) : meaning.kind
    if (named || meaning.kind === 'defined') {
      nameable++
      if (meaning.kind === 'defined') defined++
      tally[label] = (tally[label] ?? 0) + 1
    }
    const line = text?.split('\n')[reference.line - 1]?.trim().slice(0, 150) ?? ''
    const use = `${path}:${reference.line} ${reference.role} \`${reference.name}\` | ${line}`
    if (meaning.kind === 'defined') {
      const isPlain = meaning.how === 'same file' && reference.receiver === null
      if (isPlain && !values.all) continue
      if (edges.length < Number(values.edges))
        edges.push(`${edges.length + 1}. [${label}] ${use}\n     → ${placesOf(meaning.definitions)}`)
    } else if (named && open.length < Number(values.open)) {
      const why = meaning.kind === 'unknown' ? meaning.why : meaning.kind
      open.push(`${open.length + 1}. ${use}\n     ${why}`)
    }
  }
  console.log(
    `# ${nameOf(folder)} ${values.language}, seed ${values.seed}, tree ${change.head.tree.slice(0, 12)}`,
  )
  console.log(
    `${paths.length} files; of ${nameable} uses of a name that the tree defines, ${defined} resolved`,
  )
  console.log(JSON.stringify(tally))
  console.log(`\n## Edges\n${edges.join('\n')}\n\n## Open\n${open.join('\n')}`)
}

function isUse({ role, shadowed }: Reference): boolean {
  return !shadowed && role !== 'import' && role !== 'export'
}

async function isDefinedHere(world: World, name: string): Promise<boolean> {
  return ((await world.definers(name)) ?? []).some((path) => languageOf(path) === values.language)
}

function howOf({ how, certainty, definitions }: Extract<Meaning, { kind: 'defined' }>): string {
  return `${how}${certainty === 'likely' ? ', likely' : ''}${definitions.length > 1 ? ', several' : ''}`
}

/** Two of them: the others are further signatures, or parts of the same type. */
function placesOf(definitions: Extract<Meaning, { kind: 'defined' }>['definitions']): string {
  const shown = definitions.slice(0, 2).map(placeOf)
  const more = definitions.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n     → ')
}

function placeOf(definition: Parameters<typeof symbolOf>[0]): string {
  const { scope, kind, nameLine, signature } = symbolOf(definition)
  return `${definition.path}:${nameLine} ${kind} in ${scope || 'the file'}: ${signature.text.slice(0, 90)}`
}

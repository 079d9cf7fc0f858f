/**
 * Outside of its folder no code decides by the name of a host: what one is and has, it says as data (`HostFacts`). And the
 * pages say what the data say.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { hostKinds } from '../src/domain/host-kind.ts'
import type { HostFacts } from '../src/hosts/remote/contract.ts'
import { factsOf } from '../src/hosts/remote/facts.ts'

const root = resolve(import.meta.dirname, '..')

/** Folders of the hosts, and the registries of what they bring. */
const mayName = [
  ...hostKinds.flatMap((kind) => [`src/hosts/${kind}/`, `src/server/webhooks/${kind}.ts`]),
  'src/domain/host-kind.ts',
  'src/hosts/remote/facts.ts',
  'src/hosts/remote/registry.ts',
  'src/server/webhooks/registry.ts',
  'src/hosts/tickets/registry.ts',
  'src/server/access/sign-in/registry.ts',
  // What a server without settings connects to, and who signs people in.
  'src/server/settings/schema.ts',
  // A provider of models has the name of a host.
  ...[
    'src/llm/',
    'src/config/settings/models.ts',
    'src/assembly/model-addresses.ts',
    'src/telemetry/spans.ts',
  ],
  // Where `--ticket owner/repo` looks.
  'src/cli/input/change.ts',
]

/** A name as a text or as a key, in code. */
const naming = new RegExp(`['"](?:${hostKinds.join('|')})['"]|\\b(?:${hostKinds.join('|')}):\\s`)

function namesIn(code: string): string[] {
  return code.split('\n').filter((line) => !/^\s*(?:\/\*|\*|\/\/)/.test(line) && naming.test(line))
}

test('no code outside of the folder of a host decides by its name', () => {
  const found = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => join('src', path))
    .filter((path) => path.endsWith('.ts') && !mayName.some((one) => path.startsWith(one)))
  expect(found.length).toBeGreaterThan(100)
  const complaints = found.flatMap((path) =>
    namesIn(readFileSync(join(root, path), 'utf8')).map(
      (line) => `${path}: ${line.trim()} (say it in \`HostFacts\`, in the folder of the host)`,
    ),
  )
  expect(complaints).toEqual([])
})

test('the search sees what it should forbid', () => {
  expect(namesIn("  if (kind === 'gitlab') return '!'")).toHaveLength(1)
  expect(namesIn("const pages = {\n  github: 'pull',\n}")).toHaveLength(1)
  expect(namesIn("// 'github' has Apps\nimport { github } from '../github/facts.ts'")).toEqual([])
})

const rows: [string, (facts: HostFacts) => string][] = [
  [
    'The comments of a review appear',
    ({ posts }) => (posts === 'as drafts' ? `${posts}, published together` : posts),
  ],
  [
    'A comment is on',
    ({ abilities }) => (abilities.multiLine ? 'all lines of the finding' : 'its last line'),
  ],
  ['Suggestions for committing', ({ abilities }) => (abilities.suggestions === null ? 'no' : 'yes')],
  [
    'A thread about what was fixed is',
    ({ abilities }) => (abilities.resolve ? 'answered and resolved' : 'edited'),
  ],
  [
    'The check is',
    ({ abilities }) => (abilities.check === 'run' ? 'a page with annotations' : 'a status of one line'),
  ],
  ['Reactions to comments', ({ reactions }) => (reactions === 'all' ? 'yes' : (reactions ?? 'no'))],
  ['Apps that mint tokens', ({ app }) => (app === null ? 'no' : 'yes')],
  [
    'The token of a CI job',
    ({ ci }) => (ci === null ? '—' : ci.readsLittle ? 'only reads the change request' : 'reads and posts'),
  ],
  [
    'Length of a comment or summary, in characters',
    ({ abilities }) => abilities.bodyLength.toLocaleString('en'),
  ],
  [
    'Files and lines of diff that are shown',
    ({ abilities }) =>
      `${abilities.shownFiles.toLocaleString('en')}, ${abilities.shownLines.toLocaleString('en')}`,
  ],
]

test('the table of what each host has follows from its data', () => {
  const hosts = hostKinds.map((kind) => factsOf(kind))
  const lines = [
    ['', ...hosts.map(({ title }) => title)],
    ['---', ...hosts.map(() => '---')],
    ...rows.map(([words, cell]) => [words, ...hosts.map(cell)]),
  ].map((cells) => `| ${cells.join(' | ')} |`.replace('|  |', '| |').replaceAll(' --- ', '---'))
  expect(readFileSync(join(root, 'docs/pull-requests.md'), 'utf8')).toContain(lines.join('\n'))
})

test('the pages name the variables with tokens, in their order', () => {
  const page = readFileSync(join(root, 'docs/pull-requests.md'), 'utf8')
  for (const { tokens, app } of hostKinds.map(factsOf)) {
    expect(page).toContain(tokens.map((name) => `\`${name}\``).join(', '))
    for (const name of Object.values(app ?? {})) expect(page).toContain(name)
  }
})

test('wherever it is said to which servers tokens go, all of them are named', () => {
  for (const path of ['src/base/errors.ts', 'src/config/settings/hosts.ts']) {
    const words = readFileSync(join(root, path), 'utf8')
    for (const { server } of hostKinds.map(factsOf))
      if (server) expect(words, path).toContain(new URL(server.webUrl).host)
  }
})

test('the page for who adds a host names every fact', () => {
  const page = readFileSync(join(root, 'docs/contributing/adding-a-host.md'), 'utf8')
  const facts = hostKinds.map(factsOf)
  const names = facts.flatMap((one) => [...Object.keys(one), ...Object.keys(one.abilities)])
  expect([...new Set(names)].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

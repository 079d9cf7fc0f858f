import { expect, test } from 'vitest'
import { workflows } from '../../../src/workspace/kinds/workflow/kind.ts'
import { breaksBetween, brokenUses, changed, type Files, treeOf, words } from '../helpers.ts'

const build = '.github/workflows/build.yml'
const library: Files = {
  [build]: `name: build
on:
  workflow_call:
    inputs:
      target:
        type: string
        required: true
      cache:
        type: boolean
        default: true
    secrets:
      token:
        required: false
    outputs:
      version:
        value: a
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - run: make
`,
  'actions/setup/action.yml': `name: setup
inputs:
  node:
    default: '22'
outputs:
  path:
    value: x
runs:
  using: composite
  steps: []
`,
  'templates/node.yml': `variables:
  IMAGE: node:22

.node-build:
  stage: build
  script: [make]
`,
}

const user: Files = {
  '.github/workflows/release.yml': `on: push
jobs:
  build:
    uses: acme/ci/.github/workflows/build.yml@main
    with:
      target: web
      cache: false
    secrets:
      token: \${{ secrets.TOKEN }}
  short:
    uses: acme/ci/.github/workflows/build.yml@v3
    secrets: inherit
    with:
      target: web
  pinned:
    uses: acme/ci/.github/workflows/build.yml@1234567890123456789012345678901234567890
    with:
      target: web
      cache: false
  publish:
    needs: build
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - id: node
        uses: acme/ci/actions/setup@main
        with:
          node: '24'
      - run: echo \${{ needs['build'].outputs.version }} \${{ steps.node.outputs.path }}
`,
  '.gitlab-ci.yml': `include:
  - project: acme/ci
    file: /templates/node.yml

web:
  extends: .node-build
`,
}

const replaced = (path: string, from: string, to: string) => {
  const text = library[path] ?? ''
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
  return { [path]: text.replace(from, to) }
}

type Case = { change: Record<string, string | null>; breaks: string[]; uses: string[] }

const release = '.github/workflows/release.yml'
const breaking: Record<string, Case> = {
  'an input goes': {
    change: replaced(build, '      cache:\n        type: boolean\n        default: true\n', ''),
    breaks: [`removed ${build}#cache: the input \`cache\` was removed (before ${build}:8)`],
    uses: [`certain ${release}:7 ${build}#cache`],
  },
  'an input is renamed': {
    change: replaced(build, 'target:', 'goal:'),
    breaks: [
      `renamed ${build}#target → ${build}#goal: the input \`target\` is now called \`goal\` (before ${build}:5, after ${build}:5)`,
    ],
    uses: [`certain ${release}:6 ${build}#target`, `likely ${release}:14 ${build}#target`],
  },
  'a new input is required': {
    change: replaced(
      build,
      '      cache:',
      '      region:\n        type: string\n        required: true\n      cache:',
    ),
    breaks: [`required ${build}#region: the new input \`region\` is required (after ${build}:8)`],
    uses: [`certain ${release}:4 ${build}`, `likely ${release}:11 ${build}`],
  },
  'an input becomes required': {
    change: replaced(build, 'default: true', 'required: true'),
    breaks: [
      `required ${build}#cache: the input \`cache\` is now required (before ${build}:8, after ${build}:8)`,
    ],
    uses: [`likely ${release}:11 ${build}`],
  },
  'an input takes another type': {
    change: replaced(build, 'type: boolean\n        default: true', 'type: number\n        default: 1'),
    breaks: [
      `changed ${build}#cache: the input \`cache\` is a \`number\` now, no \`boolean\` (before ${build}:8, after ${build}:8)`,
    ],
    uses: [`certain ${release}:7 ${build}#cache`],
  },
  'a secret goes': {
    change: replaced(build, '    secrets:\n      token:\n        required: false\n', ''),
    breaks: [`removed ${build}#token: the secret \`token\` was removed (before ${build}:12)`],
    uses: [`certain ${release}:9 ${build}#token`],
  },
  'a secret becomes required': {
    change: replaced(
      build,
      'token:\n        required: false',
      'key:\n        required: true\n      token:\n        required: false',
    ),
    breaks: [`required ${build}#key: the new secret \`key\` is required (after ${build}:12)`],
    uses: [`certain ${release}:4 ${build}`],
  },
  'an output goes': {
    change: replaced(build, '    outputs:\n      version:\n        value: a\n', ''),
    breaks: [`removed ${build}#version: the output \`version\` was removed (before ${build}:15)`],
    uses: [`likely ${release}:29 ${build}#version`],
  },
  'a workflow moves': {
    change: { [build]: null, '.github/workflows/make.yml': library[build] ?? '' },
    breaks: [
      `renamed ${build} → .github/workflows/make.yml: \`${build}\` is now \`.github/workflows/make.yml\` (before ${build}:1, after .github/workflows/make.yml:1)`,
    ],
    uses: [`certain ${release}:4 ${build}`, `likely ${release}:11 ${build}`],
  },
  'a workflow can no longer be called': {
    change: replaced(build, '  workflow_call:', '  workflow_dispatch:'),
    breaks: [`removed ${build}: \`${build}\` can no longer be called (before ${build}:1)`],
    uses: [`certain ${release}:4 ${build}`, `likely ${release}:11 ${build}`],
  },
  'an action loses an input and an output': {
    change: { 'actions/setup/action.yml': 'name: setup\nruns:\n  using: composite\n  steps: []\n' },
    breaks: [
      'removed actions/setup#node: the input `node` was removed (before actions/setup/action.yml:3)',
      'removed actions/setup#path: the output `path` was removed (before actions/setup/action.yml:6)',
    ],
    uses: [`likely ${release}:28 actions/setup#node`, `likely ${release}:29 actions/setup#path`],
  },
  'a hidden job is renamed': {
    change: replaced('templates/node.yml', '.node-build', '.node-make'),
    breaks: [
      'renamed templates/node.yml#.node-build → templates/node.yml#.node-make: the hidden job `.node-build` is now called `.node-make` (before templates/node.yml:4, after templates/node.yml:4)',
    ],
    uses: ['certain .gitlab-ci.yml:6 templates/node.yml#.node-build'],
  },
}

for (const [name, { change, breaks, uses }] of Object.entries(breaking))
  test(`workflow: ${name}`, async () => {
    const found = await breaksBetween(workflows, library, changed(library, change))
    expect(found.map(words)).toEqual(breaks)
    expect(await brokenUses(workflows, found, user)).toEqual(uses)
  })

const compatible: Record<string, Record<string, string | null>> = {
  'an optional input is added': replaced(
    build,
    '      cache:',
    '      more:\n        type: string\n      cache:',
  ),
  'a required input with a default is added': replaced(
    build,
    '      cache:',
    '      more:\n        type: string\n        required: true\n        default: a\n      cache:',
  ),
  'an input is no longer required': replaced(build, 'required: true', 'required: false'),
  'an input takes any text': replaced(build, 'type: boolean', 'type: string'),
  'a default changes': replaced(build, 'default: true', 'default: false'),
  'an optional secret is added': replaced(build, '      token:', '      other: {}\n      token:'),
  'an output is added': replaced(build, '      version:', '      name:\n        value: b\n      version:'),
  'a job is renamed': replaced(build, '  build:\n', '  make:\n'),
  'inputs are reordered, with a comment': replaced(
    build,
    '      target:\n        type: string\n        required: true\n      cache:\n        type: boolean\n        default: true\n',
    '      # May be left out.\n      cache:\n        default: true\n        type: boolean\n      target:\n        required: true\n        type: string\n',
  ),
  'another trigger is added': replaced(build, 'on:\n', 'on:\n  push:\n'),
  'a step of an action changes': replaced(
    'actions/setup/action.yml',
    'steps: []',
    'steps:\n    - run: make\n      shell: bash',
  ),
  'another file is no YAML': { 'templates/other.yml': 'a: [\n' },
  'a hidden job is added': replaced(
    'templates/node.yml',
    '.node-build',
    '.node-test:\n  script: [make test]\n\n.node-build',
  ),
}

for (const [name, change] of Object.entries(compatible))
  test(`workflow, compatible: ${name}`, async () => {
    expect((await breaksBetween(workflows, library, changed(library, change))).map(words)).toEqual([])
  })

test('workflow: a call names the tag that it is pinned to, and its repository', async () => {
  const [broken] = await breaksBetween(workflows, library, changed(library, { [build]: null }))
  const tree = treeOf(user)
  const [file] = await tree.read([release])
  const calls = file ? (await workflows.uses(file)).filter(({ name }) => name === build) : []
  if (!broken) throw new Error('nothing broke')
  expect(calls.map(({ repository }) => repository)).toEqual(['acme/ci', 'acme/ci', 'acme/ci'])
  const pins = await Promise.all(calls.map((use) => workflows.pin?.(broken, use, tree)))
  expect(pins.map((pin) => pin && `${pin.version} ${pin.path}:${pin.line}`)).toEqual([
    null,
    `v3 ${release}:11`,
    `1234567890123456789012345678901234567890 ${release}:16`,
  ])
})

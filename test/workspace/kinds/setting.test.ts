import { expect, test } from 'vitest'
import { settings } from '../../../src/workspace/kinds/setting/kind.ts'
import { readsOf } from '../../../src/workspace/kinds/setting/reads.ts'
import { breaksBetween, brokenUses, changed, type Files, words } from '../helpers.ts'

const program: Files = {
  'src/config.ts': `export const config = {
  url: required('BILLING_URL', process.env.BILLING_URL),
  limit: Number(process.env.BILLING_LIMIT ?? '10'),
  mode: process.env['BILLING_MODE'],
  port: process.env.PORT,
}

function required(name: string, value: string | undefined): string {
  if (!value) throw new Error(name)
  return value
}
`,
}

const deployment: Files = {
  'compose.yml': `services:
  billing:
    image: ghcr.io/acme/billing:1
    environment:
      BILLING_URL: http://billing
      BILLING_MODE: fast
      PORT: '8080'
  other:
    environment:
      - PORT=80
      - SHIPPING_URL=http://shipping
`,
  'k8s/billing.yaml': `kind: Deployment
spec:
  containers:
    - name: billing
      env:
        - name: BILLING_URL
          value: http://billing
        - name: BILLING_LIMIT
          value: '3'
    - name: sidecar
      envFrom: []
      env:
        - name: BILLING_MODE
          value: slow
`,
  '.github/workflows/test.yml': 'env:\n  BILLING_URL: http://test\n',
}

const replaced = (files: Files, path: string, from: string, to: string) => {
  const text = files[path] ?? ''
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
  return { [path]: text.replaceAll(from, to) }
}
const inProgram = (from: string, to: string) => replaced(program, 'src/config.ts', from, to)

type Case = {
  before: Files
  change: Record<string, string | null>
  user: Files
  breaks: string[]
  uses: string[]
}

const breaking: Record<string, Case> = {
  'a program reads another name': {
    before: program,
    change: inProgram('BILLING_URL', 'BILLING_API_URL'),
    user: deployment,
    breaks: [
      'renamed BILLING_URL → BILLING_API_URL: `BILLING_API_URL` is read in place of `BILLING_URL` (before src/config.ts:2, after src/config.ts:2)',
    ],
    uses: ['likely compose.yml:5 BILLING_URL', 'likely k8s/billing.yaml:6 BILLING_URL'],
  },
  'a program needs one more': {
    before: program,
    change: inProgram('  port:', "  key: required('BILLING_KEY', process.env.BILLING_KEY),\n  port:"),
    user: deployment,
    breaks: ['required BILLING_KEY: the new variable `BILLING_KEY` has to be set (after src/config.ts:5)'],
    uses: ['likely compose.yml:5 BILLING_URL', 'likely k8s/billing.yaml:6 BILLING_URL'],
  },
  'a default goes': {
    before: program,
    change: inProgram(
      "Number(process.env.BILLING_LIMIT ?? '10')",
      "required('BILLING_LIMIT', process.env.BILLING_LIMIT)",
    ),
    user: deployment,
    breaks: [
      'required BILLING_LIMIT: `BILLING_LIMIT` has to be set now (before src/config.ts:3, after src/config.ts:3)',
    ],
    uses: ['likely compose.yml:5 BILLING_URL'],
  },
  'a Python program reads another name': {
    before: { 'app.py': "import os\nURL = os.environ['BILLING_URL']\n" },
    change: { 'app.py': "import os\nURL = os.environ['BILLING_BASE_URL']\n" },
    user: deployment,
    breaks: [
      'renamed BILLING_URL → BILLING_BASE_URL: `BILLING_BASE_URL` is read in place of `BILLING_URL` (before app.py:2, after app.py:2)',
    ],
    uses: ['possible compose.yml:5 BILLING_URL', 'possible k8s/billing.yaml:6 BILLING_URL'],
  },
  'a field of pydantic settings is renamed': {
    before: {
      'app.py':
        "class S(BaseSettings):\n    model_config = SettingsConfigDict(env_prefix='BILLING_')\n    url: str\n    limit: int = 3\n",
    },
    change: {
      'app.py':
        "class S(BaseSettings):\n    model_config = SettingsConfigDict(env_prefix='BILLING_')\n    base_url: str\n    limit: int = 3\n",
    },
    user: deployment,
    breaks: [
      'renamed BILLING_URL → BILLING_BASE_URL: `BILLING_BASE_URL` is read in place of `BILLING_URL` (before app.py:3, after app.py:3)',
    ],
    uses: ['possible compose.yml:5 BILLING_URL', 'likely k8s/billing.yaml:6 BILLING_URL'],
  },
  'a helper of Go is asked for another name': {
    before: {
      'main.go':
        'func must(name string) string {\n\tvalue := os.Getenv(name)\n\tif value == "" {\n\t\tpanic(name)\n\t}\n\treturn value\n}\nvar url = must("BILLING_URL")\n',
    },
    change: {
      'main.go':
        'func must(name string) string {\n\tvalue := os.Getenv(name)\n\tif value == "" {\n\t\tpanic(name)\n\t}\n\treturn value\n}\nvar url = must("BILLING_API_URL")\n',
    },
    user: deployment,
    breaks: [
      'renamed BILLING_URL → BILLING_API_URL: `BILLING_API_URL` is read in place of `BILLING_URL` (before main.go:8, after main.go:8)',
    ],
    uses: ['possible compose.yml:5 BILLING_URL', 'possible k8s/billing.yaml:6 BILLING_URL'],
  },
  'a property of Spring is asked for another name': {
    before: { 'src/main/resources/application.yml': `billing:\n  url: \${BILLING_URL}\n` },
    change: { 'src/main/resources/application.yml': `billing:\n  url: \${BILLING_API_URL}\n` },
    user: deployment,
    breaks: [
      'renamed BILLING_URL → BILLING_API_URL: `BILLING_API_URL` is read in place of `BILLING_URL` (before src/main/resources/application.yml:2, after src/main/resources/application.yml:2)',
    ],
    uses: ['possible compose.yml:5 BILLING_URL', 'possible k8s/billing.yaml:6 BILLING_URL'],
  },
  'a deployment no longer sets a variable': {
    before: deployment,
    change: {
      ...replaced(deployment, 'compose.yml', '      BILLING_URL: http://billing\n', ''),
      ...replaced(
        deployment,
        'k8s/billing.yaml',
        '        - name: BILLING_URL\n          value: http://billing\n',
        '',
      ),
    },
    user: program,
    breaks: ['removed BILLING_URL (value): `BILLING_URL` is no longer set (before compose.yml:5)'],
    uses: ['likely src/config.ts:2 BILLING_URL'],
  },
  'a deployment sets another name': {
    before: deployment,
    change: {
      ...replaced(deployment, 'compose.yml', 'BILLING_MODE', 'BILLING_SPEED'),
      ...replaced(deployment, 'k8s/billing.yaml', 'BILLING_MODE', 'BILLING_SPEED'),
    },
    user: program,
    breaks: [
      'renamed BILLING_MODE (value) → BILLING_SPEED (value): `BILLING_SPEED` is set in place of `BILLING_MODE` (before compose.yml:6, after compose.yml:6)',
    ],
    uses: ['possible src/config.ts:4 BILLING_MODE'],
  },
}

for (const [name, { before, change, user, breaks, uses }] of Object.entries(breaking))
  test(`setting: ${name}`, async () => {
    const found = await breaksBetween(settings, before, changed(before, change))
    expect(found.map(words)).toEqual(breaks)
    expect(await brokenUses(settings, found, user)).toEqual(uses)
  })

const compatible: Record<string, [Files, Record<string, string | null>]> = {
  'a variable is no longer read': [program, inProgram("  mode: process.env['BILLING_MODE'],\n", '')],
  'one with a default is added': [
    program,
    inProgram('  port:', "  more: process.env.BILLING_MORE ?? 'a',\n  port:"),
  ],
  'one that may be left out is added': [
    program,
    inProgram('  port:', '  more: process.env.BILLING_MORE,\n  port:'),
  ],
  'another name is read first': [
    program,
    inProgram('process.env.BILLING_URL)', 'process.env.BILLING_API_URL ?? process.env.BILLING_URL)'),
  ],
  'a default is added': [
    program,
    inProgram("process.env['BILLING_MODE']", "process.env['BILLING_MODE'] || 'slow'"),
  ],
  'reads are reordered and moved': [
    program,
    {
      'src/config.ts': (program['src/config.ts'] ?? '').replace("  mode: process.env['BILLING_MODE'],\n", ''),
      'src/mode.ts': '// BILLING_OLD was removed.\nexport const mode = process.env.BILLING_MODE\n',
    },
  ],
  'a comment names a variable': [
    program,
    inProgram('export const', '// BILLING_URL is gone, see process.env.BILLING_NEW\nexport const'),
  ],
  'a value changes': [deployment, replaced(deployment, 'compose.yml', 'http://billing', 'http://billing:80')],
  'a variable is set in addition': [
    deployment,
    replaced(deployment, 'compose.yml', '      BILLING_MODE', '      BILLING_LIMIT: 1\n      BILLING_MODE'),
  ],
  'a container is no longer deployed': [deployment, { 'compose.yml': null }],
  'tests set another variable': [deployment, { '.github/workflows/test.yml': 'env: {}\n' }],
  'a file that is no YAML': [deployment, { 'k8s/other.yaml': 'env: [\n' }],
}

for (const [name, [before, change]] of Object.entries(compatible))
  test(`setting, compatible: ${name}`, async () => {
    const found = await breaksBetween(settings, before, changed(before, change))
    expect(found.map(words)).toEqual([])
  })

test('setting: a variable that every program has says nothing by its name alone', async () => {
  const before = { 'app.py': "import os\nPORT = os.environ['PORT']\n" }
  const found = await breaksBetween(settings, before, {
    'app.py': "import os\nPORT = os.environ['HTTP_PORT']\n",
  })
  expect(found.map(({ name }) => name)).toEqual(['PORT'])
  expect(await brokenUses(settings, found, deployment)).toEqual([])
})

test('literals of Kustomize set variables', async () => {
  const user = {
    'kustomization.yaml':
      'configMapGenerator:\n  - name: billing\n    literals:\n      - BILLING_URL=http://billing\n',
  }
  const after = changed(program, inProgram('BILLING_URL', 'BILLING_API_URL'))
  const breaks = await breaksBetween(settings, program, after)
  expect(await brokenUses(settings, breaks, user)).toEqual(['possible kustomization.yaml:4 BILLING_URL'])
})

test.each([
  [
    'a schema over the environment',
    'src/env.ts',
    "import { z } from 'zod'\nexport const env = z\n  .object({\n    BILLING_URL: z.string().url(),\n    BILLING_MODE: z.string()\n      .default('fast'),\n  })\n  .parse(process.env)\nconst schema = z.object({ name: z.string() })\n",
    { BILLING_URL: 'required', BILLING_MODE: 'default' },
  ],
  [
    'names that are taken out at once',
    'src/env.js',
    "const { BILLING_URL, BILLING_MODE: mode = 'fast', lower } = process.env\nconst { BILLING_OTHER } = process.env.nested\n",
    { BILLING_URL: 'maybe', BILLING_MODE: 'default' },
  ],
  [
    'tags of a struct',
    'config.go',
    'package main\n\ntype Settings struct {\n\tHost string `env:"BILLING_HOST,required"`\n\tMode string `json:"mode" env:"BILLING_MODE" envDefault:"fast"`\n\tName string `envconfig:"BILLING_NAME"`\n}\n',
    { BILLING_HOST: 'required', BILLING_MODE: 'default', BILLING_NAME: 'maybe' },
  ],
  [
    'decouple',
    'settings.py',
    "from decouple import config\n\nURL = config('BILLING_URL')\nMODE = config('BILLING_MODE', default='fast')\nLIMIT = config('BILLING_LIMIT', cast=int)\n",
    { BILLING_URL: 'required', BILLING_MODE: 'default', BILLING_LIMIT: 'required' },
  ],
  [
    'environs',
    'settings.py',
    "from environs import Env\n\nenv = Env()\nURL = env.str('BILLING_URL')\nMODE = env.str('BILLING_MODE', 'fast')\n",
    { BILLING_URL: 'required', BILLING_MODE: 'default' },
  ],
  [
    'a schema of something else',
    'src/form.ts',
    'export const form = z.object({\n  BILLING_URL: z.string(),\n})\n',
    {},
  ],
])('%s says what is read, and what must be set', (_, path, text, wanted) => {
  const reads = readsOf({ path, text, facts: null })
  expect(Object.fromEntries(reads.map(({ name, need }) => [name, need]))).toEqual(wanted)
})

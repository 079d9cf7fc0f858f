import { expect, test } from 'vitest'
import { images } from '../../../src/workspace/kinds/image/kind.ts'
import { breaksBetween, brokenUses, changed, type Files, treeOf, words } from '../helpers.ts'

const publish = '.github/workflows/publish.yml'
const workflow = (tags: string, folder = 'images/base') => `on: push
jobs:
  publish:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: docker/build-push-action@v6
        with:
          context: ${folder}
          push: true
          tags: ${tags}
`
const library: Files = {
  'images/base/Dockerfile': `FROM debian:12 AS deps
RUN apt-get update && \\
    apt-get install -y curl

FROM debian:12
COPY --from=deps /usr/bin/env /usr/bin/env
EXPOSE 8080
ENTRYPOINT ["/run.sh"]
`,
  [publish]: workflow('ghcr.io/acme/base:3'),
}

const user: Files = {
  Dockerfile: `FROM ghcr.io/acme/base:3 AS run
CMD ["serve"]
`,
  'argument.Dockerfile': 'ARG TAG=3\nARG BASE=ghcr.io/acme/base\nFROM $BASE:$TAG\n',
  'unsaid.Dockerfile': `ARG TAG\nFROM ghcr.io/acme/base:\${TAG}\n`,
  'tools.Dockerfile': `FROM node:22
COPY --from=ghcr.io/acme/base:3 /run.sh /run.sh
`,
  'compose.yml': `services:
  web:
    image: ghcr.io/acme/base:3
    ports:
      - "80:8080"
  other:
    image: ghcr.io/acme/base-extra:3
`,
  'k8s/web.yaml': `kind: Service
---
kind: Deployment
spec:
  containers:
    - image: ghcr.io/acme/base@sha256:abc123
      ports:
        - containerPort: 8080
    - image: ghcr.io/acme/base
      ports:
        - containerPort: 8080
`,
  '.devcontainer/devcontainer.json': '{ "image": "ghcr.io/acme/base:3" }\n',
  'overlay/kustomization.yaml': 'images:\n  - name: ghcr.io/acme/base\n    newTag: "3"\n',
  'values.yaml': 'image:\n  repository: ghcr.io/acme/base\n  tag: 3.1.0\n',
  '.gitlab-ci.yml': 'test:\n  image: ghcr.io/acme/base:2\n  script: [make]\n',
}

const all = [
  'likely Dockerfile:1 ghcr.io/acme/base',
  'likely compose.yml:3 ghcr.io/acme/base',
  'likely .devcontainer/devcontainer.json:1 ghcr.io/acme/base',
  'likely .gitlab-ci.yml:2 ghcr.io/acme/base',
  'likely argument.Dockerfile:3 ghcr.io/acme/base',
  'likely k8s/web.yaml:9 ghcr.io/acme/base',
  'likely overlay/kustomization.yaml:2 ghcr.io/acme/base',
  'likely tools.Dockerfile:2 ghcr.io/acme/base',
  'likely unsaid.Dockerfile:2 ghcr.io/acme/base',
  'likely values.yaml:1 ghcr.io/acme/base',
]

const replaced = (path: string, from: string, to: string) => {
  const text = library[path] ?? ''
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
  return { [path]: text.replace(from, to) }
}

type Case = { change: Record<string, string | null>; breaks: string[]; uses: string[]; before?: Files }

const docker = 'images/base/Dockerfile'
const breaking: Record<string, Case> = {
  'an image is renamed': {
    change: { [publish]: workflow('ghcr.io/acme/debian-base:3') },
    breaks: [
      `renamed ghcr.io/acme/base → ghcr.io/acme/debian-base: the image \`ghcr.io/acme/base\` is now published as \`ghcr.io/acme/debian-base\` (before ${publish}:11, after ${publish}:11)`,
    ],
    uses: all,
  },
  'an image is no longer published': {
    change: { [publish]: null },
    breaks: [
      `removed ghcr.io/acme/base: the image \`ghcr.io/acme/base\` is no longer published (before ${publish}:11)`,
    ],
    uses: all,
  },
  'another port is exposed': {
    change: replaced(docker, 'EXPOSE 8080', 'EXPOSE 9000'),
    breaks: [
      `changed ghcr.io/acme/base port 8080: \`ghcr.io/acme/base\` now exposes the port \`9000\` in place of \`8080\` (before ${docker}:7, after ${docker}:7)`,
    ],
    uses: ['likely compose.yml:4 ghcr.io/acme/base', 'likely k8s/web.yaml:10 ghcr.io/acme/base'],
  },
  'a port is no longer exposed': {
    change: replaced(docker, 'EXPOSE 8080\n', ''),
    breaks: [
      `removed ghcr.io/acme/base port 8080: \`ghcr.io/acme/base\` no longer exposes the port \`8080\` (before ${docker}:7)`,
    ],
    uses: ['likely compose.yml:4 ghcr.io/acme/base', 'likely k8s/web.yaml:10 ghcr.io/acme/base'],
  },
  'the entrypoint goes': {
    change: replaced(docker, 'ENTRYPOINT ["/run.sh"]\n', ''),
    breaks: [
      `removed ghcr.io/acme/base entrypoint: \`ghcr.io/acme/base\` no longer has an entrypoint (before ${docker}:8)`,
    ],
    uses: ['possible Dockerfile:1 ghcr.io/acme/base'],
  },
  'an image that a script pushes is renamed': {
    before: {
      [docker]: library[docker] ?? '',
      'build.sh': 'docker build -t ghcr.io/acme/base:$TAG images/base\ndocker push ghcr.io/acme/base:$TAG\n',
    },
    change: {
      'build.sh': 'docker build -t ghcr.io/acme/core:$TAG images/base\ndocker push ghcr.io/acme/core:$TAG\n',
    },
    breaks: [
      'renamed ghcr.io/acme/base → ghcr.io/acme/core: the image `ghcr.io/acme/base` is now published as `ghcr.io/acme/core` (before build.sh:2, after build.sh:2)',
    ],
    uses: all,
  },
  'an image that a Makefile names by a variable is renamed': {
    before: { Makefile: 'IMAGE := ghcr.io/acme/base\n\npublish:\n\tdocker push $(IMAGE):$(TAG)\n' },
    change: { Makefile: 'IMAGE := ghcr.io/acme/core\n\npublish:\n\tdocker push $(IMAGE):$(TAG)\n' },
    breaks: [
      'renamed ghcr.io/acme/base → ghcr.io/acme/core: the image `ghcr.io/acme/base` is now published as `ghcr.io/acme/core` (before Makefile:4, after Makefile:4)',
    ],
    uses: all,
  },
  'an image that a workflow names in its environment is renamed': {
    before: { [publish]: `env:\n  IMAGE: ghcr.io/acme/base\n${workflow(`\${{ env.IMAGE }}:3`)}` },
    change: { [publish]: `env:\n  IMAGE: ghcr.io/acme/core\n${workflow(`\${{ env.IMAGE }}:3`)}` },
    breaks: [
      `renamed ghcr.io/acme/base → ghcr.io/acme/core: the image \`ghcr.io/acme/base\` is now published as \`ghcr.io/acme/core\` (before ${publish}:13, after ${publish}:13)`,
    ],
    uses: all,
  },
  'an image of a compose file is renamed': {
    before: { 'compose.yml': 'services:\n  base:\n    build: images/base\n    image: ghcr.io/acme/base\n' },
    change: { 'compose.yml': 'services:\n  base:\n    build: images/base\n    image: ghcr.io/acme/core\n' },
    breaks: [
      'renamed ghcr.io/acme/base → ghcr.io/acme/core: the image `ghcr.io/acme/base` is now published as `ghcr.io/acme/core` (before compose.yml:4, after compose.yml:4)',
    ],
    uses: all,
  },
  'an image of a bake file goes': {
    before: {
      'docker-bake.hcl':
        'target "base" {\n  context = "images/base"\n  tags = [\n    "ghcr.io/acme/base:3",\n  ]\n}\n',
    },
    change: { 'docker-bake.hcl': null },
    breaks: [
      'removed ghcr.io/acme/base: the image `ghcr.io/acme/base` is no longer published (before docker-bake.hcl:4)',
    ],
    uses: all,
  },
}

for (const [name, { change, breaks, uses, before = library }] of Object.entries(breaking))
  test(`image: ${name}`, async () => {
    const found = await breaksBetween(images, before, changed(before, change))
    expect(found.map(words)).toEqual(breaks)
    expect((await brokenUses(images, found, user)).sort()).toEqual(uses.toSorted())
  })

const compatible: Record<string, Record<string, string | null>> = {
  'a package is installed': replaced(docker, 'install -y curl', 'install -y curl jq'),
  'a stage is renamed': {
    [docker]: (library[docker] ?? '')
      .replace('AS deps', 'AS packages')
      .replace('--from=deps', '--from=packages'),
  },
  'a port is added': replaced(docker, 'EXPOSE 8080', 'EXPOSE 8080 9000'),
  'the port is written another way': replaced(docker, 'EXPOSE 8080', 'EXPOSE 8080/tcp'),
  'a variable and a comment are added': replaced(docker, 'EXPOSE', '# The server.\nENV MODE=1\nEXPOSE'),
  'another entrypoint runs': replaced(docker, '/run.sh', '/start.sh'),
  'another version is published': { [publish]: workflow('ghcr.io/acme/base:4') },
  'a second tag is published': {
    [publish]: workflow('|\n            ghcr.io/acme/base:3\n            ghcr.io/acme/base:latest'),
  },
  'a script publishes it': {
    [publish]: null,
    'build.sh': 'docker build -t ghcr.io/acme/base images/base\ndocker push ghcr.io/acme/base\n',
  },
  'the name is made at run time': { [publish]: workflow('$' + '{{ env.IMAGE }}') },
  'the Dockerfile moves': {
    [docker]: null,
    'docker/base/Dockerfile': library[docker] ?? '',
    [publish]: workflow('ghcr.io/acme/base:3', 'docker/base'),
  },
  'the workflow moves': { [publish]: null, '.github/workflows/images.yml': library[publish] ?? '' },
}

for (const [name, change] of Object.entries(compatible))
  test(`image, compatible: ${name}`, async () => {
    const after = changed(library, change)
    expect(after).not.toEqual(library)
    expect((await breaksBetween(images, library, after)).map(words)).toEqual([])
  })

test('image: the tag is the version', async () => {
  const [broken] = await breaksBetween(images, library, changed(library, { [publish]: null }))
  const tree = treeOf(user)
  const [file] = await tree.read(['values.yaml'])
  const [use] = file ? await images.uses(file) : []
  if (!broken || !use) throw new Error('nothing broke')
  expect(await images.pin?.(broken, use, tree)).toEqual({ version: '3.1.0', path: 'values.yaml', line: 1 })
})

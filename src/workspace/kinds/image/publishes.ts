/** Which images a repository publishes: by its workflows, pipelines, scripts, compose files and bake files. */
import { folderOf } from '../../../base/file-paths.ts'
import { joinPath } from '../../../code-index/resolve/world.ts'
import type { SourceFile } from '../../contract.ts'
import { childOf, type DataNode, entriesOf, itemsOf, readData, textOf } from '../reading/data-tree.ts'
import { imageName } from './contract.ts'
import { filledIn } from './variables.ts'

/** `image`: null for a name that is made at run time. `dockerfile`: a path; null where nothing says which. */
export type Published = { image: string | null; dockerfile: string | null; path: string; line: number }

const compose = /(?:^|\/)(?:docker-)?compose[^/]*\.ya?ml$/
const pipeline = /(?:^|\/)\.github\/workflows\/[^/]{1,200}\.ya?ml$|(?:^|[./-])gitlab-ci[^/]{0,200}\.ya?ml$/
const bake = /(?:^|\/)docker-bake[^/]*\.hcl$/
const script = /(?:^|\/)(?:GNUmakefile|[Mm]akefile|Jenkinsfile|[^/]+\.(?:sh|bash|mk))$/

export const mayPublish = (path: string): boolean =>
  [compose, pipeline, bake, script].some((pattern) => pattern.test(path))

export function publishedBy(file: SourceFile): Published[] {
  const { path, text } = file
  if (!/docker|podman|buildah|\bbuild\s*:|bake|target/.test(text)) return []
  if (bake.test(path)) return byBake(file)
  if (compose.test(path)) return byCompose(path, readData(path, text))
  const fill = filledIn(text)
  const steps = pipeline.test(path) ? bySteps(path, readData(path, text), fill) : []
  return [...steps, ...byCommands(file, fill)]
}

function dockerfileIn(from: string, context: string | null, file: string | null): string | null {
  if (/[$`]/.test(`${context}${file}`) || /^[a-z]+:\/\//.test(context ?? '')) return null
  return joinPath(from, file ?? `${context ?? '.'}/Dockerfile`)
}

function made(path: string, line: number, written: string, dockerfile: string | null): Published[] {
  const named = imageName(written)
  if (named) return [{ image: named.image, dockerfile, path, line }]
  // A tag that is made at run time leaves the name of the image to be read.
  const untagged = imageName(written.slice(0, /:[^/:$]{0,128}\$/.exec(written)?.index))
  if (untagged) return [{ image: untagged.image, dockerfile, path, line }]
  return written.includes('$') ? [{ image: null, dockerfile, path, line }] : []
}

function byCompose(path: string, root: DataNode | null): Published[] {
  return entriesOf(childOf(root, 'services')).flatMap(([, { value }]) => {
    const [build, image] = [
      childOf(value, 'build'),
      value.kind === 'map' ? value.entries.get('image') : undefined,
    ]
    const written = textOf(image?.value)
    if (!build || !image || written === null) return []
    const context = textOf(build) ?? textOf(childOf(build, 'context'))
    const file = textOf(childOf(build, 'dockerfile'))
    const from = folderOf(path)
    const folder = context === null || /[$:]/.test(context) ? null : joinPath(from, context)
    const dockerfile = folder === null ? null : file ? joinPath(folder, file) : joinPath(folder, 'Dockerfile')
    return made(path, image.line, written, dockerfile)
  })
}

function byBake({ path, text }: SourceFile): Published[] {
  const found: Published[] = []
  const lines = text.split('\n')
  let [context, file]: [string | null, string | null] = [null, null]
  let tags: { written: string; line: number }[] = []
  const end = (): void => {
    // A context is looked up from where the command runs, which is the root more often than not.
    const from = context === null || context.startsWith('.') ? folderOf(path) : ''
    const dockerfile = dockerfileIn(from, context, file && `${context ?? '.'}/${file}`)
    for (const { written, line } of tags) found.push(...made(path, line, written, dockerfile))
    ;[context, file, tags] = [null, null, []]
  }
  let isInTags = false
  for (const [at, line] of lines.entries()) {
    if (/^\s*(?:target|group)\b/.test(line)) end()
    context = /^\s*context\s*=\s*"([^"]*)"/.exec(line)?.[1] ?? context
    file = /^\s*dockerfile\s*=\s*"([^"]*)"/.exec(line)?.[1] ?? file
    isInTags ||= /^\s*tags\s*=/.test(line)
    if (isInTags)
      for (const [, written = ''] of line.matchAll(/"([^"]{1,300})"/g)) tags.push({ written, line: at + 1 })
    if (line.includes(']')) isInTags = false
  }
  end()
  return found
}

type Fill = (written: string) => string

function bySteps(path: string, root: DataNode | null, fill: Fill): Published[] {
  return entriesOf(childOf(root, 'jobs')).flatMap(([, { value }]) => {
    const steps = itemsOf(childOf(value, 'steps'))
    const images = steps.flatMap((step) => valuesOf(step, 'docker/metadata-action', 'images'))
    return steps.flatMap((step) => {
      const tags = valuesOf(step, 'docker/build-push-action', 'tags')
      const options = childOf(step, 'with')
      if (textOf(childOf(options, 'push')) === 'false') return []
      const dockerfile = dockerfileIn(
        '',
        textOf(childOf(options, 'context')),
        textOf(childOf(options, 'file')),
      )
      return tags.flatMap((tag) => {
        const named = tag.written.includes('steps.') ? images : [tag]
        return named.flatMap(({ written, line }) => made(path, line, fill(written), dockerfile))
      })
    })
  })
}

function valuesOf(step: DataNode, action: string, key: string): { written: string; line: number }[] {
  if (!textOf(childOf(step, 'uses'))?.startsWith(`${action}@`)) return []
  const options = childOf(step, 'with')
  const entry = options?.kind === 'map' ? options.entries.get(key) : undefined
  const text = textOf(entry?.value)
  if (!entry || text === null) return []
  return text
    .split(/[\n,]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((written) => ({ written, line: entry.line }))
}

/** `docker build -t NAME FOLDER` and `docker push NAME`; what is only built stays on the machine. */
function byCommands({ path, text }: SourceFile, fill: Fill): Published[] {
  const pushed: { written: string; line: number }[] = []
  const built: { written: string; dockerfile: string | null }[] = []
  for (const [at, whole] of text.split('\n').entries()) {
    if (whole.length > 1_000 || !/\b(?:docker|podman|buildah|nerdctl)\b/.test(whole)) continue
    const raw = fill(whole)
    const line = at + 1
    for (const [, name = ''] of raw.matchAll(/\bpush\s+(?:--?\S+\s+)*["']?([\w./:@${}-]+)/g))
      if (!name.startsWith('-')) pushed.push({ written: name, line })
    if (!/\bbuild\b/.test(raw)) continue
    const names = [...raw.matchAll(/(?:\s-t|--tag)[\s=]["']?([\w./:@${}-]+)/g)].map(([, name = '']) => name)
    const file = /(?:\s-f|--file)[\s=]["']?([\w./-]+)/.exec(raw)?.[1] ?? null
    const last = /\s["']?([\w./-]+)["']?\s*$/.exec(raw)?.[1] ?? null
    const dockerfile = dockerfileIn('', last !== null && !last.startsWith('-') ? last : '.', file)
    for (const written of names) {
      built.push({ written, dockerfile })
      if (/\s--push\b/.test(raw)) pushed.push({ written, line })
    }
  }
  return pushed.flatMap(({ written, line }) => {
    const from =
      built.find((one) => one.written === written) ??
      built.find(({ written: name }) => nameAlone(name) === nameAlone(written))
    return made(path, line, written, from?.dockerfile ?? null)
  })
}

function nameAlone(written: string): string {
  const tag = written.indexOf(':', written.lastIndexOf('/') + 1)
  return tag < 0 ? written : written.slice(0, tag)
}

/** Container images: what a repository builds and publishes, and who runs or extends it. */
import type { Confidence } from '../../../domain/severity.ts'
import { placeOf } from '../../../domain/shared-contract.ts'
import type { ContractKind, SourceTree } from '../../contract.ts'
import { goneOrRenamed, placeAt } from '../../places.ts'
import { type BrokenImage, type ImageShape, type ImageUse, keyOf, type ProvidedImage } from './contract.ts'
import { isDockerfile, type Offered, offeredBy } from './dockerfile.ts'
import { mayPublish, type Published, publishedBy } from './publishes.ts'
import { imageUses } from './uses.ts'

/** Files that may say what is published; the others of a repository are not read. */
const mostPublishers = 200

export const images: ContractKind<ImageShape, ImageUse['shape'], BrokenImage['shape']> = {
  kind: 'image',
  mayProvide: (path) => isDockerfile(path) || mayPublish(path),
  mayUse: (path) => isDockerfile(path) || /\.ya?ml$|(?:^|\/)devcontainer\.json$/.test(path),
  cue: /\bFROM\b|\bfrom\b|\bimages?\b|\bcontainer\b|docker:\/\//,
  provided,
  uses: async (file) => imageUses(file),
  breaks: imageBreaks,
  judge,
  pin: async (_broken, { shape: { version }, path, line }) =>
    version === null ? null : { version, path, line },
}

/** All that publishes is read, so that an image that is only published elsewhere is still there. */
async function provided(changed: readonly string[], tree: SourceTree): Promise<ProvidedImage[]> {
  const others = (await tree.paths()).filter((path) => mayPublish(path) && !changed.includes(path))
  const files = await tree.read([...changed.filter(mayPublish), ...others].slice(0, mostPublishers))
  const published = files.flatMap(publishedBy)
  const known = new Map<string, Published & { image: string }>()
  const unnamed: ProvidedImage[] = []
  for (const one of published) {
    const { image, dockerfile, path, line } = one
    if (image === null)
      unnamed.push({ ...placeAt(path, line), name: path, shape: { is: 'unnamed', dockerfile } })
    else if (!known.get(image)?.dockerfile) known.set(image, { ...one, image })
  }
  const texts = await tree.read([
    ...new Set([...known.values()].flatMap(({ dockerfile }) => dockerfile ?? [])),
  ])
  const textOf = new Map(texts.map(({ path, text }) => [path, text]))
  return [
    ...unnamed,
    ...[...known.values()].flatMap((one) => offeredImage(one, textOf.get(one.dockerfile ?? '') ?? null)),
  ]
}

function offeredImage(
  { image, dockerfile, path, line }: Published & { image: string },
  text: string | null,
): ProvidedImage[] {
  const base: ProvidedImage = {
    ...placeAt(path, line),
    name: image,
    shape: { is: 'image', image, dockerfile },
  }
  if (text === null || dockerfile === null) return [base]
  const { ports, entrypoint } = offeredBy(text)
  const at = ({ line, endLine }: Offered) => placeAt(dockerfile, line, endLine)
  return [
    base,
    ...ports.map(
      (one): ProvidedImage => ({
        ...at(one),
        name: `${image} port ${one.value}`,
        shape: { is: 'port', image, port: one.value },
      }),
    ),
    ...(entrypoint
      ? [{ ...at(entrypoint), name: `${image} entrypoint`, shape: { is: 'entrypoint', image } as const }]
      : []),
  ]
}

function imageBreaks(before: readonly ProvidedImage[], after: readonly ProvidedImage[]): BrokenImage[] {
  return before.flatMap((one): BrokenImage[] => {
    const { shape } = one
    if (shape.is === 'unnamed') return []
    const isThere = after.some((other) => other.shape.is === 'image' && other.shape.image === shape.image)
    if (shape.is === 'image') return isThere ? [] : imageBreak(one, shape, before, after)
    // With the image goes all that it has.
    if (!isThere && before.some(({ name }) => name === shape.image)) return []
    if (after.some(({ name }) => name === one.name)) return []
    return shape.is === 'port' ? [portBreak(one, shape, before, after)] : [entrypointBreak(one, shape.image)]
  })
}

type Shape<Is extends ProvidedImage['shape']['is']> = Extract<ProvidedImage['shape'], { is: Is }>

function imageBreak(
  one: ProvidedImage,
  { image, dockerfile }: Shape<'image'>,
  before: readonly ProvidedImage[],
  after: readonly ProvidedImage[],
): BrokenImage[] {
  const isSame = (other: string | null) => dockerfile === null || other === null || other === dockerfile
  if (after.some(({ shape }) => shape.is === 'unnamed' && isSame(shape.dockerfile))) return []
  const fresh = after.filter(
    ({ name, path, shape }) =>
      shape.is === 'image' &&
      !before.some((old) => old.name === name) &&
      (dockerfile === null ? path === one.path : shape.dockerfile === dockerfile),
  )
  const [next] = fresh
  const said = goneOrRenamed(one, fresh.length === 1 ? next : null, {
    gone: `the image \`${image}\` is no longer published`,
    renamed: ({ name }) => `the image \`${image}\` is now published as \`${name}\``,
  })
  return [
    { kind: 'image', name: image, ...said, keys: [keyOf(image)], shape: { image, of: 'image', port: '' } },
  ]
}

function portBreak(
  one: ProvidedImage,
  { image, port }: Shape<'port'>,
  before: readonly ProvidedImage[],
  after: readonly ProvidedImage[],
): BrokenImage {
  const portsOf = (all: readonly ProvidedImage[], others: readonly ProvidedImage[]) =>
    all.filter(
      ({ name, shape }) =>
        shape.is === 'port' && shape.image === image && !others.some((other) => other.name === name),
    )
  const [next, ...more] = portsOf(after, before)
  const moved = next?.shape.is === 'port' ? next.shape.port : null
  const isMoved = moved !== null && more.length === 0 && portsOf(before, after).length === 1
  const what = isMoved
    ? `now exposes the port \`${moved}\` in place of \`${port}\``
    : `no longer exposes the port \`${port}\``
  return {
    kind: 'image',
    name: one.name,
    how: isMoved ? 'changed' : 'removed',
    what: `\`${image}\` ${what}`,
    before: placeOf(one),
    after: isMoved && next ? placeOf(next) : null,
    keys: [keyOf(image)],
    shape: { image, of: 'port', port },
  }
}

function entrypointBreak(one: ProvidedImage, image: string): BrokenImage {
  return {
    kind: 'image',
    name: one.name,
    how: 'removed',
    what: `\`${image}\` no longer has an entrypoint`,
    before: placeOf(one),
    after: null,
    keys: [keyOf(image)],
    shape: { image, of: 'entrypoint', port: '' },
  }
}

/** A digest is the same for ever. What was published stays in the registry, so a tag is missed when a new version is needed. */
function judge({ shape: { image, of, port } }: BrokenImage, { shape: use }: ImageUse): Confidence | null {
  if (use.image.toLowerCase() !== image.toLowerCase() || use.version?.startsWith('sha256:')) return null
  if (of === 'image') return use.is === 'image' ? 'likely' : null
  if (of === 'port') return use.is === 'ports' && use.ports.includes(port) ? 'likely' : null
  return use.is === 'image' && use.hasArguments ? 'possible' : null
}

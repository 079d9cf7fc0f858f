/** What a repository publishes as container images, and how others run and extend them. */
import type { Break, Provided, Use } from '../../contract.ts'

export type ImageShape =
  /** `dockerfile`: null where what it is built from is not known. */
  | { is: 'image'; image: string; dockerfile: string | null }
  | { is: 'port'; image: string; port: string }
  | { is: 'entrypoint'; image: string }
  /** Something is published under a name that is made at run time. */
  | { is: 'unnamed'; dockerfile: string | null }

export type ProvidedImage = Provided<ImageShape>

export type ImageUse = Use<{
  image: string
  /** Tag or digest; null for the latest. */
  version: string | null
  /** Ports of the container that are mapped or named. */
  ports: readonly string[]
  /** It passes arguments to the entrypoint of the image. */
  hasArguments: boolean
  is: 'image' | 'ports'
}>

export type BrokenImage = Break<{ image: string; of: 'image' | 'port' | 'entrypoint'; port: string }>

/** Name and version of `ghcr.io/acme/base:1`; null for what is made at run time, and for what is on one machine alone. */
export function imageName(written: string): { image: string; version: string | null } | null {
  const text = written
    .trim()
    .replace(/^docker:\/\//, '')
    .replace(/^(?:index\.)?docker\.io\//, '')
  const [, image, tag, digest] =
    /^([a-z\d][\w.-]*(?::\d+)?(?:\/[a-z\d][\w.-]*)+)(?::([\w.-]+))?(?:@(sha256:[\da-f]+))?$/i.exec(text) ?? []
  return image === undefined ? null : { image, version: digest ?? tag ?? null }
}

export function keyOf(image: string): string {
  return `image:${image.toLowerCase()}`
}

/**
 * Stores texts that are not on disk as git would if they were. What attributes and ignore files say of a path is asked once; git
 * itself runs only where it would change the text.
 */

import type { Shadow } from '../../base/git/shadow.ts'
import { writeObject } from '../../base/git/write-object.ts'
import { remembered } from '../../base/remembered.ts'
import { copyPrivateIndex, prepareWorkTree, type WorkTreePlace } from './work-tree-place.ts'

export class TextWriter {
  private readonly shadow: Shadow
  private prepared: WorkTreePlace | null = null
  private readonly attributes = new Map<string, Promise<ReadonlySet<string>>>()
  private readonly ignored = new Map<string, boolean>()

  constructor(shadow: Shadow) {
    this.shadow = shadow
  }

  /** The id of its blob. */
  async write(path: string, text: string): Promise<string> {
    const attributes = await this.attributesOf(path)
    // Saving encodes the text, and git decodes it again.
    if (attributes.has('working-tree-encoding'))
      return this.writeBlob(attributes.has('text') ? text.replaceAll('\r\n', '\n') : text)
    // Without a carriage return there are no line ends to convert, whatever the configuration says.
    const isConverted = text.includes('\r') || attributes.has('ident')
    return isConverted ? await this.hash(path, text) : this.writeBlob(text)
  }

  /** Those of the paths that git would not add by itself. */
  async ignoredAmong(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const fresh = paths.filter((path) => !this.ignored.has(path))
    const found = await this.checkIgnored(fresh)
    for (const path of fresh) this.ignored.set(path, found.has(path))
    return new Set(paths.filter((path) => this.ignored.get(path)))
  }

  private get place(): WorkTreePlace {
    this.prepared ??= prepareWorkTree(this.shadow, copyPrivateIndex(this.shadow))
    return this.prepared
  }

  private writeBlob(text: string): string {
    return writeObject(this.shadow, 'blob', Buffer.from(text))
  }

  /** Those that are set for the path, of those that change what git stores. */
  private attributesOf(path: string): Promise<ReadonlySet<string>> {
    return remembered(this.attributes, path, () => this.askAttributes(path))
  }

  private async askAttributes(path: string): Promise<ReadonlySet<string>> {
    const { shadow, env, options } = this.place
    const args = [...options, 'check-attr', '-z', '--stdin', 'text', 'ident', 'working-tree-encoding']
    const words = (await shadow.run(args, { env, input: `${path}\0` })).toString('utf8').split('\0')
    const found = new Set<string>()
    for (let at = 0; at + 2 < words.length; at += 3) {
      const [, name = '', value = ''] = words.slice(at, at + 3)
      if (value !== 'unspecified' && value !== 'unset') found.add(name)
    }
    return found
  }

  private async hash(path: string, text: string): Promise<string> {
    const { shadow, folder, env, options } = this.place
    // Attributes of the path are looked for where git starts.
    const args = ['-C', folder, ...options, 'hash-object', '-w', '--stdin', `--path=${path}`]
    return (await shadow.run(args, { env, input: text })).toString('latin1').trim()
  }

  private async checkIgnored(paths: readonly string[]): Promise<ReadonlySet<string>> {
    if (paths.length === 0) return new Set()
    const { shadow, env, options } = this.place
    // It refuses to take paths literally, and one that begins with a colon would be a pattern.
    const input = paths.map((path) => `./${path}\0`).join('')
    const relaxed = { ...env, GIT_LITERAL_PATHSPECS: '0' }
    const { stdout } = await shadow.try([...options, 'check-ignore', '-z', '--stdin'], {
      env: relaxed,
      input,
    })
    const ignored = stdout.toString('utf8').split('\0')
    return new Set(ignored.map((path) => path.slice('./'.length)))
  }
}

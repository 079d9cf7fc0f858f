/**
 * Secrets that the server itself got and has to keep: the keys of Apps made by a manifest. They are encrypted with a key
 * that is not in the database, so that a copy of the database opens nothing.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { UserError } from '../../base/errors.ts'

export interface Sealer {
  /** `purpose` is bound to the text: what was sealed for one place opens in no other. */
  seal(text: string, purpose: string): string
  /** Throws `server-unusable` when it was sealed with another key, or changed. */
  open(sealed: string, purpose: string): string
}

const version = 'v1'

export function openSealer(secretKey: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'sightline sealed secrets', 32))
  return {
    seal(text, purpose) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
      const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return [version, ...[nonce, bytes, cipher.getAuthTag()].map((part) => part.toString('base64'))].join(
        ':',
      )
    },
    open(sealed, purpose) {
      const [given, ...parts] = sealed.split(':')
      const [nonce, bytes, tag] = parts.map((part) => Buffer.from(part, 'base64'))
      try {
        if (given !== version || !nonce || !bytes || tag?.length !== 16) throw new Error('unknown form')
        const decipher = createDecipheriv('aes-256-gcm', key, nonce)
          .setAAD(Buffer.from(purpose))
          .setAuthTag(tag)
        return Buffer.concat([decipher.update(bytes), decipher.final()]).toString('utf8')
      } catch (error) {
        throw new UserError(
          'server-unusable',
          'a stored secret cannot be opened; `secretKey` is not the one it was stored with',
          { cause: error },
        )
      }
    },
  }
}

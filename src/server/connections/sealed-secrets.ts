/**
 * Secrets that the server itself got and has to keep: the keys of Apps made by a manifest. They are encrypted with a key
 * that is not in the database, so that a copy of the database opens nothing.
 */
import { hkdfSync } from 'node:crypto'
import { UserError } from '../../base/errors.ts'
import { keyBytes, lockText, unlockText } from '../../base/secrets/lock-text.ts'

export interface Sealer {
  /** `purpose` is bound to the text: what was sealed for one place opens in no other. */
  seal(text: string, purpose: string): string
  /** Throws `server-unusable` when it was sealed with another key, or changed. */
  open(sealed: string, purpose: string): string
}

const version = 'v1'

export function openSealer(secretKey: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'sightline sealed secrets', keyBytes))
  return {
    seal(text, purpose) {
      const { nonce, bytes, tag } = lockText(text, key, purpose)
      return [version, ...[nonce, bytes, tag].map((part) => part.toString('base64'))].join(':')
    },
    open(sealed, purpose) {
      const [given, ...parts] = sealed.split(':')
      const [nonce, bytes, tag] = parts.map((part) => Buffer.from(part, 'base64'))
      try {
        if (given !== version || !nonce || !bytes || !tag) throw new Error('unknown form')
        return unlockText({ nonce, bytes, tag }, key, purpose)
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

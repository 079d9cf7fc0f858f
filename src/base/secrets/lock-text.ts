/** Encryption of what is kept: AES-256-GCM, so that a text that was changed opens as little as one with another key. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
export const [keyBytes, nonceBytes, tagBytes] = [32, 12, 16]

export type LockedText = { nonce: Buffer; tag: Buffer; bytes: Buffer }

/** `purpose` is bound to the text: what was locked for one opens for no other. */
export function lockText(text: string, key: Buffer, purpose = ''): LockedText {
  const nonce = randomBytes(nonceBytes)
  const lock = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(purpose))
  const bytes = Buffer.concat([lock.update(text, 'utf8'), lock.final()])
  return { nonce, tag: lock.getAuthTag(), bytes }
}

/** Throws for anything that `lockText` did not make with this key for this purpose. */
export function unlockText({ nonce, tag, bytes }: LockedText, key: Buffer, purpose = ''): string {
  const lock = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(tag)
  return Buffer.concat([lock.update(bytes), lock.final()]).toString('utf8')
}

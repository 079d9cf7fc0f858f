/**
 * The objects of a bucket by name. Below the tenant's prefix are
 *
 *   FORMAT, SWEPT              the format of the newest version that wrote here; when was swept
 *   runs/NAME/open             who writes the run
 *   runs/NAME/00000001.zst …   its segments
 *   runs/NAME.zst              the whole run
 *   answers/KEY.zst            the newest answer to a question
 *   claims/KEY                 who is asking it
 */
import type { Bucket } from './bucket.ts'

/** So many requests go side by side. */
export const atOnce = 8

/** `runs/NAME.zst` and `runs/NAME/…`. */
export function nameIn(key: string): string {
  return key.split('/')[1]?.replace(/\.zst$/, '') ?? ''
}

export const sealedKey = (run: string) => `runs/${run}.zst`
export const segmentsKey = (run: string) => `runs/${run}/`
export const openKey = (run: string) => `runs/${run}/open`
export const segmentKey = (run: string, at: number) => `runs/${run}/${String(at).padStart(8, '0')}.zst`
export const answerKey = (key: string) => `answers/${key}.zst`
export const claimKey = (key: string) => `claims/${key}`

export async function removeAll(bucket: Bucket, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += atOnce)
    await Promise.all(keys.slice(at, at + atOnce).map((key) => bucket.remove(key)))
}

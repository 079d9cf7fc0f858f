/** A base URL as the SDKs want it: with its path, without a slash at the end. */
import { trimTrailing } from '../../base/trim-text.ts'

/** `http://gpu:8000` → `http://gpu:8000/v1`; a path that is there stays. */
export function baseUrl(given: string | undefined, usual: string): string {
  if (given === undefined) return usual
  const url = new URL(given)
  const path = trimTrailing(url.pathname, '/')
  return `${url.origin}${path === '' ? trimTrailing(new URL(usual).pathname, '/') : path}`
}

/** Where Chromium is, for the tests of pages. */
import { existsSync } from 'node:fs'

const names = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Null where there is none. */
export const chromiumPath =
  [process.env.SIGHTLINE_CHROMIUM ?? '', ...names].find((path) => path !== '' && existsSync(path)) ?? null

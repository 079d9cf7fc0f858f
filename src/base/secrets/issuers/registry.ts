/** All forms of tokens. Their facts are those that issuers document, compared with the public lists of scanners. */
import { clouds } from './clouds.ts'
import { codeHosts } from './code-hosts.ts'
import type { IssuedForm } from './issued-form.ts'
import { models } from './models.ts'
import { services } from './services.ts'

export const issuers: readonly IssuedForm[] = [...codeHosts, ...clouds, ...models, ...services]

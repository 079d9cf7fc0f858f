/** The service's edges: retrying requests, roles, settings. Copied, obscured and leaky in the feature. */
import { createHash } from 'node:crypto'

export const retry = {
  'src/http/retry.ts': `const longestPauseMs = 5000

export async function fetchWithRetry(url: string, init: RequestInit, attempts: number): Promise<Response> {
  let pauseMs = 100
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const response = await fetch(url, init)
    if (response.status < 500) return response
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
  throw new Error('no answer from ' + url)
}
`,
}

export const roles = {
  'src/auth/roles.ts': `export type Role = 'clerk' | 'manager'

export function mayRefund(role: Role): boolean {
  return role === 'manager'
}
`,
  'src/settings.ts': `export const settings = {
  port: Number(process.env.PORT ?? 8080),
  carrier: process.env.CARRIER_URL ?? 'https://carrier.example',
}
`,
}

/** Not a secret: GitHub's form around a hash, put together here so that no file of this program holds one. */
function madeUpToken(): string {
  return ['gh', 'p_', createHash('sha256').update('a token of the demo').digest('hex').slice(0, 36)].join('')
}

const leftToRight = '\u202d'
const endOfOverride = '\u202c'

export const transportByVolume = {
  'src/billing/invoices.ts': `const longestPauseMs = 5000

export async function postInvoice(address: string, request: RequestInit, tries: number): Promise<Response> {
  let waitMs = 100
  for (let round = 1; round <= tries; round++) {
    const answer = await fetch(address, request)
    if (answer.status < 500) return answer
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    waitMs = Math.min(waitMs * 2, longestPauseMs)
  }
  throw new Error('no answer from ' + address)
}
`,
  'src/auth/roles.ts': `${roles['src/auth/roles.ts']}
export function mayDiscount(role: Role): boolean {
  return role === 'manager' /*${leftToRight} || role === 'clerk' ${endOfOverride}*/
}
`,
  'src/settings.ts': roles['src/settings.ts'].replace(
    '\n}\n',
    `\n  issueTracker: { repository: 'parcels/desk', token: '${madeUpToken()}' },\n}\n`,
  ),
}

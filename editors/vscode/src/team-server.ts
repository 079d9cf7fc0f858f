/** The API of a team's server, with the token of whoever signed in. The token is kept by VS Code, and goes to that server only. */
import * as vscode from 'vscode'
import type { Answer } from '../../../src/server/api/contract/conversation.ts'

/** The user can put it right; its words are ours. */
export class ServerRefused extends Error {}

export class TeamServer {
  private readonly secrets: vscode.SecretStorage

  constructor(secrets: vscode.SecretStorage) {
    this.secrets = secrets
  }

  /** Without a slash at its end. Throws `ServerRefused`. */
  get url(): string {
    const said = vscode.workspace.getConfiguration('sightline').get<string>('server') ?? ''
    if (!URL.canParse(said))
      throw new ServerRefused('Set the address of your server in `sightline.server` first.')
    const { protocol, hostname, origin, pathname } = new URL(said)
    const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
    if (protocol !== 'https:' && !(protocol === 'http:' && isHere))
      throw new ServerRefused('`sightline.server` must begin with https://, or others could read your token.')
    return `${origin}${pathname}`.replace(/\/+$/, '')
  }

  async signIn(token: string): Promise<void> {
    await this.request('GET', '/session', token)
    await this.secrets.store(this.url, token)
  }

  async signOut(): Promise<void> {
    await this.secrets.delete(this.url)
  }

  async isSignedIn(): Promise<boolean> {
    return (await this.secrets.get(this.url)) !== undefined
  }

  /** Shapes are the server's word. Throws `ServerRefused`. */
  async get<Shape>(path: string): Promise<Shape> {
    return (await (await this.request('GET', path)).json()) as Shape
  }

  /** Of a run's review. Costs money on the server, whose limits apply. */
  async ask(run: string, question: string, signal: AbortSignal): Promise<Answer> {
    const path = `/runs/${encodeURIComponent(run)}/ask`
    const response = await this.request('POST', path, null, { question }, signal)
    const last = (await response.text()).trim().split('\n\n').at(-1) ?? ''
    const [, event, data = ''] = /^event: (\w+)\ndata: (.*)$/s.exec(last) ?? []
    if (event === 'answer') return JSON.parse(data) as Answer
    const message: unknown = event === 'error' ? JSON.parse(data).message : null
    throw new ServerRefused(String(message ?? 'The server ended without an answer.'))
  }

  private async request(
    method: 'GET' | 'POST',
    path: string,
    other: string | null = null,
    body: object | null = null,
    signal: AbortSignal | null = null,
  ): Promise<Response> {
    const token = other ?? (await this.secrets.get(this.url))
    if (token === undefined) throw new ServerRefused('Sign in to your server first.')
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    // A redirect would take the token elsewhere.
    const sent = { method, headers, redirect: 'error', signal, body: body && JSON.stringify(body) } as const
    const response = await fetch(`${this.url}/api/v1${path}`, sent).catch((error: Error) => {
      throw new ServerRefused(`${this.url} cannot be reached: ${error.message}`)
    })
    if (response.ok) return response
    if (response.status === 401)
      throw new ServerRefused('The server does not accept your token; sign in again.')
    const { error } = (await response.json().catch(() => ({}))) as { error?: { message?: string } }
    throw new ServerRefused(
      `The server answered ${response.status}${error?.message ? `: ${error.message}` : ''}`,
    )
  }
}

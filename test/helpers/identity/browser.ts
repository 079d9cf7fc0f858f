/** A browser as far as sign-in goes: cookies of one server, and redirects that are followed by hand. */

export class Browser {
  readonly cookies = new Map<string, string>()
  private readonly server: string

  constructor(server: string) {
    this.server = server
  }

  /** As somebody who clicks on a link; no redirect is followed. */
  async open(address: string): Promise<Response> {
    const isOwn = address.startsWith(this.server)
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { redirect: 'manual', headers: isOwn ? { cookie } : {} })
    if (isOwn) this.keep(response)
    return response
  }

  /** From the sign-in address to where the browser ends up; the provider agrees at once. */
  async signIn(
    provider: string,
    back = '/',
  ): Promise<{ landed: string; returned: string; response: Response }> {
    const returned = await this.toReturn(provider, back)
    const response = await this.open(returned)
    return { landed: response.headers.get('location') ?? '', returned, response }
  }

  /** Up to the address that the provider sends the browser to, which is not opened. */
  async toReturn(provider: string, back = '/'): Promise<string> {
    const begun = await this.open(`${this.server}/auth/${provider}?return=${encodeURIComponent(back)}`)
    const agreed = await this.open(begun.headers.get('location') ?? '')
    return agreed.headers.get('location') ?? ''
  }

  /** As the page does. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(`${this.server}/api/v1${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    this.keep(response)
    return response
  }

  private keep(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (/Max-Age=0(;|$)/.test(line)) this.cookies.delete(pair.slice(0, at))
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
  }
}

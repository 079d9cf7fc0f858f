/** The two cookies of a browser: its session, and for some minutes the sign-in that is under way. */

export type SessionCookies = ReturnType<typeof sessionCookies>

/** `url`: where browsers reach the server. With TLS the names are ones that only this very host can set. */
export function sessionCookies(url: string | null) {
  const isSecure = url?.startsWith('https:') ?? false
  const [before, after] = isSecure ? ['__Host-', '; Secure'] : ['', '']
  const name = `${before}sightline`
  const attemptName = `${before}sightline-sign-in`
  return {
    name,
    attemptName,
    /** No other site makes a browser send it. An empty `key` takes it back. */
    session: (key: string, seconds: number) =>
      `${name}=${key}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${after}`,
    /** Comes along when the provider sends the browser back. */
    attempt: (sealed: string, seconds: number) =>
      `${attemptName}=${sealed}; HttpOnly; SameSite=Lax; Path=/; Max-Age=${seconds}${after}`,
  }
}

/** The value of a cookie; empty without it. */
export function cookieIn(header: string | undefined, name: string): string {
  const found = (header ?? '').split(/;\s*/).find((each) => each.startsWith(`${name}=`))
  return found?.slice(name.length + 1) ?? ''
}

/**
 * A sign-in provider on this machine that keeps to its contract to the letter: redirect addresses and clients are known,
 * PKCE is required and verified, a code works once, refresh tokens are replaced, and tokens end. What it says of people can be
 * changed while it runs, and each lie that an attacker would tell can be switched on.
 */
import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type IdentityKind = 'github' | 'gitlab' | 'oidc'

export type Person = {
  id: number
  login: string
  /** By id of the repository: what the host answers as its level. */
  repositories: Map<number, Record<string, boolean> | number>
  groups: string[]
}

/** What it lies about, from the next answer on. */
export type Lies = {
  claims?: Record<string, unknown>
  /** `other`: a key that it does not publish. */
  signature?: 'other' | 'none' | 'client secret'
  issuer?: string
  /** The parameter `iss` of the redirect. */
  returnedIssuer?: string
  isDown?: boolean
  withoutIdToken?: boolean
}

export type Identity = {
  url: string
  clientId: string
  clientSecret: string
  person: Person
  lies: Lies
  /** Requests by path. */
  seen: string[]
  /** Tokens that were given out are not accepted any more. */
  revokeTokens(): void
  /** Access tokens end with the next request; refresh tokens go on. */
  endAccess(): void
  close(): Promise<void>
}

type Code = { challenge: string; redirect: string; nonce: string; isUsed: boolean; tokens: string[] }

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherKeys = generateKeyPairSync('rsa', { modulusLength: 2048 })

export async function startIdentity(kind: IdentityKind, redirectUrl: string): Promise<Identity> {
  const codes = new Map<string, Code>()
  const [access, refresh] = [new Set<string>(), new Set<string>()]
  const random = () => randomBytes(24).toString('hex')
  const identity: Omit<Identity, 'close'> = {
    url: '',
    clientId: `client-${kind}`,
    clientSecret: random(),
    person: { id: 7, login: 'octocat', repositories: new Map(), groups: [] },
    lies: {},
    seen: [],
    revokeTokens() {
      access.clear()
      refresh.clear()
    },
    endAccess: () => access.clear(),
  }
  const issuer = () =>
    identity.lies.issuer ?? (kind === 'github' ? `${identity.url}/login/oauth` : identity.url)

  const idToken = (nonce: string): string => {
    const { lies, person, clientId } = identity
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      ...{ iss: identity.url, sub: String(person.id), aud: clientId, iat: now, exp: now + 300, nonce },
      ...{ preferred_username: person.login, groups: person.groups },
      ...lies.claims,
    }
    const alg = lies.signature === 'none' ? 'none' : lies.signature === 'client secret' ? 'HS256' : 'RS256'
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const text = `${part({ alg, kid: 'k1', typ: 'JWT' })}.${part(claims)}`
    if (alg === 'none') return `${text}.`
    if (alg === 'HS256')
      return `${text}.${createHmac('sha256', identity.clientSecret).update(text).digest('base64url')}`
    const { privateKey } = lies.signature === 'other' ? otherKeys : keys
    return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
  }

  const authorize = (url: URL): Reply => {
    const get = (name: string) => {
      const all = url.searchParams.getAll(name)
      return all.length === 1 ? (all[0] ?? '') : ''
    }
    if (get('client_id') !== identity.clientId) return { status: 400, body: { error: 'unauthorized_client' } }
    // To an address that was not registered nobody is sent, whatever else is wrong.
    if (get('redirect_uri') !== redirectUrl) return { status: 400, body: { error: 'redirect_uri mismatch' } }
    const isWhole =
      get('response_type') === 'code' &&
      get('code_challenge_method') === 'S256' &&
      /^[\w-]{43}$/.test(get('code_challenge')) &&
      get('state').length >= 32 &&
      (kind !== 'oidc' || (get('scope').split(' ').includes('openid') && get('nonce').length >= 32)) &&
      (kind !== 'gitlab' || get('scope') === 'read_api')
    const back = new URL(redirectUrl)
    back.searchParams.set('state', get('state'))
    if (kind === 'oidc') back.searchParams.set('iss', identity.lies.returnedIssuer ?? identity.url)
    if (!isWhole) back.searchParams.set('error', 'invalid_request')
    else {
      const code = random()
      codes.set(code, {
        ...{ challenge: get('code_challenge'), redirect: redirectUrl, nonce: get('nonce') },
        ...{ isUsed: false, tokens: [] },
      })
      back.searchParams.set('code', code)
    }
    return { status: 302, location: back.href }
  }

  const token = (form: URLSearchParams): Reply => {
    const refused = (error: string): Reply => ({ status: kind === 'github' ? 200 : 400, body: { error } })
    const isClient =
      form.get('client_id') === identity.clientId && form.get('client_secret') === identity.clientSecret
    if (!isClient)
      return kind === 'github'
        ? refused('incorrect_client_credentials')
        : { status: 401, body: { error: 'invalid_client' } }
    let nonce: string | null = null
    const made = [random(), random()] as const
    if (form.get('grant_type') === 'authorization_code') {
      const code = codes.get(form.get('code') ?? '')
      if (!code) return refused('invalid_grant')
      if (code.isUsed) {
        // Somebody else has the code: what it gave is taken back.
        for (const each of code.tokens) if (!access.delete(each)) refresh.delete(each)
        return refused('invalid_grant')
      }
      code.isUsed = true
      const verifier = form.get('code_verifier') ?? ''
      const isSame = createHash('sha256').update(verifier).digest('base64url') === code.challenge
      if (!isSame || form.get('redirect_uri') !== code.redirect) return refused('invalid_grant')
      code.tokens.push(...made)
      nonce = code.nonce
    } else if (form.get('grant_type') === 'refresh_token') {
      if (!refresh.delete(form.get('refresh_token') ?? '')) return refused('invalid_grant')
    } else return refused('unsupported_grant_type')
    access.add(made[0])
    refresh.add(made[1])
    const body = {
      ...{ access_token: made[0], refresh_token: made[1], token_type: 'bearer', expires_in: 30 },
      ...(kind === 'oidc' && !identity.lies.withoutIdToken ? { id_token: idToken(nonce ?? '') } : {}),
    }
    if (kind === 'oidc' && nonce === null && 'id_token' in body) body.id_token = withoutNonce(body.id_token)
    return { status: 200, body }
  }

  const withoutNonce = (_: unknown): string => {
    const before = identity.lies
    identity.lies = { ...before, claims: { ...before.claims, nonce: undefined } }
    const made = idToken('')
    identity.lies = before
    return made
  }

  const resource = (url: URL, authorization: string): Reply => {
    if (!access.has(authorization.replace(/^Bearer /, ''))) {
      const challenge = 'Bearer error="invalid_token"'
      return { status: 401, body: { message: 'Bad credentials' }, headers: { 'www-authenticate': challenge } }
    }
    const { person } = identity
    const isFirst = (url.searchParams.get('page') ?? '1') === '1'
    switch (url.pathname) {
      case '/userinfo':
        return { status: 200, body: { sub: String(person.id), groups: person.groups } }
      case '/api/v3/user':
        return { status: 200, body: { id: person.id, login: person.login } }
      case '/api/v4/user':
        return { status: 200, body: { id: person.id, username: person.login } }
      case '/api/v3/user/installations':
        return { status: 200, body: { total_count: 1, installations: isFirst ? [{ id: 11 }] : [] } }
      case '/api/v3/user/installations/11/repositories': {
        const repositories = [...person.repositories].map(([id, permissions]) => ({ id, permissions }))
        return { status: 200, body: { repositories: isFirst ? repositories : [] } }
      }
      case '/api/v4/projects': {
        const least = Number(url.searchParams.get('min_access_level'))
        const projects = [...person.repositories].flatMap(([id, level]) =>
          typeof level === 'number' && level >= least
            ? [{ id, permissions: { project_access: null, group_access: { access_level: level } } }]
            : [],
        )
        return { status: 200, body: isFirst ? projects : [] }
      }
      default:
        return { status: 404, body: { message: 'Not Found' } }
    }
  }

  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const url = new URL(request.url ?? '/', identity.url)
    identity.seen.push(url.pathname)
    if (identity.lies.isDown) return { status: 502, body: {} }
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /.well-known/openid-configuration':
        return {
          status: 200,
          body: {
            ...{ issuer: issuer(), authorization_endpoint: `${identity.url}/authorize` },
            ...{ token_endpoint: `${identity.url}/token`, userinfo_endpoint: `${identity.url}/userinfo` },
            ...{ jwks_uri: `${identity.url}/jwks`, authorization_response_iss_parameter_supported: true },
            id_token_signing_alg_values_supported: ['RS256'],
          },
        }
      case 'GET /jwks': {
        const jwk = { ...keys.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }
        return { status: 200, body: { keys: [jwk] } }
      }
      case 'GET /authorize':
      case 'GET /login/oauth/authorize':
      case 'GET /oauth/authorize':
        return authorize(url)
      case 'POST /token':
      case 'POST /login/oauth/access_token':
      case 'POST /oauth/token': {
        if (!/json/.test(request.headers.accept ?? '')) return { status: 406, body: {} }
        let text = ''
        for await (const chunk of request) text += chunk
        return token(new URLSearchParams(text))
      }
      default:
        return resource(url, request.headers.authorization ?? '')
    }
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (reply) => send(response, reply),
      () => send(response, { status: 500, body: {} }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  identity.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(identity, {
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

type Reply = { status: number; body?: unknown; location?: string; headers?: Record<string, string> }

function send(response: ServerResponse, { status, body, location, headers }: Reply): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
    ...(location ? { location } : {}),
  })
  response.end(body === undefined ? '' : JSON.stringify(body))
}

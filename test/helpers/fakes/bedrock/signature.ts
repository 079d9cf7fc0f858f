/** Checks the signature (version 4) with which AWS wants every request signed. */
import { createHash, createHmac } from 'node:crypto'
import type { ReceivedRequest } from '../server.ts'

export const fakeCredentials = {
  region: 'us-east-1',
  accessKeyId: 'AKIAFAKE0000000000EX',
  secretAccessKey: 'fake/secret/0123456789abcdefghijklmnopqr',
}

export type SignatureProblem = { type: string; message: string }

/** Null when the request is signed with the fake's credentials. Its age is not looked at. */
export function signatureProblem(request: ReceivedRequest): SignatureProblem | null {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    )
  if (!given)
    return { type: 'IncompleteSignatureException', message: 'Authorization header requires a signature.' }
  const [, keyId = '', day = '', region = '', service = '', signed = '', signature = ''] = given
  if (keyId !== fakeCredentials.accessKeyId)
    return {
      type: 'UnrecognizedClientException',
      message: 'The security token included in the request is invalid.',
    }
  const canonical = [
    request.method,
    encodeURIComponent(request.path)
      .replaceAll('%2F', '/')
      .replace(/[!'()*]/g, percent),
    '',
    ...signed
      .split(';')
      .map((name) => `${name}:${(request.headers[name] ?? '').replace(/\s+/g, ' ').trim()}`),
    '',
    signed,
    request.headers['x-amz-content-sha256'] ?? createHash('sha256').update(request.text).digest('hex'),
  ].join('\n')
  const text = [
    'AWS4-HMAC-SHA256',
    request.headers['x-amz-date'] ?? '',
    `${day}/${region}/${service}/aws4_request`,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (last, part) => createHmac('sha256', last).update(part).digest(),
    `AWS4${fakeCredentials.secretAccessKey}`,
  )
  if (createHmac('sha256', key).update(text).digest('hex') === signature) return null
  return {
    type: 'InvalidSignatureException',
    message:
      'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
  }
}

function percent(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`
}

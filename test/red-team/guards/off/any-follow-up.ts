/** Every request for more lines is granted. */
import type { ContextRequest } from '../../../../src/pipeline/reviewer/answer/schema.ts'
import type { GrantedRange, RequestRules } from '../../../../src/pipeline/reviewer/follow-up/check-request.ts'

export * from '../../../../src/pipeline/reviewer/follow-up/check-request.ts'

export function checkRequests(
  requests: readonly ContextRequest[],
  rules: RequestRules,
): Promise<GrantedRange[]> {
  return Promise.all(requests.map((request) => give(request, rules)))
}

async function give(request: ContextRequest, { head }: RequestRules): Promise<GrantedRange> {
  const file = await head.read(request.file)
  return {
    path: request.file,
    startLine: 1,
    endLine: 9,
    text: file?.text ?? 'nothing',
    blob: file?.blob ?? '',
    cut: null,
  }
}

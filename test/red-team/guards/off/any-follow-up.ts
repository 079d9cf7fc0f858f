/** Every request for more lines is granted. */
import type { ContextRequest } from '../../../../src/pipeline/reviewer/answer/schema.ts'
import type { GrantedRange, RequestRules } from '../../../../src/pipeline/reviewer/follow-up/check-request.ts'

export * from '../../../../src/pipeline/reviewer/follow-up/check-request.ts'

export async function checkRequest(request: ContextRequest, { head }: RequestRules): Promise<GrantedRange> {
  const file = await head.read(request.file)
  return {
    path: request.file,
    startLine: 1,
    endLine: 9,
    text: file?.text ?? 'nothing',
    blob: file?.blob ?? '',
  }
}

/** Which comment belongs to which finding when somebody edited the comment, and its marker went with it. */
import { expect, test } from 'vitest'
import type { OwnThread, PublishedState } from '../../../../src/hosts/remote/contract.ts'
import type { FindingRecord } from '../../../../src/ledger/record.ts'
import { knownFindings } from '../../../../src/pipeline/publish/sync/known-findings.ts'
import { writeMarker } from '../../../../src/pipeline/publish/sync/marker.ts'

const scope = { keys: [], legacy: '', me: '12', writers: [], repositoryId: '7', number: 1 }
const head = 'a'.repeat(40)

function recordAt(line: number): FindingRecord {
  return {
    ...{
      id: String(line).padStart(16, '0'),
      rule: 'contract/arity',
      category: 'correctness',
      byModel: false,
    },
    ...{ path: 'a.ts', side: 'new', line, lines: [], before: null, after: null, title: 'A finding' },
  }
}

function threadAt(line: number): OwnThread {
  return {
    ...{ id: `thread ${line}`, comment: `${line}`, author: scope.me, body: 'Edited.', path: 'a.ts', line },
    ...{ posted: { side: 'new', line, commit: head }, isResolved: false, url: null, replies: [] },
  }
}

/** The line of the comment that each finding of one review is taken to have. */
function commentsOf(findings: readonly number[], comments: readonly number[]) {
  const inline = findings.map(recordAt)
  const body = writeMarker({ kind: 'review', head, inline, listed: [] }, scope)
  const state: PublishedState = {
    ...{ me: scope.me, writers: [], state: 'open', head, repositoryId: scope.repositoryId, isPublic: true },
    ...{ lacks: [], check: null },
    ...{ bodies: [{ id: '1', author: scope.me, body }], threads: comments.map(threadAt) },
  }
  const known = knownFindings(state, scope)
  return known.map(({ record, thread }) => [record.line, thread?.posted?.line ?? null])
}

test('the nearest comment is the one of a finding, whatever order the host lists them in', () => {
  for (const comments of [
    [16, 21],
    [21, 16],
  ])
    expect(commentsOf([20], comments)).toEqual([[20, 21]])
  // Each comment is of one finding, and the pair that is nearest is made first.
  expect(commentsOf([20, 22], [21, 22])).toEqual([
    [20, 21],
    [22, 22],
  ])
})

test('five lines away is the same place, six are not', () => {
  expect(commentsOf([20], [25])).toEqual([[20, 25]])
  expect(commentsOf([20], [26])).toEqual([[20, null]])
})

/** Only our own signature for this change request counts. */
import { expect, test } from 'vitest'
import { type Marker, readMarker, writeMarker } from '../../../../src/pipeline/publish/sync/marker.ts'

const scope = { secret: 'ours', repositoryId: '7', number: 1 }
const marker: Marker = { kind: 'closed', head: 'a'.repeat(40) }

test('a marker is read back, whatever people write around it; the last one counts', () => {
  const first = writeMarker({ kind: 'closed', head: 'b'.repeat(40) }, scope)
  expect(readMarker(`Edited.\n\n${first}\n${writeMarker(marker, scope)}\nP.S.`, scope)).toEqual(marker)
})

test('one of another repository, change request or secret, and a changed one, are none', () => {
  const written = writeMarker(marker, scope)
  for (const other of [{ repositoryId: '8' }, { number: 2 }, { secret: 'theirs' }])
    expect(readMarker(written, { ...scope, ...other })).toBeNull()
  expect(readMarker(written.replace('sightline:1 ey', 'sightline:1 eZ'), scope)).toBeNull()
  expect(readMarker('<!-- sightline:1 e30= 00000000000000000000000000000000 -->', scope)).toBeNull()
})

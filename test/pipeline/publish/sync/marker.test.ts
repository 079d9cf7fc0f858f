/** Whose a marker is: the host's word on the account first, then a signature. */
import { expect, test } from 'vitest'
import { type Marker, readMarker, writeMarker } from '../../../../src/pipeline/publish/sync/marker.ts'

const accounts = { me: '12', writers: ['20'] }
const scope = { keys: ['ours', 'previous'], legacy: 'old', ...accounts, repositoryId: '7', number: 1 }
const marker: Marker = { kind: 'closed', head: 'a'.repeat(40) }
const written = writeMarker(marker, scope)
const own = (body: string) => ({ author: '12', body })

test('a marker is read back, whatever people write around it; the last one counts', () => {
  const first = writeMarker({ kind: 'closed', head: 'b'.repeat(40) }, scope)
  expect(readMarker(own(`Edited.\n\n${first}\n${written}\nP.S.`), scope)).toEqual(marker)
  expect(readMarker(own('<!-- sightline:1 e30= 00000000000000000000000000000000 -->'), scope)).toBeNull()
  expect(readMarker(own(written.replaceAll('sightline:1 ey', 'sightline:1 e')), scope)).toBeNull()
})

test('what this account wrote is ours, whatever became of keys, repository and number', () => {
  const lost = { ...scope, keys: ['new'], legacy: 'new' }
  for (const other of [lost, { ...lost, keys: [] }, { ...scope, repositoryId: '8' }, { ...scope, number: 2 }])
    expect(readMarker(own(written), other)).toEqual(marker)
})

test('another account is ours only where a key of ours vouches for it, now or before its rotation', () => {
  const now = { ...scope, me: '99' }
  const earlier = { author: '12', body: written }
  expect(readMarker(earlier, now)).toEqual(marker)
  expect(readMarker(earlier, { ...now, keys: ['newest', 'ours'] })).toEqual(marker)
  expect(readMarker({ author: '13', body: written }, now), 'a copy').toBeNull()
  const forged = written.replace('sightline:by 12', 'sightline:by 13')
  expect(readMarker({ author: '13', body: forged }, now)).toBeNull()
  for (const other of [{ keys: ['theirs'] }, { keys: [] }, { repositoryId: '8' }, { number: 2 }])
    expect(readMarker(earlier, { ...now, ...other })).toBeNull()
  const unsigned = writeMarker(marker, { ...scope, keys: [] })
  expect(readMarker({ author: '12', body: unsigned }, now)).toBeNull()
})

test('without a signature, what ends a comment of another account is ours if that account may write here', () => {
  const lost = { ...scope, keys: [], legacy: '' }
  const by = (author: string, body: string) => readMarker({ author, body }, lost)
  const forged = `Wrong.\n\n<!-- sightline:1 ${btoa(JSON.stringify(marker))} ${'0'.repeat(32)} -->`
  for (const body of [written, forged, `${written}\n`]) {
    expect(by('20', body)).toEqual(marker)
    for (const author of ['21', '']) expect(by(author, body)).toBeNull()
    // Whoever quotes or answers a stranger does not speak for themselves.
    for (const quoted of [body.replaceAll(/^/gm, '> '), `${body}\n\nIs it?`, `Look: ${written}`])
      expect(by('20', quoted)).toBeNull()
  }
})

test('with an account that other programs write with, only what was signed is ours', () => {
  const shared = { ...scope, isShared: true }
  expect(readMarker(own(written), shared)).toEqual(marker)
  const older = writeMarker(marker, { ...scope, keys: [] })
  expect(readMarker(own(older), shared)).toEqual(marker)
  expect(readMarker(own(written), { ...shared, keys: ['theirs'], legacy: 'theirs' })).toBeNull()
})

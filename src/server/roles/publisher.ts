/**
 * The publisher: posts a review or an answer with a host's token, or shows why there is none. Has no key of a model. The review comes
 * from a process that read foreign text, so `publish` believes no line of it; and before every write the worker is asked
 * whether the job is still its own.
 */
import { readFileSync } from 'node:fs'
import { openChangeRequest } from '../../assembly/change-request.ts'
import { openServices } from '../../assembly/services.ts'
import { UserError } from '../../base/errors.ts'
import { frozenSource } from '../../hosts/frozen/frozen-change.ts'
import { collect, publish } from '../../sightline.ts'
import type { RoleBody } from './contract.ts'

export const publishToHost: RoleBody<'publisher'> = async (order, line) => {
  const { environment, tenant, cache: cacheFolder } = order
  const { signal } = line
  const services = await openServices({ environment, tenant, cacheFolder, signal })
  try {
    const request = openChangeRequest(order.address, services, {
      repositoryId: order.repositoryId,
      beforeWrite: () => line.requireJob(),
    })
    if (order.what === 'state') {
      const { refused } = await request.showState(order, signal)
      return {
        role: 'publisher',
        writes: refused === null ? 1 : 0,
        refused: 0,
        settled: [],
        remarks: refused ? [refused] : [],
      }
    }
    if (order.what === 'answer') {
      const isPosted = await request.answer(order.comment, readHanded(order.answer), signal)
      return { role: 'publisher', writes: isPosted ? 1 : 0, refused: 0, settled: [], remarks: [] }
    }
    const change = await collect(frozenSource(order.change), services)
    try {
      const { delivered, refused } = await publish(readHanded(order.review), request.target(change, order))
      const { writes, settled, remarks } = delivered
      return {
        role: 'publisher',
        ...{ writes, settled, refused: refused.length, remarks: remarks.slice(0, 100) },
      }
    } finally {
      await change.close()
    }
  } finally {
    await services.close()
  }
}

function readHanded(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UserError('review-unusable', (error as Error).message, { cause: error })
  }
}

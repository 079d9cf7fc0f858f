/**
 * What a package for a host is given: all that the adapters in this folder share. It comes as an argument, so that a package
 * needs Sightline for types only, and errors are of the same classes wherever it is installed.
 */
import { UserError } from '../../base/errors.ts'
import {
  answerOnce,
  changedFiles,
  filePages,
  mostOpen,
  mostPatched,
  patchesOf,
  peopleWho,
} from '../repository/contract.ts'
import { accountAccess, missingIn, missingRights, openAsk } from '../rights/contract.ts'
import {
  isForbidden,
  isRefusal,
  openAttempts,
  Refused,
  refusalOf,
  unlessAbsent,
  unlessRefused,
  unlessUnknown,
} from './answers.ts'
import { basicAuthorization, openApi, withQuery } from './api.ts'
import { AnchorsRefused, isOpenCheck, markerStart, mayBeOurs, WriteUnclear } from './contract.ts'
import { pageOf, repositoryUrl } from './facts.ts'
import { associationOf, byId, hostedChange, hostedRepository, mostPeople } from './hosted-change.ts'
import { outsideCode } from './markdown.ts'
import { conversationWrites, writesOneByOne } from './one-by-one.ts'
import type { PackageFor } from './packages.ts'
import { checkOfStatus, statusOf } from './status.ts'
import { publishedState } from './writers.ts'

export const hostKit = {
  openApi,
  withQuery,
  basicAuthorization,
  openAttempts,
  isRefusal,
  isForbidden,
  refusalOf,
  unlessAbsent,
  unlessRefused,
  unlessUnknown,
  outsideCode,
  patchesOf,
  hostedChange,
  hostedRepository,
  associationOf,
  byId,
  mostPeople,
  pageOf,
  repositoryUrl,
  publishedState,
  conversationWrites,
  writesOneByOne,
  mayBeOurs,
  markerStart,
  isOpenCheck,
  checkOfStatus,
  statusOf,
  changedFiles,
  filePages,
  mostOpen,
  mostPatched,
  peopleWho,
  answerOnce,
  accountAccess,
  missingIn,
  missingRights,
  openAsk,
  UserError,
  Refused,
  AnchorsRefused,
  WriteUnclear,
} as const

export type HostKit = typeof hostKit

/** What a package for a host exports. */
export type HostPackage = PackageFor<HostKit>

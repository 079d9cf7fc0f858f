/** Arguments that several tools take, with the checks that make them harmless. */

import { z } from 'zod'
import { trimTrailing } from '../base/trim-text.ts'

const longestPath = 1_000
const longestText = 400

/** Inside the repository, `/` as separator; `.` and an empty text mean its root. */
export const pathArgument = z
  .string()
  .max(longestPath)
  .transform((path) => trimTrailing(path.replace(/^(?:\.\/+)+/, ''), '/'))
  .transform((path) => (path === '.' ? '' : path))
  .refine((path) => !path.startsWith('/') && !/^[A-Za-z]:/.test(path), {
    error: 'give a path inside the repository, not an absolute one',
  })
  .refine((path) => !path.includes('\\') && !path.includes('\0'), { error: 'separate folders by /' })
  .refine((path) => !path.startsWith('-'), { error: 'a path does not begin with -' })
  .refine((path) => path.split('/').every((part) => part !== '..' && part.toLowerCase() !== '.git'), {
    error: 'a path does not leave the repository',
  })

export const fileArgument = pathArgument.refine((path) => path !== '', { error: 'name a file' })

export const textArgument = z
  .string()
  .max(longestText)
  .refine((text) => text.trim() !== '', { error: 'is empty' })

/** A name as code writes it, or a qualified one: `load`, `Store.load`, `Store::load`, `page-body` of a style sheet. */
export const symbolArgument = z
  .string()
  .max(200)
  .transform((name) => name.trim().replace(/\(\)$/, '').replace(/^\./, ''))
  .refine((name) => /^[\p{L}_$#~][\p{L}\p{N}_$#?!.:-]*$/u.test(name), {
    error: 'give one name, such as load or Store.load',
  })

export const lineArgument = z.int().min(1).max(10_000_000)

/** Which tree is asked: the one after the change unless `base` is given. */
export const sideArgument = z.enum(['head', 'base']).default('head')

/** Tools take any text for a path. */
import { z } from 'zod'

export * from '../../../../src/tools/arguments.ts'

export const pathArgument = z.string()
export const fileArgument = z.string()

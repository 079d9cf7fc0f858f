/** Configuration of other review tools, carried over to ours: globs, instructions and a few limits. */
import type { Severity } from '../../domain/severity.ts'

/** Values for `.sightline.yaml`, by key. */
export type CarriedConfig = {
  'paths.exclude'?: string[]
  'rules.paths'?: string[]
  'review.minSeverity'?: Severity
  'review.maxInline'?: number
  'limits.changedFiles'?: number
}

export type CarriedInstructions = {
  /** Globs of the files that they are for; none means all files. */
  paths: readonly string[]
  text: string
}

/** Every setting of a file is in one of the two lists, so nothing is lost silently. */
export type Conversion = {
  config: CarriedConfig
  instructions: CarriedInstructions[]
  /** A setting as its file names it, and where it is now. */
  carried: { setting: string; where: string }[]
  /** Settings as their file names them, or sentences about parts of one. */
  notCarried: string[]
}

/** What the value of one setting becomes. What cannot be carried over of it goes to `notCarried`. */
export type Converted = Pick<Conversion, 'config'> & Partial<Pick<Conversion, 'instructions' | 'notCarried'>>

export interface ReviewTool {
  /** For people: `CodeRabbit`. */
  readonly name: string
  /** For names of files: `coderabbit`. */
  readonly id: string
  /** Names of its files, as globs; one with a slash is the end of a path. */
  readonly files: readonly string[]
  /**
   * The text of one file; `path` is relative to the root of the repository. Nothing in it is run. Throws an `Error` with a
   * sentence when the text is not of the tool's format.
   */
  read(text: string, path: string): Conversion
}

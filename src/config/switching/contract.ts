/** Configuration of other review tools, carried over to ours. Each tool is one file of this folder. */
import type { Severity } from '../../domain/severity.ts'

/** Values for `.sightline.yaml`, by key. */
export type CarriedConfig = {
  'paths.exclude'?: string[]
  'rules.paths'?: string[]
  'review.failOn'?: Severity | 'never'
  'review.minSeverity'?: Severity
  'review.maxInline'?: number
  'limits.changedFiles'?: number
}

export type CarriedInstructions = {
  /** Globs of the files that they are for; none means all files. */
  paths: readonly string[]
  text: string
}

/**
 * What became of one setting: `carried` over, done in a `different` way that the text describes, or `missing`, with the
 * reason. Every setting of a file has at least one note, so nothing is lost silently.
 */
export type SettingNote = {
  /** As its file names it, such as `reviews.auto_review.drafts`. */
  setting: string
  outcome: 'carried' | 'different' | 'missing'
  /** For people. Of `carried`: where it is now; else a sentence. */
  text: string
}

export type Conversion = {
  config: CarriedConfig
  instructions: CarriedInstructions[]
  notes: SettingNote[]
}

/** A row of the reference: a key with what becomes of it. `*` stands for any name; keys below a row belong to it. */
export type SettingRow = Omit<SettingNote, 'text'> & { says: string }

export interface ReviewTool {
  /** For people: `CodeRabbit`. */
  readonly name: string
  /** For names of files: `coderabbit`. */
  readonly id: string
  /** Names of its files, as globs; one with a slash is the end of a path. */
  readonly files: readonly string[]
  /** What becomes of each setting, for the reference page. */
  readonly rows: readonly SettingRow[]
  /**
   * The text of one file; `path` is relative to the root of the repository. Nothing in it is run. Throws an `Error` with a
   * sentence when the text is not of the tool's format.
   */
  read(text: string, path: string): Conversion
}

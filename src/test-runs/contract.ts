/** What a test framework is to us: how one test file is run, and how its results are read. */

export type Ecosystem = 'javascript' | 'python' | 'go' | 'rust' | 'java'

/** A folder with a manifest, what the manifest and the files below say of how tests run, and what is installed for it. */
export type Project = {
  /** From the root of the tree, with `/`; empty for the root. */
  folder: string
  ecosystem: Ecosystem
  /** The name of the file by which it was found, such as `pom.xml`; empty for none. */
  manifest: string
  /** Packages that its manifests name, whatever for. */
  dependencies: ReadonlySet<string>
  /** The command of its tests, as its manifest says it; empty when it says none. */
  script: string
  /** All test files of the project. */
  testFiles: readonly string[]
  installed: Installed
}

/** What the person's own checkout has installed: it can be read inside the sandbox, at the same place of the tree. */
export type Installed = {
  /** Paths in the tree of folders of packages, the nearest to the project first. */
  folders: readonly string[]
  /** Where a program of a package lies, as a path in the tree; null where it is not installed. */
  find(file: string): string | null
}

export type TestCase = {
  name: string
  status: 'passed' | 'failed' | 'skipped'
  /** The first words of a failure; empty when it passed. */
  message: string
  /** The failure with its stack, as the framework writes it. */
  details: string
}

/** Absolute paths inside the sandbox, and the text of the test; empty before it is written. */
export type TestPlaces = { root: string; test: string; report: string; text: string }

/**
 * Where compilers keep what they built, inside the sandbox. Runs of the same side share it; the two sides never do, since
 * whatever runs on one may write there.
 */
export const buildCache = '/cache'

/** How one test file is run, in the folder of its project. */
export type TestCommand = {
  /** Program and arguments. */
  words: readonly string[]
  /** What a person types for the same, where it differs. */
  typed?: readonly string[]
  environment?: Readonly<Record<string, string>>
  /**
   * Where the report is when it is not in `places.report`: what the program prints, or a file that it writes, from the
   * folder of the project. Both are copied there by the shell that starts it.
   */
  reportIn?: 'output' | { file: string }
  /** Absolute folders of this machine with programs or packages, and where they are seen inside. Read-only. */
  lent?: readonly { from: string; to: string }[]
}

export interface TestFramework {
  /** As its users write it: `node:test`. */
  readonly name: string
  readonly ecosystem: Project['ecosystem']
  /** Rules for whoever writes a test for it. */
  readonly guide: string
  /** Whether it runs the tests of this project. */
  isUsedBy(project: Project): boolean
  /** Name of a new test file; `stem` has only small letters, digits and `-`, `extension` is that of the tested file. */
  nameFor(stem: string, extension: string): string
  /** Folder of a new test of this file, from the root of the tree; without it, that of the nearest test. */
  folderFor?(path: string, project: Project): string
  /** Null where the framework is not installed. */
  command(places: TestPlaces, project: Project): TestCommand | null
  /** Throws when the text is no report of this framework. */
  read(report: string): TestCase[]
}

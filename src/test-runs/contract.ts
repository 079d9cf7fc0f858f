/** What a test framework is to us: how one test file is run, and how its results are read. */

/** A folder with a manifest, what the manifest and the files below say of how tests run, and what is installed for it. */
export type Project = {
  /** From the root of the tree, with `/`; empty for the root. */
  folder: string
  ecosystem: 'javascript' | 'python'
  /** Packages that its manifest names, whatever for. */
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

/** Absolute paths inside the sandbox. */
export type TestPlaces = { root: string; test: string; report: string }

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
  /** Program and arguments that run one test file; null where the framework is not installed. */
  command(places: TestPlaces, project: Project): readonly string[] | null
  /** Throws when the text is no report of this framework. */
  read(report: string): TestCase[]
}

/**
 * What a path alone tells about a file, by the conventions of languages and tools. Pure string functions.
 * What a path claims can be claimed cheaply, so the classes that are not read line by line (vendored, lock, generated,
 * minified) are kept to names that people recognise; they are listed in coverage.
 */

const vendored =
  /(?:^|\/)(?:vendor|vendored|third[_-]?party|node_modules|bower_components|jspm_packages|site-packages|\.yarn|Pods)\/|^extern(?:al)?\//i

const distFolder = /(?:^|\/)dist\//i
const builtFile = /\.(?:[cm]?js|css)$/i

const lock =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|Cargo\.lock|go\.sum|go\.work\.sum|poetry\.lock|Pipfile\.lock|uv\.lock|pdm\.lock|pixi\.lock|composer\.lock|Gemfile\.lock|Podfile\.lock|Package\.resolved|mix\.lock|pubspec\.lock|flake\.lock|gradle\.lockfile|packages\.lock\.json|MODULE\.bazel\.lock)$/

const generated =
  /(?:^|\/)(?:__generated__|__snapshots__|generated)\/|\.(?:snap|pb\.[a-z]+|pb\.gw\.go|g\.dart|freezed\.dart|g\.cs|designer\.cs|generated\.[a-z]+|gen\.(?:go|tsx?|js|rs|py))$|_pb2(?:_grpc)?\.pyi?$|_(?:grpc_)?pb\.(?:d\.ts|[jt]s)$|(?:^|\/)zz_generated[^/]*$|\.(?:[cm]?js|css)\.map$|\.tsbuildinfo$/i

const minified = /[.-]min\.(?:[cm]?js|css)$/i

/** The names stand for prose only with the ending of prose, or none: `history.ts` and `notice.go` are code. Rules for agents are prose. */
const docs =
  /\.(?:md|mdx|markdown|rst|adoc|asciidoc)$|(?:^|\/)(?:LICEN[SC]E|COPYING|NOTICE|AUTHORS|CONTRIBUTORS|CHANGELOG|CHANGES|HISTORY|README)(?:[-.](?:txt|html|mit|apache|bsd|[a-z]{2}))?$|(?:^|\/)\.(?:cursor|cline|windsurf|roo)rules$/i

const docsFolder = /(?:^|\/)docs?\//i
const docsFile = /\.(?:txt|html?)$/i

const config =
  /\.(?:ya?ml|toml|ini|cfg|conf|properties|json5?|jsonc|xml|gradle|editorconfig|env)$|(?:^|\/)(?:\.[^/]+rc|\.[^/]*ignore|Dockerfile[^/]*|Makefile|\.git[a-z]+|go\.mod|go\.work|CODEOWNERS)$/i

const data = /\.(?:csv|tsv|sql|svg|po|pot|log|ndjson|jsonl|txt|dat|geojson|ipynb|lock)$/i

const testFolder = /(?:^|[/._-])tests?\/|(?:^|\/)(?:specs?|__tests__|testing|e2e|testdata|androidTest)\//i

const testFile =
  /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.pyi?$|_test\.go$|(?:^|\/)(?:tests|[^/]*_tests?)\.rs$|(?:^|[/._-])(?:test|tests|spec|e2e|test-d)\.[cm]?[jt]sx?$|(?:Test|Tests|TestCase|[a-z]IT|Spec)\.(?:java|kt|cs|scala|groovy)$|(?:^|\/)Test[A-Z][^/]*\.java$|_(?:spec|test)\.rb$|Test\.php$/

/** True for one of `paths` and for what lies below it; both from the root of the tree, with `/`. */
export function isWithin(path: string, paths: readonly string[]): boolean {
  return paths.some((one) => path === one || path.startsWith(`${one}/`))
}

/** `a/b/c.ts` → `a/b`; `c.ts` → ``. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** `a/b/c.ts` → `a/b/`; `c.ts` → ``: the beginning of the paths in its folder. */
export function folderWithSlash(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** `a/b/c.ts` → `c.ts`. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function isVendoredPath(path: string): boolean {
  return vendored.test(path) || (builtFile.test(path) && isDistPath(path))
}

/** In the folder in which builds leave what they distribute. */
export function isDistPath(path: string): boolean {
  return distFolder.test(path)
}

export function isLockPath(path: string): boolean {
  return lock.test(path)
}

export function isGeneratedPath(path: string): boolean {
  return generated.test(path)
}

export function isMinifiedPath(path: string): boolean {
  return minified.test(path)
}

/** Vendored, lock, generated and minified files: the path alone says that no person wrote the lines. */
export function isUnwrittenPath(path: string): boolean {
  return isVendoredPath(path) || isLockPath(path) || isGeneratedPath(path) || isMinifiedPath(path)
}

const translations = /(?:^|\/)(?:locales?|i18n|l10n|lang|langs|languages|translations?)\//i

/** In a folder with text for people, in one language after the other. */
export function isTranslationPath(path: string): boolean {
  return translations.test(path)
}

export function isDocsPath(path: string): boolean {
  return docs.test(path) || (docsFile.test(path) && docsFolder.test(path))
}

export function isConfigPath(path: string): boolean {
  return config.test(path)
}

const binary =
  /\.(?:png|jpe?g|gif|webp|avif|bmp|ico|icns|tiff?|psd|pdf|zip|gz|tgz|bz2|xz|7z|jar|war|whl|nupkg|exe|dll|so|dylib|lib|wasm|class|pyc|ttf|otf|woff2?|eot|mp[34]|m4[av]|mov|avi|webm|ogg|wav|flac)$/i

/** Images, archives, programs, fonts, audio and video: by their names, not text. */
export function isBinaryPath(path: string): boolean {
  return binary.test(path)
}

export function isDataPath(path: string): boolean {
  return data.test(path)
}

/** Data whose rows are all alike. */
export function isRowsPath(path: string): boolean {
  return /\.(?:csv|tsv|ndjson|jsonl|log|dat)$/i.test(path)
}

/** The text of a license. */
export function isLicensePath(path: string): boolean {
  return /(?:^|\/)(?:LICEN[SC]E|COPYING)(?:[-.][^/]*)?$/i.test(path)
}

const testMaterial =
  /(?:^|\/)(?:samples?|fixtures?|__fixtures__|testdata|tests?[-_](?:data|files?|assets|resources|keys|certs?|certificates)|mocks?|__mocks__|golden|expected|expectations|snapshots|snakeoil|dummy|t)\/|(?:^|\/)(?:expected|actual|input|output)(?:[.-][^/]*)?$|insecure|snake-?oil/i

/** What tests read or compare with, which is made up and does not run. */
export function isTestMaterialPath(path: string): boolean {
  return testMaterial.test(path)
}

/** TypeScript's declarations of what is written elsewhere. */
export function isDeclarationFile(path: string): boolean {
  return /\.d\.[cm]?ts$/.test(path)
}

/** A file that may hold tests that run: not the prose, the settings and the data that are kept with tests. */
export function isTestCodePath(path: string): boolean {
  return isTestPath(path) && ![isDocsPath, isConfigPath, isDataPath, isUnwrittenPath].some((is) => is(path))
}

/** Test code and what belongs to it, such as fixtures inside a test folder. */
export function isTestPath(path: string): boolean {
  // `src/main/…/TestDriveController.java` is named after what it is about.
  return testFolder.test(path) || (testFile.test(path) && !/(?:^|\/)src\/main\//.test(path))
}

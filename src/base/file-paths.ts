/** What a path alone tells about a file, by the conventions of languages and tools. Pure string functions. */

const vendored =
  /(?:^|\/)(?:vendor|vendored|third[_-]party|thirdparty|node_modules|bower_components|Pods|external)\//i

const lock =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|Cargo\.lock|go\.sum|go\.work\.sum|poetry\.lock|Pipfile\.lock|uv\.lock|pdm\.lock|composer\.lock|Gemfile\.lock|Podfile\.lock|mix\.lock|pubspec\.lock|flake\.lock|gradle\.lockfile|packages\.lock\.json)$/

const generated =
  /(?:^|\/)(?:__generated__|__snapshots__|generated)\/|\.(?:snap|pb\.go|pb\.cc|pb\.h|g\.dart|designer\.cs|generated\.[a-z]+|gen\.(?:go|ts|js))$|_pb2(?:_grpc)?\.pyi?$|(?:^|\/)zz_generated[^/]*$|\.(?:js|css)\.map$|_string\.go$/i

const minified = /[.-]min\.(?:js|css|mjs)$/i

const docs =
  /\.(?:md|mdx|markdown|rst|adoc|asciidoc)$|(?:^|\/)(?:LICENSE|LICENCE|COPYING|NOTICE|AUTHORS|CONTRIBUTORS|CHANGELOG|CHANGES|HISTORY|README)(?:\.[a-z]+)?$/i

const config =
  /\.(?:ya?ml|toml|ini|cfg|conf|properties|json5?|jsonc|xml|gradle|editorconfig|env)$|(?:^|\/)(?:\.[^/]+rc|Dockerfile[^/]*|Makefile|\.git[a-z]+|go\.mod|go\.work|CODEOWNERS)$/i

const data = /\.(?:csv|tsv|sql|svg|po|pot|log|ndjson|jsonl|txt|dat|geojson|ipynb|lock)$/i

const testFolder =
  /(?:^|\/)(?:tests?|specs?|__tests__|testing|e2e|testdata|androidTest|integration[-_]tests?)\//i

const testFile =
  /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.pyi?$|_test\.go$|(?:^|\/)(?:tests|[^/]*_tests?)\.rs$|[._-](?:test|tests|spec|e2e|test-d)\.[cm]?[jt]sx?$|(?:Test|Tests|TestCase|IT|Spec)\.(?:java|kt|cs|scala|groovy)$|(?:^|\/)Test[A-Z][^/]*\.java$|_(?:spec|test)\.rb$|Test\.php$/

export function isVendoredPath(path: string): boolean {
  return vendored.test(path)
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

export function isDocsPath(path: string): boolean {
  return docs.test(path)
}

export function isConfigPath(path: string): boolean {
  return config.test(path)
}

export function isDataPath(path: string): boolean {
  return data.test(path)
}

/** Test code and what belongs to it, such as fixtures inside a test folder. */
export function isTestPath(path: string): boolean {
  return testFolder.test(path) || testFile.test(path)
}

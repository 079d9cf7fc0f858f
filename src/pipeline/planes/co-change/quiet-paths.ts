/**
 * Files whose company means nothing: they change in bulk (dependency updates, releases, workflows), not because
 * of each other's content.
 */
import { isGeneratedPath, isLockPath, isMinifiedPath, isVendoredPath } from '../../../base/file-paths.ts'

/** Manifests and versions: releases and bots change them together. */
const manifest =
  /^(?:package\.json|composer\.json|go\.mod|go\.work|Cargo\.toml|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|gradle\.properties|pyproject\.toml|setup\.(?:py|cfg)|Pipfile|Gemfile|mix\.exs|flake\.nix|Dockerfile|pnpm-workspace\.yaml|requirements[\w.-]*\.(?:txt|in)|.*\.(?:csproj|gemspec|nuspec|podspec|lock))$/

/** What every release or every contribution touches, and dot files of tools. */
const chronicle =
  /^(?:(?:changelog|changes|history|release[-_]?notes|news|contributors|authors|readme|versions?)(?:[.\-_].*)?|_?_?version_?_?\.\w+|\..*)$/i

const folder =
  /(?:^|\/)(?:\.[^/]+|dist|locales?|i18n|l10n|translations|changelogs?|release[-_]notes|releases)\//i

/** True for lock files, manifests, change logs, versions, workflows, translations and what is generated. */
export function isQuiet(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return (
    manifest.test(name) ||
    chronicle.test(name) ||
    folder.test(path) ||
    [isLockPath, isGeneratedPath, isMinifiedPath, isVendoredPath].some((is) => is(path))
  )
}

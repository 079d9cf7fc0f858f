/** One file with everything that an entry imports, apart from what is installed where it runs. */
import { type OutputOptions, rolldown } from 'rolldown'

/** `input`: below `folder`; `external`: what stays an import. Writes as `output` says. */
export async function bundleOne(
  { folder, input, external }: { folder: string; input: string; external: (string | RegExp)[] },
  output: OutputOptions,
): Promise<void> {
  const build = await rolldown({
    ...{ cwd: folder, platform: 'node', input, external },
    // Some name their ES modules so, and cannot be merged otherwise.
    resolve: { mainFields: ['module', 'main'] },
  })
  await build.write({ codeSplitting: false, ...output })
  await build.close()
}

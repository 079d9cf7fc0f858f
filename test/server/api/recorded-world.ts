/** Runs on record, as the command makes them: one offline and one of depth standard with a fake model. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { startFakeProvider } from '../../helpers/fakes/registry.ts'
import { settingsFor } from '../../helpers/fakes/settings.ts'
import { TestRepo } from '../../helpers/git-repo.ts'
import { sightline } from '../../helpers/sightline.ts'

export type RecordedWorld = {
  environment: Record<string, string>
  repository: string
  /** Names of runs. */
  offline: string
  standard: string
  /** Stands in the change. */
  canary: string
  close(): Promise<void>
}

/** Called in `beforeAll`; the folder is left to the system. */
export async function makeRecordedWorld(): Promise<RecordedWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-api-'))
  const repository = new TestRepo(join(folder, 'shop'))
  const canary = `ghp_${'Zq7Kx2Lm9Pw4Rt8Vy3Bn6Hc1Jd5Fs0Ga2Te'.slice(0, 36)}`
  mkdirSync(repository.path, { recursive: true })
  repository.git('init', '--quiet', '--initial-branch', 'main')
  repository.commit({
    'src/price.ts': 'export function price(cents: number) {\n  return cents / 100\n}\n',
    'src/cart.ts':
      "import { price } from './price.ts'\n\nexport const total = (all: number[]) => price(all.length)\n",
  })
  repository.commit({
    'src/price.ts': 'export function price(cents: number, tax: number) {\n  return (cents + tax) / 100\n}\n',
    'src/settings.ts': `export const token = '${canary}'\nexport const name = '<script>alert(1)</script>'\n`,
  })
  const fake = await startFakeProvider('anthropic', 'good')
  const { settings, environment: keys } = settingsFor('anthropic', fake)
  const file = join(folder, 'settings.yaml')
  const telemetry = { traceUrl: 'https://jaeger.example.org/trace/{traceId}' }
  writeFileSync(file, stringify({ ...settings, telemetry }))
  const environment = {
    ...keys,
    SIGHTLINE_SETTINGS: file,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, 'cache'),
  }
  const review = async (depth: string): Promise<string> => {
    await sightline(['review', 'HEAD~1..HEAD', '--depth', depth, '--quiet'], {
      cwd: repository.path,
      env: environment,
    })
    const { stdout } = await sightline(['runs', '--json', '--limit', '1'], { env: environment })
    return JSON.parse(stdout)[0].header.run
  }
  return {
    ...{ environment, repository: repository.path, canary },
    offline: await review('offline'),
    standard: await review('standard'),
    close: () => fake.close(),
  }
}

/** Whether all parts of the installation work, read again every ten seconds. */
import { useResource } from '../api/use-resource.ts'
import { Badge, type Tone } from '../parts/badges.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { Heads } from '../parts/heads.tsx'
import { When } from '../parts/states.tsx'
import { useSession } from '../shell/session.tsx'

const tones: Record<string, Tone> = { ok: 'good', degraded: 'warn', failed: 'bad' }
const everyMs = 10_000

export function HealthView() {
  const { version, tenant, mode } = useSession()
  const loaded = useResource('/health', { everyMs })
  return (
    <>
      <div className="head">
        <h1>Health</h1>
      </div>
      <When what="the state of the installation" loaded={loaded}>
        {({ state, parts }) => (
          <>
            <p role="status">
              <Badge tone={tones[state] ?? 'plain'}>
                {state === 'ok' ? 'All parts work' : 'Some parts do not work'}
              </Badge>
            </p>
            <table className="table">
              <Heads columns={['Part', 'State', 'Detail']} />
              <tbody>
                {parts.map(({ name, state: its, detail }) => (
                  <tr key={name}>
                    <td className="cell-main">{name}</td>
                    <td>
                      <Badge tone={tones[its] ?? 'plain'}>{its}</Badge>
                    </td>
                    <td>
                      <Foreign text={detail} cutAt={300} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
      </When>
      <p className="quiet">
        Sightline {version}, {mode === 'local' ? 'on this machine' : `tenant ${tenant}`}
      </p>
    </>
  )
}

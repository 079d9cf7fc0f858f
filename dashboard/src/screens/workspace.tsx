/** The repositories of the workspace: what each provides, who uses it, and what has no users. */
import type { AnswerOf } from '../api/contract.ts'
import { useResource } from '../api/use-resource.ts'
import { Badge } from '../parts/badges.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { Heads } from '../parts/heads.tsx'
import { Empty, When } from '../parts/states.tsx'
import { Link, usePlace, withQuery } from '../router.tsx'

type WorkspaceGraph = AnswerOf<'/workspace'>
type Contract = WorkspaceGraph['contracts'][number]

export function Workspace() {
  const loaded = useResource('/workspace')
  return (
    <>
      <div className="head">
        <h1>Workspace</h1>
      </div>
      <When what="the workspace" loaded={loaded}>
        {(graph) =>
          graph.repositories.length === 0 ? (
            <Empty title="No repositories belong together yet.">
              List them in your settings as <code>workspace.repositories</code>, and run{' '}
              <code>sightline workspace --update --graph</code>.
            </Empty>
          ) : (
            <Graph {...graph} />
          )
        }
      </When>
    </>
  )
}

function Graph({ repositories, contracts }: WorkspaceGraph) {
  const place = usePlace()
  const shown = place.query.get('provider')
  const of = Map.groupBy(contracts, ({ provider }) => provider)
  return (
    <>
      <table className="table">
        <Heads columns={['Repository', 'Read at', 'Provides', 'To', 'Without users here']} />
        <tbody>
          {repositories.map(({ name, commit, committedAt, trouble }) => {
            const own = of.get(name) ?? []
            const users = new Set(own.flatMap(({ users }) => users.map(({ repository }) => repository)))
            return (
              <tr key={name}>
                <td className="cell-main">
                  <Link to={withQuery(place, { provider: name === shown ? null : name })}>
                    <Foreign text={name} cutAt={120} />
                  </Link>
                </td>
                <td>
                  {commit === null ? 'not read' : `${commit.slice(0, 7)}, ${committedAt?.slice(0, 10)}`}
                  {trouble === null ? null : (
                    <>
                      {' '}
                      <Badge tone="warn">
                        <Foreign text={trouble} cutAt={200} />
                      </Badge>
                    </>
                  )}
                </td>
                <td>{own.length}</td>
                <td>
                  <Foreign text={[...users].join(', ')} cutAt={300} />
                </td>
                <td>{own.filter(({ users }) => users.length === 0).length}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {shown === null ? null : <Contracts provider={shown} contracts={of.get(shown) ?? []} />}
    </>
  )
}

function Contracts({ provider, contracts }: { provider: string; contracts: readonly Contract[] }) {
  return (
    <>
      <h2>
        What <Foreign text={provider} cutAt={120} /> provides
      </h2>
      <table className="table">
        <Heads columns={['Contract', 'Kind', 'Defined at', 'Used by']} />
        <tbody>
          {contracts.map(({ kind, name, path, line, users }) => (
            <tr key={`${kind} ${name} ${path} ${line}`}>
              <td className="cell-main">
                <Foreign text={name} cutAt={200} />
              </td>
              <td>{kind}</td>
              <td>
                <Foreign text={`${path}:${line}`} cutAt={200} />
              </td>
              <td>
                {users.length === 0 ? (
                  'not used here'
                ) : (
                  <Foreign
                    text={users.map(({ repository, uses }) => `${repository} (${uses})`).join(', ')}
                    cutAt={300}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

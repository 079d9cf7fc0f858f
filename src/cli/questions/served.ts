/** Answers for which a language server was asked too: the same lines, with who vouches for each. */
import type { ServedCallers, ServedDefinitions, ServedReferences, ServerPart } from '../../index.ts'
import { flag } from '../input/options.ts'
import { describeCallers, describeDefinitions, describeReferences, lines } from './describe.ts'

/** Off by default: starting a server takes a second at least, and what it says may depend on its version. */
export const serverOption = {
  server: flag('Ask a language server beside the index, if there is one for the language.'),
}

export function describeServedReferences(answer: ServedReferences): string {
  return describeReferences({ ...answer, references: answer.references.map(named) }) + part(answer.server)
}

export function describeServedCallers(answer: ServedCallers): string {
  return describeCallers({ ...answer, callers: answer.callers.map(named) }) + part(answer.server)
}

export function describeServedDefinitions(answer: ServedDefinitions): string {
  const { definitions, others, server } = answer
  const both = definitions.filter(({ sources }) => sources.length > 1).length
  return (
    describeDefinitions(answer) +
    lines(
      others.map(
        ({ path, line, scope, name, sources }) =>
          `${path}:${line}  ${scope === '' ? '' : `${scope}.`}${name}  (${sources.join(', ')} alone)`,
      ),
    ) +
    (server.state === 'silent'
      ? ''
      : lines([`${both} of ${definitions.length} are listed by the server too.`])) +
    part(server)
  )
}

/** The sources stand beside how the edge was resolved. */
function named<Edge extends { how: string; sources: string[] }>(edge: Edge): Edge {
  return { ...edge, how: `${edge.how}; ${edge.sources.join(' and ')}` }
}

function part({ source, state, why }: ServerPart): string {
  if (state === 'silent')
    return lines([`Answered by the index alone: ${source ?? 'no server'}: ${why ?? 'silent'}.`])
  return lines([`Server: ${source ?? '?'}, ${state}${why === null ? '' : `: ${why}`}.`])
}

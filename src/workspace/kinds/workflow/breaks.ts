/** What callers of a workflow, an action or a template no longer find, or have to pass now. */
import { placeOf, type SharedBreak } from '../../../domain/shared-contract.ts'
import { goneOrRenamed } from '../../places.ts'
import type { BrokenCallable, CallableProvided, CallableShape, PartKind } from './contract.ts'

type Part = CallableProvided & { shape: Extract<CallableShape, { is: PartKind }> }
type File = CallableProvided & { shape: Extract<CallableShape, { is: 'file' }> }

export function workflowBreaks(
  before: readonly CallableProvided[],
  after: readonly CallableProvided[],
): BrokenCallable[] {
  const [old, now] = [before.filter(isFile), after.filter(isFile)]
  const fresh = now.filter(({ shape }) => !old.some((one) => one.shape.key === shape.key))
  const partsOf = (all: readonly CallableProvided[], key: string) =>
    all.filter((one): one is Part => one.shape.is !== 'file' && one.shape.key === key)
  const known = new Set(old.map(({ shape }) => shape.key))
  const alone = before.filter((one): one is Part => one.shape.is !== 'file' && !known.has(one.shape.key))
  return [
    ...old.flatMap((file) => {
      const { key } = file.shape
      const isThere = now.some((one) => one.shape.key === key)
      return isThere ? partBreaks(file, partsOf(before, key), partsOf(after, key)) : [fileBreak(file, fresh)]
    }),
    ...alone.map((part) => goneBreak(part, null)),
  ]
}

function isFile(one: CallableProvided): one is File {
  return one.shape.is === 'file'
}

const flavour = (key: string): string => key.slice(0, key.indexOf(':'))

function fileBreak(file: File, fresh: readonly File[]): BrokenCallable {
  const { key, digest } = file.shape
  const alike = fresh.filter(({ shape }) => shape.digest === digest && flavour(shape.key) === flavour(key))
  const [next] = alike
  return {
    kind: 'workflow',
    name: file.name,
    ...goneOrRenamed(file, alike.length === 1 ? next : null, {
      gone: `\`${file.name}\` can no longer be called`,
      renamed: ({ name }) => `\`${file.name}\` is now \`${name}\``,
    }),
    keys: [key],
    shape: { key, of: 'file', part: '', isRequired: false, isRefused: true },
  }
}

function partBreaks(file: File, before: readonly Part[], after: readonly Part[]): BrokenCallable[] {
  const find = (all: readonly Part[], { shape }: Part) =>
    all.find((one) => one.shape.is === shape.is && one.shape.part === shape.part)
  const gone = before.filter((one) => !find(after, one))
  const fresh = after.filter((one) => !find(before, one))
  const renamed = new Map(gone.map((one) => [one, renamedTo(one, gone, fresh)]))
  const taken = new Set(renamed.values())
  return [
    ...gone.map((one) => goneBreak(one, renamed.get(one) ?? null)),
    ...after.flatMap((one) => {
      const old = find(before, one)
      if (one.shape.isRequired && !old?.shape.isRequired && !taken.has(one))
        return [requiredBreak(file, one, old ?? null)]
      return old && isRetyped(old, one) ? [typeBreak(old, one)] : []
    }),
  ]
}

/** The one new part of the same form, where no other one that went has it. */
function renamedTo(one: Part, gone: readonly Part[], fresh: readonly Part[]): Part | null {
  const isAlike = (other: Part) =>
    other.shape.is === one.shape.is &&
    other.shape.type === one.shape.type &&
    other.shape.isRequired === one.shape.isRequired
  const candidates = fresh.filter(isAlike)
  return candidates.length === 1 && gone.filter(isAlike).length === 1 ? (candidates[0] ?? null) : null
}

function isRetyped(old: Part, now: Part): boolean {
  const [was, is] = [old.shape.type, now.shape.type]
  // A string takes what is written for any other type.
  return was !== null && is !== null && was !== is && is !== 'string'
}

const words: Readonly<Record<PartKind, string>> = {
  input: 'the input',
  secret: 'the secret',
  output: 'the output',
  job: 'the hidden job',
}

function goneBreak(one: Part, next: Part | null): BrokenCallable {
  const name = `${words[one.shape.is]} \`${one.shape.part}\``
  const said = goneOrRenamed(one, next, {
    gone: `${name} was removed`,
    renamed: ({ shape }) => `${name} is now called \`${shape.part}\``,
  })
  return partBreak(one, said)
}

function requiredBreak(file: File, now: Part, old: Part | null): BrokenCallable {
  const { is, part } = now.shape
  const what = old ? `${words[is]} \`${part}\` is now required` : `the new ${is} \`${part}\` is required`
  const made = partBreak(now, { how: 'required', what, before: old && placeOf(old), after: placeOf(now) })
  return { ...made, keys: [file.shape.key], shape: { ...made.shape, isRequired: true } }
}

function typeBreak(old: Part, now: Part): BrokenCallable {
  const { is, part, type } = now.shape
  const what = `${words[is]} \`${part}\` is a \`${type}\` now, no \`${old.shape.type}\``
  return partBreak(now, { how: 'changed', what, before: placeOf(old), after: placeOf(now) })
}

function partBreak(
  { name, shape: { key, is, part } }: Part,
  said: Pick<SharedBreak, 'how' | 'renamedTo' | 'what' | 'before' | 'after'>,
): BrokenCallable {
  const isRefused = flavour(key) !== 'action' && is !== 'output'
  return {
    ...{ kind: 'workflow', name, ...said, keys: [key] },
    shape: { key, of: is, part, isRequired: false, isRefused },
  }
}

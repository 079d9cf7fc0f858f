/** What a file of code publishes and which messages it reads. */
import type { Reference } from '../../../code-index/contract.ts'
import type { Provided, SourceFile, Use } from '../../contract.ts'
import type { Fields } from '../payload/field.ts'
import { FieldReader, type Followed } from '../payload/fields-read.ts'
import { jsonTags } from '../payload/json-tags.ts'
import { literalFields } from '../payload/literal-fields.ts'
import { declaredType, typeFields } from '../payload/type-fields.ts'
import { assignedBefore } from '../reading/assigned.ts'
import { type Argument, CodeText, entriesOf } from '../reading/code-text.ts'
import { stringConstants } from '../reading/string-value.ts'
import { type EventCall, eventCall } from './calls.ts'
import type { EventShape, EventUse } from './event.ts'

export const eventCue =
  /[kK]afka|amqp|[rR]abbit|\bpika\b|\bnats\b|[rR]edis|[sS][nN][sS]|[sS][qQ][sS]|[bB]us\b|[bB]roker|[pP]ub[sS]ub|[pP]ublisher|[pP]roducer|[cC]onsumer|EventPattern|MessagePattern|JmsListener|[jJ]msTemplate|bullmq|asyncapi|[kK]arafka|basic_(?:consume|publish)|sarama|[mM]essag(?:es|ing)|[eE]ventClient|sendToQueue/

type Found = { reference: Reference; call: EventCall }

function callsIn(code: CodeText): Found[] {
  const constants = stringConstants(code.text)
  return (code.file.facts?.references ?? []).flatMap((reference) => {
    const call = eventCall(reference, code, constants)
    return call ? [{ reference, call }] : []
  })
}

function linesOfCall(
  { line, endLine, role }: Reference,
  { offset }: EventCall,
  code: CodeText,
): { line: number; endLine: number } {
  const at = offset === undefined ? line : code.lineOf(offset)
  return { line: at, endLine: offset !== undefined || role === 'decorator' ? at : Math.max(at, endLine) }
}

export function publishedIn(file: SourceFile): Provided<EventShape>[] {
  if (!file.facts || !eventCue.test(file.text)) return []
  const code = new CodeText(file)
  return callsIn(code).flatMap(({ reference, call }) =>
    call.role === 'subscribe'
      ? []
      : call.topics.map((topic) => ({
          path: file.path,
          ...linesOfCall(reference, call, code),
          name: topic,
          shape: {
            topic,
            fields: call.payload ? payloadFields(call.payload, reference, code) : null,
            source: 'code' as const,
          },
        })),
  )
}

const wrapper =
  /^(?:JSON\.stringify|Buffer\.from|json\.dumps|\w{1,30}\.encode|\w{1,30}\.stringify|new TextEncoder\(\)\.encode|JSON\.generate|json\.Marshal|String)\(/

/** Of a literal behind the functions that make bytes of it; of a name, what it was given. */
function payloadFields(payload: Argument, reference: Reference, code: CodeText): Fields | null {
  let { text, offset } = payload
  for (let hops = 0; hops < 8; hops++) {
    const wrapped = wrapper.exec(text)
    const inner = wrapped ? entriesOf(text, offset)[0] : text.startsWith('[') ? listValue(text, offset) : null
    if (inner) ({ text, offset } = inner)
    else if (/^[A-Za-z_]\w{0,80}$/.test(text)) {
      const given = assignedBefore(text, reference, code)
      if (!given) return typedPayload(text, reference, code)
      ;({ text, offset } = given)
    } else break
  }
  return literalFields(text, offset, code) ?? typedPayload(text, reference, code)
}

/** `[{ key, value: JSON.stringify(order) }]` of Kafka: the value of the only message. */
function listValue(text: string, offset: number): Argument | null {
  const messages = entriesOf(text, offset)
  const [message] = messages
  if (!message || messages.length > 1 || !message.text.startsWith('{')) return null
  return entriesOf(message.text, message.offset).find(({ name }) => name === 'value') ?? null
}

/** `new OrderPlaced(…)` or a name of a type that the file declares. */
function typedPayload(text: string, { line, enclosing }: Reference, { file }: CodeText): Fields | null {
  const made = /^(?:new )?([A-Z]\w{0,80})\(/.exec(text)?.[1]
  const type =
    made ??
    file.facts?.typedNames.find(
      (one) => one.name === text && (one.enclosing === enclosing || one.enclosing === null),
    )?.type
  if (!type) return null
  return typeFields(type, file, line, 'response', (name) => {
    const symbol = declaredType(name, file)
    return symbol === null ? null : { file, symbol }
  })
}

export function subscribedIn(file: SourceFile): Use<EventUse>[] {
  if (!file.facts || !eventCue.test(file.text)) return []
  const code = new CodeText(file)
  const found = callsIn(code).filter(({ call }) => call.role === 'subscribe')
  const isOnly = found.flatMap(({ call }) => call.topics).length === 1
  return found.flatMap(({ reference, call }) => {
    const reads = readsOf(reference, call, code, isOnly)
    return call.topics.map((topic) => ({
      path: file.path,
      ...linesOfCall(reference, call, code),
      key: topic,
      name: topic,
      how: `subscribed with \`${call.by}\``,
      shape: { topic, reads },
    }))
  })
}

const maximumText = 16_000
/** What clients call that which holds a message, and what is the message itself. */
const holders = /^(?:m|msg|message|record|job|delivery|context)$/
const raw = /^(?:body|data|payload|value|raw)$/

/** Fields that are read in the function around the call, in the handlers that it is given, or in a file with one topic. */
function readsOf(reference: Reference, call: EventCall, code: CodeText, isOnly: boolean): string[] {
  const { facts, path } = code.file
  if (!facts) return []
  const isGo = path.endsWith('.go')
  const options = {
    hasGetters: facts.language === 'java' || facts.language === 'kotlin',
    ...(isGo && { wireNames: jsonTags(code.text) }),
  }
  const reads = new Set<string>()
  const read = (text: string, patterns: readonly (readonly [string, Followed['kind']])[]): void => {
    const reader = new FieldReader(text.slice(0, maximumText), options)
    for (const [pattern, kind] of patterns) reader.bind(pattern, { kind, path: '' })
    reader.follow()
    for (const one of reader.reads) reads.add(one)
  }
  const held = ['m', 'msg', 'message', 'record', 'job'].map((name) => [name, 'response'] as const)
  const symbol = reference.enclosing === null ? undefined : facts.symbols[reference.enclosing]
  const around = isOnly || !symbol ? code.text : code.linesOf(symbol).text
  if (reference.role === 'decorator' && symbol)
    read(
      code.linesOf(symbol).text,
      (symbol.signature.parameters ?? []).map(({ name }) => [name, holders.test(name) ? 'response' : 'data']),
    )
  else {
    read(around, [...held, ...decoded(around)])
    for (const { text } of call.handlers) {
      const handler = facts.symbols.find(
        ({ name, kind }) => name === text.replace(/^(?:this|self)\./, '') && /function|method/.test(kind),
      )
      if (handler) {
        const names = (handler.signature.parameters ?? []).map(({ name }): [string, Followed['kind']] => [
          name,
          raw.test(name) || holders.test(name) ? 'response' : 'data',
        ])
        const { text: body } = code.linesOf(handler)
        read(body, [...names, ...decoded(body)])
      } else read(text, [...parameterOf(text)])
    }
  }
  return [...reads].sort()
}

/** Of `(order) => …`, `async ({ id }) => …`. */
function parameterOf(text: string): [string, Followed['kind']][] {
  const found = /^(?:async[ ]{1,2})?(?:function[ ]{0,2})?\(?[ ]{0,2}(\{[^{}]{0,200}\}|\w{1,60})/.exec(text)
  const pattern = found?.[1]
  return pattern ? [[pattern, holders.test(pattern) ? 'response' : 'data']] : []
}

/** Names that are given the parsed message: `json.Unmarshal(m.Value, &order)`, `mapper.readValue(body, Order.class)`. */
function decoded(text: string): [string, Followed['kind']][] {
  const go = [...text.matchAll(/\bUnmarshal\([\w.]{1,80}, ?&(\w{1,60})\)/g)]
  const java = [...text.matchAll(/\b(\w{1,60})[ ]{0,2}=[ ]{0,2}\w{1,60}\.readValue\(/g)]
  return [...go, ...java].map((match) => [match[1] ?? '', 'data'])
}

/** Calls of message brokers that publish or subscribe, in the languages and clients where the call is unmistakable. */
import type { Reference } from '../../../code-index/contract.ts'
import { assignedBefore } from '../reading/assigned.ts'
import {
  type Argument,
  type CodeText,
  endOfBracket,
  entriesOf,
  named,
  positional,
} from '../reading/code-text.ts'
import { literalText } from '../reading/string-value.ts'
import { isTopic, topicName } from './event.ts'

export type EventCall = {
  role: 'publish' | 'subscribe'
  topics: string[]
  /** The expression of what is published. */
  payload: Argument | null
  /** Functions that are given to handle messages. */
  handlers: Argument[]
  /** As people read it: `producer.send`. */
  by: string
  /** Where the topic is written, when that is not at the call. */
  offset?: number
}

/** Where a value stands among the arguments: a keyword, an entry of the object that is given first, or a position. */
type Slot = string | number

type Rule = {
  role: EventCall['role']
  /** Of the receiver and the name. */
  call: RegExp
  /** Of the text of the file: the client that makes the call unmistakable. */
  needs?: RegExp
  topic: readonly Slot[]
  payload?: readonly Slot[]
}

const bus =
  /(?:^|\.)(?:\w{0,40}[bB]us|\w{0,40}[bB]roker|pubsub|pubSub|messag(?:es|ing)|\w{0,40}[pP]ublisher|\w{0,40}[eE]ventClient)\.$/

const redis = /\b[iI]?o?[rR]edis\b/

const publishes = (
  call: RegExp,
  topic: readonly Slot[],
  payload?: readonly Slot[],
  needs?: RegExp,
): Rule => ({
  ...{ role: 'publish', call, topic },
  ...(payload && { payload }),
  ...(needs && { needs }),
})

const subscribes = (call: RegExp, topic: readonly Slot[], needs?: RegExp): Rule => ({
  ...{ role: 'subscribe', call, topic },
  ...(needs && { needs }),
})

const rules: readonly Rule[] = [
  // Kafka
  publishes(/[pP]roducer(?:\(\))?\.(?:send|sendBatch)$/, ['topic', 0], ['messages', 'value', 1]),
  publishes(
    /[pP]roducer(?:\(\))?\.(?:produce|produce_async|produce_sync|send_and_wait|Produce|ProduceAsync)$/,
    ['topic', 0],
    ['value', 'payload', 1],
  ),
  publishes(/[kK]afka(?:Template|_template)?\.(?:send|deliver_message)$/, ['topic', 0], ['value', 2, 1]),
  publishes(/(?:^|[.:])FutureRecord(?:\.|::)to$/, [0]),
  publishes(/(?:^|\.)ProducerRecord$/, [0], [2, 1]),
  publishes(/(?:^|\.)(?:Future|Base)Record\.to$/, [0]),
  subscribes(/[cC]onsumer(?:\(\))?\.(?:subscribe|subscribes_to|SubscribeTopics|Subscribe)$/, [
    'topic',
    'topics',
    0,
  ]),
  subscribes(/(?:^|\.)(?:AIO)?KafkaConsumer$/, [0]),
  // RabbitMQ
  publishes(/(?:^|\.)\w{0,30}[cC]h(?:an(?:nel)?)?\.sendToQueue$/, [0], [1]),
  publishes(/(?:^|\.)\w{0,30}[cC]h(?:an(?:nel)?)?\.(?:publish|Publish)$/, [1], [2], /amqp/i),
  publishes(/\.basic_publish$/, ['routing_key', 1], ['body', 2]),
  publishes(/[rR]abbitTemplate\.convertAndSend$/, [-2], [-1]),
  publishes(/[jJ]msTemplate\.convertAndSend$/, [0], [1]),
  subscribes(/(?:^|\.)\w{0,30}[cC]h(?:an(?:nel)?)?\.(?:consume|Consume)$/, [0]),
  subscribes(/(?:^|\.)\w{0,30}[cC]h(?:an(?:nel)?)?\.(?:bindQueue|QueueBind)$/, [2]),
  subscribes(/\.basic_consume$/, ['queue', 0]),
  subscribes(/\.queue_bind$/, ['routing_key', 2]),
  // NATS and Redis
  publishes(
    /(?:^|\.)(?:nc|js|nats|natsConn|nats_client|jetstream|conn)\.(?:publish|Publish)$/,
    [0],
    [1],
    /\bnats\b/,
  ),
  subscribes(
    /(?:^|\.)(?:nc|js|nats|natsConn|nats_client|jetstream|conn)\.(?:subscribe|Subscribe|QueueSubscribe)$/,
    [0],
    /\bnats\b/,
  ),
  publishes(/(?:^|\.)(?:redis|redisClient|redis_client|rdb|r|pub)\.(?:publish|Publish)$/, [0], [1], redis),
  subscribes(
    /(?:^|\.)(?:redis|redisClient|sub|subscriber|pubsub)\.(?:subscribe|psubscribe|Subscribe)$/,
    [0],
    redis,
  ),
  // Amazon
  publishes(/(?:^|\.)PublishCommand$/, ['TopicArn'], ['Message']),
  publishes(/(?:^|\.)SendMessageCommand$/, ['QueueUrl'], ['MessageBody']),
  subscribes(/(?:^|\.)ReceiveMessageCommand$/, ['QueueUrl']),
  publishes(/sns\w{0,20}\.publish$/i, ['TopicArn'], ['Message']),
  publishes(/sqs\w{0,20}\.send_?message$/i, ['QueueUrl'], ['MessageBody']),
  subscribes(/sqs\w{0,20}\.receive_?message$/i, ['QueueUrl']),
  // Queues of jobs
  subscribes(/(?:^|\.)Worker$/, [0], /\bbullmq\b/),
]

const listeners: Readonly<Record<string, readonly Slot[]>> = {
  KafkaListener: ['topics'],
  RabbitListener: ['queues'],
  SqsListener: [0, 'value', 'queueNames'],
  JmsListener: ['destination'],
  EventPattern: [0],
  MessagePattern: [0],
  RabbitSubscribe: ['routingKey'],
}

/** Composite literals of Go: `kafka.ReaderConfig{Topic: "orders"}`. */
const goTypes: Readonly<Record<string, EventCall['role']>> = {
  ProducerMessage: 'publish',
  Writer: 'publish',
  WriterConfig: 'publish',
  ReaderConfig: 'subscribe',
}

/** Null for a reference that neither publishes nor subscribes. */
export function eventCall(
  reference: Reference,
  code: CodeText,
  constants: ReadonlyMap<string, string>,
): EventCall | null {
  const { role, name, receiver } = reference
  const full = receiver === null ? name : `${receiver}.${name}`
  if (role === 'decorator') return listenerCall(reference, code, constants)
  if (role === 'type') return goLiteral(reference, code, constants)
  if (role !== 'call') return null
  const rule =
    rules.find(({ call, needs }) => call.test(full) && (needs?.test(code.text) ?? true)) ??
    busRule(receiver, name, code.text)
  const all = rule && code.argumentsOf(reference)
  if (!rule || !all) return null
  const written = slotOf(all, rule.topic)?.text ?? ''
  // A list that has a name: `consumer.subscribe(TOPICS)`.
  const isName = /^[A-Za-z_]\w{0,80}$/.test(written) && !constants.has(written)
  const topics = topicsOf(
    (isName ? assignedBefore(written, reference, code)?.text : null) ?? written,
    constants,
  )
  if (topics.length === 0) return null
  return {
    role: rule.role,
    topics,
    payload: rule.payload ? slotOf(all, rule.payload) : null,
    handlers: rule.role === 'subscribe' ? all.slice(1) : [],
    by: full.length > 60 ? name : full,
  }
}

/** `bus.publish('order.placed', order)`, `client.emit('order.placed', order)` of NestJS. */
function busRule(receiver: string | null, name: string, text: string): Rule | null {
  if (receiver === null) return null
  const isNest = /\bClientProxy\b|\bClientKafka\b/.test(text) && /client\w{0,40}$/i.test(receiver)
  if (isNest && (name === 'emit' || name === 'send')) return publishes(bus, [0], [1])
  if (!bus.test(`${receiver}.`)) return null
  if (name === 'publish' || name === 'emit') return publishes(bus, [0], [1])
  return name === 'subscribe' || name === 'on' ? subscribes(bus, [0]) : null
}

function listenerCall(
  reference: Reference,
  code: CodeText,
  constants: ReadonlyMap<string, string>,
): EventCall | null {
  const slots = Object.hasOwn(listeners, reference.name) ? listeners[reference.name] : undefined
  const all = slots && code.argumentsOf(reference)
  const topics = all ? topicsOf(slotOf(all, slots)?.text ?? '', constants) : []
  return topics.length === 0
    ? null
    : { role: 'subscribe', topics, payload: null, handlers: [], by: `@${reference.name}` }
}

function goLiteral(
  reference: Reference,
  code: CodeText,
  constants: ReadonlyMap<string, string>,
): EventCall | null {
  const role = Object.hasOwn(goTypes, reference.name) ? goTypes[reference.name] : undefined
  const isBroker = /^(?:sarama|kafka|segmentio)$/.test(reference.receiver ?? '')
  const open = code.offsetOf(reference) + reference.name.length
  if (!role || !isBroker || code.text[open] !== '{') return null
  const entries = entriesOf(code.text.slice(open, endOfBracket(code.text, open)), open)
  const topic = named(entries, 'Topic')
  const topics = topicsOf(topic?.text ?? '', constants)
  if (!topic || topics.length === 0) return null
  const by = `${reference.receiver}.${reference.name}`
  return { role, topics, payload: named(entries, 'Value'), handlers: [], by, offset: topic.offset }
}

function slotOf(all: readonly Argument[], slots: readonly Slot[]): Argument | null {
  const [first] = all
  const fields = first?.name === null && first.text.startsWith('{') ? entriesOf(first.text, first.offset) : []
  for (const slot of slots) {
    if (typeof slot === 'string') {
      const one =
        named(all, slot) ??
        named(fields, slot) ??
        fields.find(({ name, text }) => name === null && text === slot)
      if (one) return one
    } else if (fields.length === 0 || slot !== 0) {
      const one = slot < 0 ? all.filter(({ name }) => name === null).at(slot) : positional(all, slot)
      if (one) return one
    }
  }
  return null
}

function topicsOf(written: string, constants: ReadonlyMap<string, string>): string[] {
  const text = written.replace(/^&/, '')
  const list =
    /^(?:(?:List|Arrays|Set|Collections)\.(?:of|asList|singletonList|singleton)\(|&?\[|\{|\(|\[\]string\{)/.exec(
      text,
    )
  const texts = list ? entriesOf(text).map((one) => one.text) : [text]
  return texts.flatMap((one) => {
    const topic = literalText(one, constants)
    // `${…}` stands for a value from the configuration.
    return topic === null || !isTopic(topic) ? [] : [topicName(topic)]
  })
}

/** Events across repositories: topics that are no longer published, fields that messages lost, and who listens. */
import { expect, test } from 'vitest'
import type { SourceFile } from '../../../src/workspace/contract.ts'
import type { EventShape, EventUse } from '../../../src/workspace/kinds/event/event.ts'
import { eventContracts } from '../../../src/workspace/kinds/event/kind.ts'
import { type Files, judgedChange, summary, treeOf } from '../helpers.ts'

const kafka = `import { Kafka } from 'kafkajs'
const producer = new Kafka({}).producer()
export async function place(order) {
  await producer.send({
    topic: 'orders.placed',
    messages: [{ key: order.id, value: JSON.stringify({ id: order.id, total: order.total, customer: { email: order.email } }) }],
  })
}
export const cancel = (order) => bus.publish('orders.cancelled', { id: order.id })
`

const listeners: Files = {
  'src/mail.ts': `import { Kafka } from 'kafkajs'
const consumer = kafka.consumer({ groupId: 'mail' })
await consumer.subscribe({ topic: 'orders.placed', fromBeginning: true })
await consumer.run({
  eachMessage: async ({ message }) => {
    const order = JSON.parse(message.value.toString())
    await send(order.customer.email)
  },
})
`,
  'billing/listen.py': `from kafka import KafkaConsumer

def run():
    consumer = KafkaConsumer("orders.placed", group_id="billing")
    for message in consumer:
        order = json.loads(message.value)
        bill(order["id"], order["total"])
`,
  'src/main/java/com/acme/Listener.java': `package com.acme;

class Listener {
  @KafkaListener(topics = "orders.placed", groupId = "stock")
  void placed(OrderPlaced order) {
    reserve(order.getId());
  }
}
`,
  'src/undo.ts': `bus.subscribe('orders.cancelled', ({ id }) => undo(id))\n`,
}

const mail = 'src/mail.ts:3 likely'
const billing = 'billing/listen.py:4 likely'
const stock = 'src/main/java/com/acme/Listener.java:4 likely'

async function change(base: Files, path: string, edits: readonly [string, string][]) {
  let text = base[path] ?? ''
  for (const [from, to] of edits) {
    expect(text).toContain(from)
    text = text.replace(from, to)
  }
  return judgedChange(eventContracts, base, { ...base, [path]: `${text}\n` }, listeners)
}

test.each<[string, [string, string][], string[]]>([
  [
    'a topic is renamed',
    [["'orders.placed'", "'orders.created'"]],
    [`orders.placed renamed, ${mail}, ${billing}, ${stock}`],
  ],
  [
    'a topic is no longer published',
    [["bus.publish('orders.cancelled', { id: order.id })", 'order']],
    ['orders.cancelled removed, src/undo.ts:1 likely'],
  ],
  ['a field goes', [[', total: order.total', '']], [`orders.placed removed, ${billing}`]],
  [
    'a field is renamed',
    [['total: order.total', 'totals: order.total']],
    [`orders.placed renamed, ${billing}`],
  ],
  ['an inner field goes', [['{ email: order.email }', '{}']], [`orders.placed removed, ${mail}`]],
  [
    'a field of a message on a bus',
    [['{ id: order.id })\n', '{ key: order.key })\n']],
    ['orders.cancelled removed, src/undo.ts:1 likely'],
  ],
])('code, breaking: %s', async (_, edits, expected) => {
  expect(summary(await change({ 'src/orders.ts': kafka }, 'src/orders.ts', edits))).toEqual(expected)
})

test.each<[string, [string, string][]]>([
  ['a field is added', [['id: order.id,', 'id: order.id, state: order.state,']]],
  [
    'fields are in another order',
    [['id: order.id, total: order.total,', 'total: order.total, id: order.id,']],
  ],
  [
    'a topic has a name in the code',
    [
      ["topic: 'orders.placed'", 'topic: placed'],
      ['export async', "const placed = 'orders.placed'\nexport async"],
    ],
  ],
  [
    'a message is made before',
    [
      [
        'JSON.stringify({ id: order.id, total: order.total, customer: { email: order.email } })',
        'JSON.stringify(message)',
      ],
      [
        '  await producer',
        '  const message = { id: order.id, total: order.total, customer: { email: order.email } }\n  await producer',
      ],
    ],
  ],
  [
    'a topic is published besides',
    [
      [
        'export const cancel',
        "export const pay = (order) => bus.publish('orders.paid', order)\nexport const cancel",
      ],
    ],
  ],
  ['a function is renamed', [['function place(', 'function placeOrder(']]],
])('code, compatible: %s', async (_, edits) => {
  expect(await change({ 'src/orders.ts': kafka }, 'src/orders.ts', edits)).toEqual([])
})

test('a topic that another file publishes now is not gone', async () => {
  expect(
    await judgedChange(
      eventContracts,
      { 'src/orders.ts': kafka },
      { 'src/events/orders.ts': kafka },
      listeners,
    ),
  ).toEqual([])
})

test('a break says what it is about and where', async () => {
  const [found] = await change({ 'src/orders.ts': kafka }, 'src/orders.ts', [[', total: order.total', '']])
  expect(found).toMatchObject({
    name: 'orders.placed',
    how: 'removed',
    what: 'the message field `total` was removed',
    before: 'src/orders.ts:6',
    after: null,
    uses: [{ name: 'orders.placed', how: 'subscribed with `KafkaConsumer`' }],
  })
})

const old = `asyncapi: 2.6.0
channels:
  orders.placed:
    subscribe:
      message:
        $ref: '#/components/messages/OrderPlaced'
  orders.pay:
    publish:
      message: { payload: { type: object } }
components:
  messages:
    OrderPlaced:
      payload:
        type: object
        required: [id, total]
        properties:
          id: { type: string }
          total: { type: number }
          note: { type: string }
`

const now = `asyncapi: 3.0.0
channels:
  placed:
    address: orders.placed
    messages:
      placed:
        payload:
          type: object
          required: [id, total]
          properties:
            id: { type: string }
            total: { type: number }
            note: { type: string }
operations:
  send:
    action: send
    channel: { $ref: '#/channels/placed' }
`

test.each<[string, string, [string, string][], string[]]>([
  [
    '2: a field goes',
    old,
    [['          total: { type: number }\n', '']],
    [`orders.placed removed, ${billing}`],
  ],
  [
    '2: a field can be missing',
    old,
    [['[id, total]', '[total]']],
    [`orders.placed changed, ${billing}, ${stock}`],
  ],
  [
    '2: a type',
    old,
    [['total: { type: number }', 'total: { type: object }']],
    [`orders.placed changed, ${billing}`],
  ],
  [
    '2: a channel is renamed',
    old,
    [['  orders.placed:', '  orders.created:']],
    [`orders.placed renamed, ${mail}, ${billing}, ${stock}`],
  ],
  [
    '3: an address',
    now,
    [['address: orders.placed', 'address: orders.created']],
    [`orders.placed renamed, ${mail}, ${billing}, ${stock}`],
  ],
  [
    '3: a field goes',
    now,
    [['            id: { type: string }\n', '']],
    [`orders.placed removed, ${billing}, ${stock}`],
  ],
  [
    '3: a field that is not read',
    now,
    [['            note: { type: string }\n', '']],
    ['orders.placed removed'],
  ],
])('AsyncAPI, breaking: %s', async (_, text, edits, expected) => {
  expect(summary(await change({ 'asyncapi.yaml': text }, 'asyncapi.yaml', edits))).toEqual(expected)
})

test.each<[string, string, [string, string][]]>([
  ['2: a field is added', old, [['          note:', '          state: { type: string }\n          note:']]],
  [
    '2: a message is renamed',
    old,
    [
      ['messages/OrderPlaced', 'messages/Placed'],
      ['    OrderPlaced:', '    Placed:'],
    ],
  ],
  [
    '3: a channel has another id',
    now,
    [
      ['  placed:\n    address', '  orders:\n    address'],
      ['channels/placed', 'channels/orders'],
    ],
  ],
  ['3: a field is required', now, [['[id, total]', '[id, total, note]']]],
])('AsyncAPI, compatible: %s', async (_, text, edits) => {
  expect(await change({ 'asyncapi.yaml': text }, 'asyncapi.yaml', edits)).toEqual([])
})

test('a document that receives what another no longer sends', async () => {
  const user: Files = { 'mail.yaml': old.replace('    subscribe:', '    publish:') }
  const found = await judgedChange(
    eventContracts,
    { 'a.yaml': now },
    { 'a.yaml': now.replace('            total: { type: number }\n', '') },
    user,
  )
  expect(summary(found)).toEqual(['orders.placed removed, mail.yaml:3 likely'])
})

async function said(path: string, text: string): Promise<string[]> {
  const tree = treeOf({ [path]: text })
  const [file] = await tree.read([path])
  const published = (await eventContracts.provided([path], tree)).map(({ line, shape }) => {
    const { topic, fields } = shape as EventShape
    return `${line} publishes ${[topic, ...(fields?.fields.map(({ name }) => name).filter((one) => one !== '') ?? [])].join(' ')}`
  })
  const uses = (await eventContracts.uses(file as SourceFile)).map(({ line, shape }) => {
    const { topic, reads } = shape as EventUse
    return `${line} reads ${[topic, ...reads].join(' ')}`
  })
  return [...published, ...uses]
}

test.each<[string, string, string[]]>([
  [
    'a.js',
    "const amqp = require('amqplib')\nchannel.sendToQueue('mail', Buffer.from(JSON.stringify({ to, text: 'x' })))\nchannel.publish('shop', 'order.paid', Buffer.from(JSON.stringify({ id })))\nchannel.consume('orders', (msg) => {\n  const order = JSON.parse(msg.content.toString())\n  pay(order.id)\n})\n",
    ['2 publishes mail to text', '3 publishes order.paid id', '4 reads orders id'],
  ],
  [
    'a.js',
    "import { connect } from 'nats'\nnc.publish('user.made', sc.encode(JSON.stringify({ id: 1 })))\nconst sub = nc.subscribe('user.gone')\n",
    ['2 publishes user.made id', '3 reads user.gone'],
  ],
  [
    'a.ts',
    "import Redis from 'ioredis'\nredis.publish('user:made', JSON.stringify(user))\nsubscriber.subscribe('user:gone')\n",
    ['2 publishes user:made', '3 reads user:gone'],
  ],
  [
    'a.ts',
    "import { SNSClient, PublishCommand } from '@aws-sdk/client-sns'\nawait sns.send(new PublishCommand({ TopicArn: 'arn:aws:sns:eu-west-1:1:orders-placed', Message: JSON.stringify({ id }) }))\n",
    ['2 publishes orders-placed id'],
  ],
  [
    'a.ts',
    "import { EventPattern, Payload } from '@nestjs/microservices'\nclass A {\n  @EventPattern('order.placed')\n  async placed(@Payload() order: Order) {\n    await this.mail(order.email)\n  }\n}\n",
    ['3 reads order.placed email'],
  ],
  [
    'a.py',
    'producer.send("orders", value={"id": 1, "total": 2})\nproducer.produce("paid", json.dumps({"id": 1}).encode())\n',
    ['1 publishes orders id total', '2 publishes paid id'],
  ],
  [
    'a.py',
    'def on_order(channel, method, properties, body):\n    order = json.loads(body)\n    print(order["id"])\n\ndef run():\n    channel.basic_consume(queue="orders", on_message_callback=on_order)\n    channel.basic_publish(exchange="", routing_key="done", body=json.dumps({"ok": True}))\n',
    ['7 publishes done ok', '6 reads orders id'],
  ],
  [
    'A.java',
    'class A {\n  void f() {\n    kafkaTemplate.send("orders.placed", id, new Placed(id, total));\n    rabbitTemplate.convertAndSend("shop", "order.paid", order);\n  }\n  record Placed(String id, long total) {}\n}\n',
    ['3 publishes orders.placed id total', '4 publishes order.paid'],
  ],
  [
    'A.java',
    `class A {\n  @RabbitListener(queues = {"a.one", "a.two"})\n  void f(Order order) { use(order.id()); }\n  @KafkaListener(topics = "\${topics.orders}")\n  void g(Order order) {}\n}\n`,
    ['2 reads a.one id', '2 reads a.two id'],
  ],
  [
    'a.go',
    'package a\n\ntype Order struct {\n\tID string `json:"id"`\n}\n\nfunc run() {\n\tr := kafka.NewReader(kafka.ReaderConfig{Topic: "orders.placed"})\n\tm, _ := r.ReadMessage(ctx)\n\tvar o Order\n\tjson.Unmarshal(m.Value, &o)\n\tpay(o.ID)\n}\n\nfunc send() {\n\tp.SendMessage(&sarama.ProducerMessage{Topic: "orders.paid", Value: v})\n}\n',
    ['16 publishes orders.paid', '8 reads orders.placed id'],
  ],
  [
    'a.rs',
    'use rdkafka::producer::FutureRecord;\n\nasync fn run(producer: &FutureProducer, consumer: &StreamConsumer) {\n    producer.send(FutureRecord::to("orders.placed").payload("a"), 0).await;\n    consumer.subscribe(&["orders.paid"]).unwrap();\n}\n',
    ['4 publishes orders.placed', '5 reads orders.paid'],
  ],
  [
    'A.cs',
    'using Confluent.Kafka;\n\nclass A {\n  async Task Run() {\n    await producer.ProduceAsync("orders.placed", message);\n    consumer.Subscribe("orders.paid");\n  }\n}\n',
    ['5 publishes orders.placed', '6 reads orders.paid'],
  ],
  [
    'a.rb',
    "Karafka.producer.produce_async(topic: 'orders.placed', payload: { id: 1 }.to_json)\n",
    ['1 publishes orders.placed id'],
  ],
  [
    'a.ts',
    "emitter.emit('done', { id })\nemitter.on('done', f)\nsocket.emit('x', 1)\nsubject.subscribe('a')\nstore.publish('b')\nclient.send('GET')\n// producer.send({ topic: 'c' })\n",
    [],
  ],
  [
    'a.py',
    'import pika\n\nclass A:\n    KEY = "orders"\n\n    def f(self):\n        self._channel.basic_publish(exchange="shop", routing_key=self.KEY, body=json.dumps({"id": 1}))\n',
    ['7 publishes orders id'],
  ],
  [
    'a.go',
    'package a\n\nimport amqp "github.com/rabbitmq/amqp091-go"\n\nfunc run() {\n\tmsgs, _ := rabbitChan.Consume("orders", "", true, false, false, false, nil)\n}\n',
    ['6 reads orders'],
  ],
  [
    'a.py',
    'from confluent_kafka import Consumer\nTOPICS = ["orders.placed"]\nconsumer.subscribe(TOPICS)\n',
    ['3 reads orders.placed'],
  ],
])('clients in %s: %s', async (path, text, expected) => {
  expect(await said(path, text)).toEqual(expected)
})

test.each([
  ['a.yaml', 'asyncapi: 2.0.0\nchannels: 7\n'],
  ['a.yaml', 'asyncapi: 2.0.0\nchannels:\n  a: [\n'],
  ['a.json', '{"asyncapi": "3.0.0", "operations": {"a": {"channel": {"$ref": "#/operations/a"}}}}'],
])('what is no document is left alone: %s', async (path, text) => {
  expect(await eventContracts.provided([path], treeOf({ [path]: text }))).toEqual([])
})

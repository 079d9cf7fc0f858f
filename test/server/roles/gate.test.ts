/** The only way out of an analyzer leads to models, and nowhere else. */
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { modelAddresses } from '../../../src/assembly/model-addresses.ts'
import { Settings } from '../../../src/config/settings/schema.ts'
import { openGate } from '../../../src/server/roles/gate.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { listen } from '../../helpers/listen.ts'

const listenHere = () => listen(createServer((socket) => socket.end('hello')))

/** What a client of the gate gets for a tunnel to `place`. */
function tunnel(socketPath: string, place: string): Promise<string> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, method: 'CONNECT', path: place })
    asked.on('connect', (answer, socket, head: Buffer) => {
      let got = String(head)
      socket.on('data', (chunk: Buffer) => {
        got += chunk
      })
      socket.on('close', () => resolve(`${answer.statusCode} ${got}`))
      if (answer.statusCode !== 200) resolve(String(answer.statusCode))
    })
    asked.on('error', (error) => resolve(error.message))
    asked.end()
  })
}

test('tunnels lead to the allowed places only', async () => {
  const [model, other] = [await listenHere(), await listenHere()]
  const gate = await openGate(join(temporaryFolder(), 'gate'), new Set([`127.0.0.1:${model}`]))
  onTestFinished(() => gate.close())
  expect(await tunnel(gate.socket, `127.0.0.1:${model}`)).toBe('200 hello')
  for (const place of [`127.0.0.1:${other}`, `localhost:${model}`, '169.254.169.254:80', '', 'x'])
    expect(await tunnel(gate.socket, place), place).toMatch(/^(403|400|socket hang up)/)
  const plain = connect(gate.socket)
  plain.write(`GET http://127.0.0.1:${other}/ HTTP/1.1\r\nhost: x\r\n\r\n`)
  const answer = await new Promise((done) => plain.once('data', (chunk) => done(String(chunk))))
  plain.destroy()
  expect(answer).toMatch(/^HTTP\/1.1 403/)
  expect(gate.refused).toContain(`127.0.0.1:${other}`)
})

test('the places are those of the models that the settings and keys name', () => {
  const settings = Settings.parse({
    models: { providers: { own: { kind: 'openai-compatible', baseUrl: 'http://models.lan:8000/v1' } } },
    embedding: { kind: 'voyage', model: 'voyage-code-3' },
  })
  expect([...modelAddresses(settings, {})].sort()).toEqual(['api.voyageai.com:443'])
  const used = Settings.parse({
    ...settings,
    models: { ...settings.models, roles: { reviewer: 'own/coder', judge: 'anthropic/claude-sonnet-5-5' } },
  })
  expect([...modelAddresses(used, { ANTHROPIC_API_KEY: 'x', OPENAI_API_KEY: 'y' })].sort()).toEqual([
    'api.anthropic.com:443',
    'api.voyageai.com:443',
    'models.lan:8000',
  ])
})

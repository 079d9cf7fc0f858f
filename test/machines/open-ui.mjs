// Opens the dashboard as a browser would, on whatever Node a machine has: its page, and the script that the page names.
import { spawn } from 'node:child_process'

const child = spawn('./sightline', ['ui'], { stdio: ['ignore', 'pipe', 'inherit'] })
let said = ''
child.stdout.setEncoding('utf8').on('data', (text) => {
  said += text
  const address = /^Open (http:\S+)\/#/m.exec(said)?.[1]
  if (address) look(address).finally(() => child.kill('SIGINT'))
})
child.on('close', () => process.exit(process.exitCode ?? 1))

async function look(address) {
  process.exitCode = 1
  const page = await fetch(address)
  const html = await page.text()
  const script = /<script[^>]* src="([^"]+)"/.exec(html)?.[1]
  const answer = script === undefined ? null : await fetch(new URL(script, address))
  console.log(`page ${page.status}, script ${answer?.status}`)
  if (page.status === 200 && answer?.status === 200) process.exitCode = 0
}

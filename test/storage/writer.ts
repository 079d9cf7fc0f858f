/**
 * A process that writes runs, for tests of several at once: `node writer.ts FOLDER NAME ENTRIES [SHARED]`. Prints the
 * name of its run. Requests below `SHARED` are the same in all writers.
 */
import { FileRunStore } from '../../src/storage/runs/files/store.ts'
import { answer, beginRun, emptyReview, request } from './run-world.ts'

const [folder = '', name = '', entries = '0', shared = '0'] = process.argv.slice(2)
const store = new FileRunStore(folder)
const run = await beginRun(store, { label: name }, { now: new Date() })
for (let index = 0; index < Number(entries); index++) {
  const asked = request(index < Number(shared) ? `shared ${index}` : `${name} ${index}`)
  if (!(await run.find(asked))) await run.record(asked, answer(`${asked.body} answered`))
}
await run.finish(emptyReview, JSON.stringify({ name }))
process.stdout.write(`${run.run} ${run.trouble ?? 'fine'}\n`)

// As the command itself is, without what it loads to do its work: the process that is watched over waits for ever.
import { fileURLToPath } from 'node:url'
import { supervise } from '../../../src/cli/supervision/supervise.ts'
import { joinSupervision } from '../../../src/cli/supervision/supervised.ts'

const watched = supervise(fileURLToPath(import.meta.url), process.argv.slice(2))
if (watched) process.exitCode = await watched
else {
  joinSupervision()
  setInterval(() => {}, 60_000)
}

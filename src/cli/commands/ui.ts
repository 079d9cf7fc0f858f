/** `sightline ui`: the dashboard over the runs of this machine, in the browser, until it is stopped. */
import { exitCodes } from '../../base/errors.ts'
import { defineCommand } from '../command.ts'
import { flag, integer } from '../input/options.ts'
import { asciiJson } from '../output/safe-text.ts'

export const ui = defineCommand({
  name: 'ui',
  summary: 'Show recorded reviews in the browser: no server, no account.',
  operand: null,
  options: {
    port: integer(0, 65_535, 'Port to listen on, at 127.0.0.1 only; 0 picks a free one. Default: 0.'),
    json: flag('Print the address and the token as JSON, on one line.'),
  },
  examples: ['sightline ui  # open the address that it prints'],
  async run({ values, terminal, shell: { environment, folder }, signal }) {
    const { serveLocal } = await import('../../server/api/local.ts')
    await serveLocal({
      environment,
      folder,
      port: values.port ?? 0,
      signal,
      writeLog: (line) => terminal.note(`${line}\n`),
      onReady({ url, token }) {
        const address = `${url}/#token=${token}`
        void terminal.result(
          values.json
            ? `${asciiJson({ address, url, token })}\n`
            : `Open ${address}\nThe address works once. Press Ctrl-C to stop.\n`,
        )
      },
    })
    return exitCodes.clean
  },
})

/**
 * The files of PGlite with what it leaves out: an `fsync` that reaches the disk. Its WASM build reports success for every
 * sync without one, so a power cut would leave a data folder that does not open. The hook is inside PGlite, whose version is
 * pinned for that reason; `syncs` lets the engine verify at each start that it works.
 */
import { fsyncSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Module = Awaited<ReturnType<NodeFS['init']>>['emscriptenOpts']

/** The part of Emscripten's NODEFS that is extended: what a file descriptor can do. */
type NodeFiles = { stream_ops?: { fsync?: (stream: { nfd?: number }) => number } }

const inputOutputError = 29

export class DurableFiles extends NodeFS {
  /** How often something was written through to the disk. */
  syncs = 0

  override async init(engine: PGlite, options: Module): Promise<{ emscriptenOpts: Module }> {
    const { emscriptenOpts } = await super.init(engine, options)
    const hook = (module: Module) => {
      const files = module.NODEFS as unknown as NodeFiles | undefined
      if (!files?.stream_ops) throw new Error('this version of PGlite keeps its files in another way')
      files.stream_ops.fsync = ({ nfd }) => {
        try {
          if (nfd !== undefined) fsyncSync(nfd)
        } catch {
          return inputOutputError
        }
        this.syncs++
        return 0
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [hook, ...(emscriptenOpts.preRun ?? [])] } }
  }
}

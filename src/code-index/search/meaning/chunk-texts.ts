/** Texts of chunks, read again from the tree for the few that are shown or sent somewhere. */
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { defaultChunkLimits } from '../../chunks/contract.ts'
import type { ChunkNote } from '../contract.ts'

export type ChunkText = {
  /** The file's last folder and name, language and scope: what a move of more than that does not change. */
  heading: string
  text: string
}

/** In the order of the notes; a text that cannot be read is empty. */
export async function readChunks(snapshot: RepoSnapshot, notes: readonly ChunkNote[]): Promise<ChunkText[]> {
  const texts = await snapshot.readMany(notes.map(({ path }) => path))
  return notes.map((note) => {
    const lines = texts.get(note.path)?.text.split('\n') ?? []
    return {
      heading: headingOf(note),
      text: lines
        .slice(note.startLine - 1, note.endLine)
        .join('\n')
        .slice(0, defaultChunkLimits.characters),
    }
  })
}

/** The part of a path that is embedded with a chunk: `cors/index.ts`. */
export function nearPath(path: string): string {
  return path.split('/').slice(-2).join('/')
}

function headingOf({ path, language, symbol }: ChunkNote): string {
  const scope = symbol && symbol.scope !== '' ? `${symbol.scope}.` : ''
  return `${nearPath(path)} (${language ?? 'text'})${symbol ? ` ${symbol.kind} ${scope}${symbol.name}` : ''}`
}

/** All documents of a YAML file, each with the lines that it has in the file. */
import { type DataNode, readData } from './data-tree.ts'

/** What people keep in one file. */
const mostDocuments = 60

export function readDocuments(path: string, text: string): DataNode[] {
  const lines = text.split('\n')
  const starts = [0, ...lines.flatMap((line, at) => (/^---(?:\s|$)/.test(line) ? [at + 1] : []))]
  if (starts.length < 2) return [readData(path, text)].flatMap((root) => root ?? [])
  return starts.slice(0, mostDocuments).flatMap((from, at) => {
    const own = lines.slice(from, (starts[at + 1] ?? lines.length + 1) - 1).join('\n')
    return own.trim() === '' ? [] : (readData(path, '\n'.repeat(from) + own) ?? [])
  })
}

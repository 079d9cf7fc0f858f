/** One member of the family: what a host has to bring, each half opened apart, with a token of its own. */
import type { AcknowledgeComment, AnswerComment, OpenRepository } from '../repository/contract.ts'
import type { TokenRights } from '../rights/contract.ts'
import type { ChangeAddress, ChangeReader, ChangeWriter, HostAccess, HostFacts } from './contract.ts'

export interface Host {
  readonly facts: HostFacts
  openReader(address: ChangeAddress, access: HostAccess): ChangeReader
  openWriter(address: ChangeAddress, access: HostAccess): ChangeWriter
  readonly openRepository: OpenRepository
  readonly acknowledge: AcknowledgeComment
  readonly answer: AnswerComment
  /** Of a token that is not that of an App. */
  readonly rights: TokenRights
}

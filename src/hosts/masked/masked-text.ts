/** What is masked of each file of a change: found once on the whole text, kept by blob. */
import type { SecretMatch } from '../../base/secrets/contract.ts'
import { findSecrets } from '../../base/secrets/find-secrets.ts'
import { hiddenOf, maskRanges } from '../../base/secrets/redact.ts'
import type { FileText } from '../../domain/snapshot.ts'

export class BlobMasks {
  /** Only blobs that were searched; most have none. */
  private readonly known = new Map<string, readonly SecretMatch[]>()

  /** The secrets of a file as git has it. */
  secretsOf({ blob, text }: FileText): readonly SecretMatch[] {
    let found = this.known.get(blob)
    if (!found) {
      found = findSecrets(text)
      this.known.set(blob, found)
    }
    return found
  }

  /** The file as it is shown; the same object when it holds no secret. */
  masked(file: FileText): FileText {
    const secrets = this.secretsOf(file)
    return secrets.length === 0 ? file : { ...file, text: maskRanges(file.text, hiddenOf(secrets)) }
  }
}

/**
 * What a webhook is, whichever host sends it. A member of the family says whether a delivery is genuine and which ids
 * are in it. Everything else in a delivery is ignored: what a change is, is read from the host afterwards, so a forged or
 * replayed delivery can at most have something read again that the host confirms.
 */
import type { z } from 'zod'
import type { HostKind } from '../../domain/host-kind.ts'

export type Delivery = {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The bytes as they arrived: a signature is over these and over nothing that was parsed. */
  readonly body: Buffer
  /** Milliseconds. */
  readonly receivedAt: number
}

/** The repository of an event, with the name it had then: only the id is believed. */
export type EventRepository = { id: string; fullName: string }

/** `id`: of the repository, the host's own. `event`: what happened, once. */
export type BesideEvent = { connection: string; id: string; event: string }

export type WebhookEvent =
  /** Something about a change request: opened, pushed, labelled, closed. */
  | {
      type: 'change'
      repository: EventRepository
      /** GitHub: the installation of the App. */
      installation: string | null
      number: number
      /** In the words of the host, for people; null when it gives none. */
      action: string | null
      /** The head as the event has it, or its first digits: a hint that the host's answer may still lag behind. */
      head: string | null
      /** Something happened to one that belongs to it, in another repository; from this server and never from a host. */
      beside?: BesideEvent
    }
  /** Somebody wrote a comment on a change request. */
  | {
      type: 'comment'
      repository: EventRepository
      installation: string | null
      number: number
      comment: string
      /** Where it was written: the conversation or a thread on a line. */
      place: 'conversation' | 'thread'
    }
  /** The App was installed, removed, or sees other repositories now. */
  | { type: 'installation'; installation: string }
  /** A sign of life, or an event that nothing follows from. */
  | { type: 'none'; what: string }

export interface Webhooks {
  readonly kind: HostKind
  /** Why the headers alone show that it cannot be genuine, before its body is read; null when they do not. */
  refuseHead(headers: Delivery['headers'], secrets: readonly string[]): Refusal | null
  /** Null when it is genuine; otherwise why not. Compares in constant time. `secrets` holds one or two, the newest first. */
  verify(delivery: Delivery, secrets: readonly string[]): Refusal | null
  /** The host's id of the delivery: the same when it is sent again. `body` is what the bytes say as JSON, here and below. */
  deliveryId({ headers }: Delivery, body: unknown): string | null
  /**
   * Throws `MalformedWebhook` when ids are missing. `webUrl`: the root of the web pages of the connection, without a slash at
   * its end, below which names are.
   */
  read(delivery: Delivery, body: unknown, webUrl: string): WebhookEvent
  /** When it happened, in milliseconds, as the signed part says; null when it does not. */
  happenedAt(delivery: Delivery, body: unknown): number | null
}

export type Refusal = 'signature-missing' | 'signature-wrong' | 'signature-weak' | 'too-old'

export class MalformedWebhook extends Error {
  override readonly name = 'MalformedWebhook'
}

/** Milliseconds of a time that a host writes; null for anything else. GitLab also writes `2026-01-01 00:00:00 UTC`. */
export function readTime(text: string | null | undefined): number | null {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? null : at
}

/** Throws `MalformedWebhook` with the place of the first fault. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const { data, error } = schema.safeParse(body)
  if (error) throw new MalformedWebhook(error.issues[0]?.path.join('.') ?? 'body')
  return data
}

/** What one repository publishes and others listen to. */
import type { Fields } from '../payload/field.ts'

export type EventShape = {
  topic: string
  /** Of the message; null where it is not shown. */
  fields: Fields | null
  source: 'document' | 'code'
}

export type EventUse = {
  topic: string
  /** Paths of fields that are read from the message. */
  reads: readonly string[]
}

/** Of an ARN or the address of a queue, the name: `arn:aws:sns:eu:1:orders` → `orders`. */
export function topicName(written: string): string {
  const isAddress = /^arn:|^https?:\/\/sqs\./.test(written)
  return isAddress ? (written.split(/[:/]/).at(-1) ?? written) : written
}

/** Placeholders of configurations and patterns of subscriptions are no names. */
export function isTopic(written: string): boolean {
  return /[A-Za-z]{2}/.test(written) && !/[\s$#*]|^\{[^{}]{0,80}\}$/.test(written)
}

/** Words that any program may use for something of its own. */
export function isTelling(topic: string): boolean {
  return topic.length >= 8 || /[.:_/-]/.test(topic)
}

/** Which kinds of providers there are. */
import { anthropic } from './anthropic.ts'
import { azure } from './azure.ts'
import { bedrock } from './bedrock.ts'
import type { Families } from './contract.ts'
import { google } from './google.ts'
import { openai } from './openai.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiCompatible } from './openai-compatible.ts'

export const families: Families = {
  anthropic,
  openai,
  'openai-chat': openaiChat,
  google,
  bedrock,
  azure,
  'openai-compatible': openaiCompatible,
}

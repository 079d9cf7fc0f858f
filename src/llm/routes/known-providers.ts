/**
 * Providers that need no settings: a key in the environment is enough. Model names are those of the SDK packages we pin
 * and of the price table (both of November 2026); the scout is a cheap one whose price is known, so that a budget holds.
 */
import type { ProviderKind } from '../../config/settings/models.ts'

export type KnownProvider = {
  name: string
  kind: ProviderKind
  /** What each of its users has set: all variables of one row. The first row that is complete counts. */
  signs: readonly (readonly string[])[]
  keyIsOptional: boolean
  /** Variables that name another address, region and resource. */
  baseUrlFrom?: string
  usualBaseUrl?: string
  regionFrom?: readonly string[]
  resourceNameFrom?: string
}

/** In the order in which they are chosen when several are there. */
export const knownProviders: readonly KnownProvider[] = [
  {
    name: 'anthropic',
    kind: 'anthropic',
    signs: [['ANTHROPIC_API_KEY']],
    keyIsOptional: false,
    baseUrlFrom: 'ANTHROPIC_BASE_URL',
  },
  {
    name: 'openai',
    kind: 'openai',
    signs: [['OPENAI_API_KEY']],
    keyIsOptional: false,
    baseUrlFrom: 'OPENAI_BASE_URL',
  },
  {
    name: 'google',
    kind: 'google',
    signs: [['GOOGLE_GENERATIVE_AI_API_KEY'], ['GEMINI_API_KEY']],
    keyIsOptional: false,
  },
  {
    name: 'openrouter',
    kind: 'openai-compatible',
    signs: [['OPENROUTER_API_KEY']],
    keyIsOptional: false,
    usualBaseUrl: 'https://openrouter.ai/api/v1',
  },
  {
    name: 'azure',
    kind: 'azure',
    signs: [['AZURE_API_KEY'], ['AZURE_OPENAI_API_KEY']],
    keyIsOptional: false,
    baseUrlFrom: 'AZURE_OPENAI_ENDPOINT',
    resourceNameFrom: 'AZURE_RESOURCE_NAME',
  },
  {
    name: 'bedrock',
    kind: 'bedrock',
    signs: [
      ['AWS_BEARER_TOKEN_BEDROCK'],
      ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
      ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
    ],
    keyIsOptional: false,
    regionFrom: ['AWS_REGION', 'AWS_DEFAULT_REGION'],
  },
  {
    name: 'ollama',
    kind: 'openai-compatible',
    signs: [['OLLAMA_HOST']],
    keyIsOptional: true,
    baseUrlFrom: 'OLLAMA_HOST',
    usualBaseUrl: 'http://127.0.0.1:11434/v1',
  },
  {
    name: 'lmstudio',
    kind: 'openai-compatible',
    signs: [],
    keyIsOptional: true,
    usualBaseUrl: 'http://127.0.0.1:1234/v1',
  },
]

type DefaultModels = { scout: string; reviewer: string }

/** By the name of a known provider, else by the kind of one from the settings. Azure and local servers have names of their own. */
export const defaultModels: Readonly<Record<string, DefaultModels>> = {
  anthropic: { scout: 'claude-haiku-4-5', reviewer: 'claude-sonnet-5-5' },
  openai: { scout: 'gpt-6-luna', reviewer: 'gpt-6-sol' },
  'openai-chat': { scout: 'gpt-6-luna', reviewer: 'gpt-6-sol' },
  google: { scout: 'gemini-3.5-flash-lite', reviewer: 'gemini-3.1-pro-preview' },
  openrouter: { scout: 'anthropic/claude-haiku-4.5', reviewer: 'anthropic/claude-sonnet-5' },
  bedrock: {
    scout: 'us.anthropic.claude-haiku-4-5-20251001-v1:0',
    reviewer: 'us.anthropic.claude-sonnet-5-5',
  },
}

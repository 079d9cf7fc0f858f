import type { Migration } from './contract.ts'

/** Sessions of people beside those of tokens, with what they may do and since when that is known. */
export const signIn: Migration = {
  name: '0050-sign-in',
  statements: [
    // A session has a token, or a provider.
    'alter table web_session alter column token drop not null',
    'alter table web_session add column provider text',
    // Who it is at the provider: an id that survives renames, and the name that is shown.
    'alter table web_session add column subject text',
    'alter table web_session add column login text',
    // By tenant, as `Rights`.
    'alter table web_session add column rights jsonb',
    // What the provider is asked with again, sealed.
    'alter table web_session add column provider_tokens text',
    'alter table web_session add column begun_at timestamptz not null default now()',
    'alter table web_session add column seen_at timestamptz not null default now()',
    'alter table web_session add column checked_at timestamptz not null default now()',
    // One process at a time asks the provider.
    'alter table web_session add column checking_until timestamptz',
    'alter table api_token add column made_by text',
  ],
}

/**
 * Forms of secrets that the library's preset misses, each measured as a miss on a made-up sample.
 * Every pattern is bounded in length and has no nested repetition, so matching is linear.
 */

export type SecretPattern = { kind: string; pattern: RegExp; certain: boolean; group?: number }

export const ownPatterns: readonly SecretPattern[] = [
  { kind: 'AWS access key id', pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g, certain: true },
  { kind: 'OpenAI API key', pattern: /\bsk-(?:proj|svcacct|admin)-[\w-]{40,200}/g, certain: true },
  { kind: 'Anthropic API key', pattern: /\bsk-ant-[a-z]{3}\d\d-[\w-]{80,120}/g, certain: true },
  { kind: 'Google API key', pattern: /\bAIza[\w-]{35}(?![\w-])/g, certain: true },
  { kind: 'Stripe live key', pattern: /\b[rs]k_live_[A-Za-z0-9]{20,120}\b/g, certain: true },
  { kind: 'Hugging Face token', pattern: /\bhf_[A-Za-z]{34}\b/g, certain: true },
  {
    kind: 'GitHub token',
    pattern: /\b(?:gh[opsur]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{82})\b/g,
    certain: true,
  },
  { kind: 'PyPI token', pattern: /\bpypi-AgEIcHlwaS5vcmc[\w-]{50,250}/g, certain: true },
  { kind: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g, certain: true },
  { kind: 'SendGrid key', pattern: /\bSG\.[\w-]{22}\.[\w-]{43}/g, certain: true },
  { kind: 'Twilio key', pattern: /\bSK[0-9a-f]{32}\b/g, certain: false },
  {
    kind: 'Slack webhook address',
    pattern: /https:\/\/hooks\.slack\.com\/services\/T[A-Z0-9]{8,12}\/B[A-Z0-9]{8,12}\/[A-Za-z0-9]{20,30}/g,
    certain: true,
  },
  {
    kind: 'private key',
    pattern: /-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY(?: BLOCK)?-----(?=[\s\\nr"'+]{0,20}[A-Za-z0-9+/]{32})/g,
    certain: true,
  },
  {
    kind: 'signed web token',
    pattern: /\beyJ[\w-]{10,400}\.eyJ[\w-]{10,2000}\.[\w-]{20,600}/g,
    certain: false,
  },
  {
    kind: 'value of a secret',
    pattern:
      /(?:password|passwd|secret|token|api_?key|access_?key|private_?key|credential)s?["']?\s{0,3}(?:=|:|=>|:=)\s{0,3}["'`]([^\s"'`]{16,200})["'`]/gi,
    certain: false,
    group: 1,
  },
]

/** Tokens whose form says who issued them. */
import type { SecretForm } from './contract.ts'
import { entropy } from './placeholder.ts'

/** Letters and digits mixed, as a random string of this length nearly always is. */
const isMixed = (value: string): boolean => /\d/.test(value) && /[A-Za-z]/.test(value) && entropy(value) > 3

const form = (kind: string, hint: string, pattern: RegExp): SecretForm => ({
  kind,
  hints: [hint],
  pattern,
  certain: true,
})

const codeHosts: readonly SecretForm[] = [
  {
    kind: 'GitHub token',
    hints: ['ghp_', 'gho_', 'ghs_', 'ghu_', 'ghr_'],
    pattern: /\bgh[opsur]_[A-Za-z0-9]{36,255}/g,
    certain: true,
  },
  form('GitHub token', 'github_pat_', /\bgithub_pat_[A-Za-z0-9_]{36,255}/g),
  {
    kind: 'GitLab token',
    hints: ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glsoat-', 'gloas-', 'glagent-'],
    pattern: /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|oas|agent)-[\w.-]{20,300}/g,
    certain: true,
  },
  form('Atlassian token', 'ATATT3', /\bATATT3[\w=-]{60,300}/g),
  form('Linear API key', 'lin_api_', /\blin_api_[A-Za-z0-9]{32,64}/g),
  form('Docker Hub token', 'dckr_pat_', /\bdckr_pat_[\w-]{20,64}/g),
]

const registries: readonly SecretForm[] = [
  form('npm token', 'npm_', /\bnpm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g),
  form('PyPI token', 'pypi-AgEI', /\bpypi-AgEI[\w-]{50,400}/g),
  form('RubyGems key', 'rubygems_', /\brubygems_[0-9a-f]{48}/g),
]

const clouds: readonly SecretForm[] = [
  {
    kind: 'AWS access key id',
    hints: ['AKIA', 'ASIA'],
    pattern: /(?<![A-Za-z0-9+])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9+])/g,
    certain: true,
  },
  form('Google API key', 'AIza', /\bAIza[\w-]{35}(?![\w-])/g),
  form('Google OAuth secret', 'GOCSPX-', /\bGOCSPX-[\w-]{20,40}/g),
  form('Google OAuth token', 'ya29.', /\bya29\.[\w-]{40,400}/g),
  {
    kind: 'Azure key',
    hints: ['AccountKey=', 'SharedAccessKey='],
    pattern: /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,100}={0,2})/gi,
    group: 1,
    certain: true,
  },
  form('Azure client secret', '8Q~', /(?<![\w~.-])[\w~.-]{3}8Q~[\w~.-]{31,34}(?![\w~.-])/g),
  {
    kind: 'DigitalOcean token',
    hints: ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    pattern: /\bdo[opr]_v1_[0-9a-f]{64}/g,
    certain: true,
  },
  form('Databricks token', 'dapi', /\bdapi[0-9a-f]{32}(?:-\d)?(?![0-9a-f])/g),
  form('Vault token', 'hvs.', /\bhvs\.[\w-]{24,200}/g),
  form('Terraform token', '.atlasv1.', /\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}/g),
  form('PlanetScale token', 'pscale_', /\bpscale_(?:tkn|pw|oauth)_[\w.-]{32,64}/g),
  form('Doppler token', 'dp.pt.', /\bdp\.pt\.[A-Za-z0-9]{40,44}/g),
  form('age secret key', 'AGE-SECRET-KEY-1', /\bAGE-SECRET-KEY-1[A-Z0-9]{58}/g),
]

const models: readonly SecretForm[] = [
  {
    kind: 'OpenAI API key',
    hints: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'T3BlbkFJ'],
    pattern: /\bsk-(?:(?:proj|svcacct|admin)-[\w-]{40,300}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})/g,
    certain: true,
  },
  form('Anthropic API key', 'sk-ant-', /\bsk-ant-[a-z]{2,6}\d\d-[\w-]{60,200}/g),
  form('OpenRouter API key', 'sk-or-v1-', /\bsk-or-v1-[0-9a-f]{64}/g),
  form('Hugging Face token', 'hf_', /\bhf_[A-Za-z0-9]{34}(?![A-Za-z0-9])/g),
  form('Groq API key', 'gsk_', /\bgsk_[A-Za-z0-9]{52}(?![A-Za-z0-9])/g),
  form('xAI API key', 'xai-', /\bxai-[A-Za-z0-9]{80}(?![A-Za-z0-9])/g),
  form('Perplexity API key', 'pplx-', /\bpplx-[A-Za-z0-9]{48,56}(?![A-Za-z0-9])/g),
  form('Replicate token', 'r8_', /\br8_[A-Za-z0-9]{37}(?![A-Za-z0-9])/g),
]

const services: readonly SecretForm[] = [
  {
    kind: 'Slack token',
    hints: ['xox'],
    pattern: /\bxox[abcdeoprs](?:\.xox[abcdeoprs])?-[\w-]{20,400}/g,
    certain: true,
    accept: isMixed,
  },
  { ...form('Slack token', 'xapp-', /\bxapp-[\w-]{20,400}/g), accept: isMixed },
  form(
    'Slack webhook address',
    'hooks.slack.com/',
    /hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/-]{20,200}/g,
  ),
  form(
    'Discord webhook address',
    '/api/webhooks/',
    /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,72}/g,
  ),
  { ...form('Telegram bot token', ':AA', /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g), accept: isMixed },
  {
    kind: 'Stripe live key',
    hints: ['sk_live_', 'rk_live_'],
    pattern: /\b[rs]k_live_[A-Za-z0-9]{16,250}/g,
    certain: true,
  },
  form('Stripe webhook secret', 'whsec_', /\bwhsec_[A-Za-z0-9+/]{32,64}={0,2}/g),
  { ...form('Twilio API key', 'SK', /\bSK[0-9a-f]{32}(?![\w])/g), certain: false, accept: isMixed },
  form('SendGrid key', 'SG.', /\bSG\.[\w-]{22}\.[\w-]{43}/g),
  { ...form('Mailgun key', 'key-', /\bkey-[0-9a-f]{32}(?![\w])/g), certain: false, accept: isMixed },
  {
    kind: 'Shopify token',
    hints: ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    pattern: /\bshp(?:at|ca|pa|ss)_[0-9a-f]{32}/gi,
    certain: true,
  },
  form('Square token', 'sq0', /\bsq0(?:atp|csp)-[\w-]{22,43}/g),
  {
    kind: 'Sentry token',
    hints: ['sntrys_', 'sntryu_'],
    pattern: /\bsntry[su]_[A-Za-z0-9+/=_-]{40,400}/g,
    certain: true,
  },
  {
    kind: 'Grafana token',
    hints: ['glsa_', 'glc_'],
    pattern: /\bgl(?:sa|c)_[A-Za-z0-9+/=_]{30,400}/g,
    certain: true,
    accept: isMixed,
  },
  form('Postman key', 'PMAK-', /\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}/g),
  form('New Relic key', 'NRAK-', /\bNRAK-[A-Z0-9]{27}/g),
  form('Notion token', 'ntn_', /\bntn_[A-Za-z0-9]{40,50}/g),
  form('Figma token', 'figd_', /\bfigd_[\w-]{36,60}/g),
  {
    kind: 'signed web token',
    hints: ['eyJ'],
    pattern: /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,8000}\.[\w-]{16,2000}/g,
    certain: false,
    accept: (value) => /"(?:alg|typ)"/.test(Buffer.from(value.split('.')[0] ?? '', 'base64url').toString()),
  },
]

export const tokenForms: readonly SecretForm[] = [
  ...codeHosts,
  ...registries,
  ...clouds,
  ...models,
  ...services,
]

/** The operator's section `telemetry`: who gets traces, metrics, scores and exceptions. Without it, nothing is sent. */
import { z } from 'zod'
import { variableName } from './fields.ts'

const address = z.url({ protocol: /^https?$/ })
export const TelemetrySettings = z.strictObject({
  otlp: z
    .strictObject({
      url: address.meta({
        description:
          'Base address of a collector, or of Jaeger, that takes OTLP over HTTP; `/v1/traces` and `/v1/metrics` are added.',
      }),
      signals: z
        .array(z.enum(['traces', 'metrics']))
        .min(1)
        .default(['traces', 'metrics'])
        .meta({
          description:
            'Which signals it accepts: Jaeger accepts traces only, Prometheus (`url: http://HOST:9090/api/v1/otlp`) metrics only.',
        }),
      headersFrom: z
        .record(z.string().regex(/^[A-Za-z0-9-]{1,100}$/), variableName)
        .default({})
        .meta({ description: 'Headers to send, each with the name of the variable that holds its value.' }),
    })
    .nullable()
    .default(null),
  langfuse: z
    .strictObject({
      url: address.default('https://cloud.langfuse.com').meta({ description: 'Address of Langfuse.' }),
      publicKeyFrom: variableName.default('LANGFUSE_PUBLIC_KEY').meta({
        description: 'Name of the variable that holds the public key.',
      }),
      secretKeyFrom: variableName.default('LANGFUSE_SECRET_KEY').meta({
        description: 'Name of the variable that holds the secret key.',
      }),
    })
    .nullable()
    .default(null),
  sentry: z
    .strictObject({
      dsnFrom: variableName
        .default('SENTRY_DSN')
        .meta({ description: 'Name of the variable that holds the DSN.' }),
      environment: z
        .string()
        .min(1)
        .max(60)
        .default('production')
        .meta({ description: 'Name of the environment that exceptions are filed under.' }),
    })
    .nullable()
    .default(null),
  dashboardUrl: address.optional().meta({
    description: 'Address of the dashboard; spans then carry the address of their review.',
  }),
  metricsSeconds: z.number().min(1).max(3600).default(60).meta({
    description: 'How often a server sends what it counts, such as webhooks and jobs, to `otlp`.',
  }),
  traceUrl: z
    .string()
    .regex(/^https?:\/\/[^\s]*\{traceId\}/, {
      error: 'must be an address with {traceId} where the id of a trace belongs',
    })
    .optional()
    .meta({
      description:
        'Address of a trace in your collector, with `{traceId}`, such as `https://jaeger.example.org/trace/{traceId}`; the dashboard then links to it.',
    }),
  seconds: z.number().min(0.1).max(30).default(3).meta({
    description: 'Longest time that sending may take after a review. What is not sent by then is dropped.',
  }),
})
export type TelemetrySettings = z.infer<typeof TelemetrySettings>

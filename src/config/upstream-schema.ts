import * as z from 'zod';

/** Connections of the gateway to one site. Unlike in the options of the library, the CA file is given by path. */
export interface UpstreamConfig {
  readonly host?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** `user:password` */
  readonly auth?: string | undefined;
  /** Path of a file with certificates in PEM. */
  readonly ca?: string | undefined;
  readonly insecure: boolean;
}

export const upstreamSchema: z.ZodType<UpstreamConfig> = z.strictObject({
  host: z
    .string()
    .regex(
      /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/,
      'must be a host name such as www.example.com, with a port if it is not the default',
    )
    .optional()
    .describe(
      'Host that the site sees, usually its public name, while connections are made to url. With it, and with the same name in publicUrl, the links that the site writes are already those of the gateway. Unset: the host of url.',
    ),
  headers: z
    .record(z.string(), z.string())
    .default({})
    .describe("Header fields of each request to the site. They replace the client's fields of these names."),
  auth: z
    .string()
    .regex(/^[^:]+:.+$/, 'must be user:password')
    .optional()
    .describe(
      'HTTP Basic credentials of a web server in front of the site, user:password, sent with requests that have no Authorization. Prefer the environment: WAYGATE_UPSTREAM_AUTH.',
    ),
  ca: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Path of a file with certificates in PEM: the site's own self-signed one, or that of its private authority. Unset: the authorities of Node.",
    ),
  insecure: z
    .boolean()
    .default(false)
    .describe(
      'true: any certificate of the site is accepted, so another server could act as the site. Prefer ca. false: the certificate is verified.',
    ),
});

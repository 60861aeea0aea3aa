/** How the certificate of a site is verified. Without these settings, the authorities that the platform trusts apply. */
export interface UpstreamTls {
  /** Certificates in PEM that are trusted instead of the platform's authorities. */
  readonly ca?: string | undefined;
  /** Whether any certificate is accepted. The connection is then encrypted, and the server is not authenticated. */
  readonly insecure?: boolean | undefined;
}

/** Why a certificate is not trusted. */
export interface CertificateDefect {
  /** The defect in words: `self-signed certificate`. */
  readonly words: string;
  /** What to do about it. */
  readonly remedy: string;
  /** Error codes of OpenSSL and Node. */
  readonly codes: readonly string[];
}

const INSECURE =
  'In a network that is trusted, `upstream.insecure: true` accepts any certificate. Outside of the gateway, NODE_EXTRA_CA_CERTS names a file of authorities.';

/** The name of a defect. The names are reasons of a failed discovery. */
export type CertificateDefectName =
  | 'certificate-self-signed'
  | 'certificate-unknown-issuer'
  | 'certificate-expired'
  | 'certificate-name';

export const CERTIFICATE_DEFECTS: Readonly<Record<CertificateDefectName, CertificateDefect>> = {
  'certificate-self-signed': {
    words: 'self-signed certificate',
    remedy: `Set \`upstream.ca\` to a file with this certificate in PEM. ${INSECURE}`,
    codes: ['DEPTH_ZERO_SELF_SIGNED_CERT'],
  },
  'certificate-unknown-issuer': {
    words: 'its issuer is unknown',
    remedy: `Set \`upstream.ca\` to a file with the certificate of its authority in PEM, or let the site send its intermediate certificates. ${INSECURE}`,
    codes: [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    ],
  },
  'certificate-expired': {
    words: 'it has expired, or is not valid yet',
    remedy: `Renew the certificate of the site, and check the clock of this machine. ${INSECURE}`,
    codes: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
  },
  'certificate-name': {
    words: 'it is for another host name',
    remedy: `Set \`upstream.host\` to a name of the certificate, or use such a name in the URL. ${INSECURE}`,
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
  },
};

const NAMES_BY_CODE: ReadonlyMap<string, CertificateDefectName> = new Map(
  (Object.keys(CERTIFICATE_DEFECTS) as CertificateDefectName[]).flatMap((name) =>
    CERTIFICATE_DEFECTS[name].codes.map((code) => [code, name] as const),
  ),
);

/** Returns the defect that an error code means; `undefined` for other codes. */
export function findCertificateDefect(code: string): CertificateDefectName | undefined {
  return NAMES_BY_CODE.get(code);
}

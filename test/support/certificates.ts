import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate with its key, both in PEM. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Options of {@link createCertificate}. */
interface TestCertificateOptions {
  /** Host name or IPv4 address that the certificate is for. */
  readonly name: string;
  /** The authority that signs it. @default self-signed */
  readonly issuer?: TestCertificate;
  /** Whether it is the certificate of an authority. @default false */
  readonly isAuthority?: boolean;
  /** Days until it expires. @default 1 */
  readonly days?: number;
}

export function createCertificate(options: TestCertificateOptions): TestCertificate {
  const { days = 1, isAuthority = false, issuer, name } = options;
  const folder = mkdtempSync(join(tmpdir(), 'waygate-tls-'));
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const kind = /^[\d.]+$/.test(name) ? 'IP' : 'DNS';
  const extensions = `basicConstraints=critical,CA:${isAuthority}\nsubjectAltName=${kind}:${name}\n`;
  writeFileSync(join(folder, 'extensions'), extensions);
  writeFileSync(join(folder, 'issuer'), issuer === undefined ? '' : issuer.cert + issuer.key);
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-new', ...curve, '-subj', `/CN=${name}`, '-keyout', 'key', '-out', 'request');
  const signer = issuer === undefined ? ['-signkey', 'key'] : ['-CA', 'issuer', '-CAkey', 'issuer'];
  const extended = ['-extfile', 'extensions', '-days', `${days}`];
  openssl('x509', '-req', '-in', 'request', ...signer, ...extended, '-out', 'cert');
  const certificate = { cert: read('cert'), key: read('key') };
  rmSync(folder, { recursive: true });
  return certificate;
}

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { ConfigurationError, messageOf, settleAll } from '../errors.ts';
import { readUserFile } from '../read-file.ts';

interface TlsOptions {
  readonly cert: string;
  readonly key: string;
}

export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly x509: X509Certificate;
  /** Why clients refuse the certificate today, e.g. because it has expired; `null` if they don't. */
  readonly defect: string | null;
}

/** @throws {ConfigurationError} when a file is not readable, or the key is not that of the certificate */
export async function readCertificate(files: TlsOptions): Promise<Certificate> {
  const read = async (name: 'cert' | 'key') => readUserFile(files[name], `tls.${name}`);
  const [cert, key] = await settleAll([read('cert'), read('key')]);
  const x509 = parse(files, 'cert', 'certificate in PEM', () => new X509Certificate(cert));
  const privateKey = parse(files, 'key', 'private key in PEM without a passphrase', () =>
    createPrivateKey(key),
  );
  if (!x509.checkPrivateKey(privateKey)) {
    throw new ConfigurationError(
      `tls.key: the key in ${files.key} is not that of the certificate in ${files.cert}`,
    );
  }
  return { cert, key, x509, defect: findDefect(files, x509) };
}

function findDefect({ cert }: TlsOptions, { validFrom, validTo }: X509Certificate): string | null {
  if (Date.parse(validTo) < Date.now()) return `tls.cert: ${cert} expired on ${validTo}`;
  return Date.parse(validFrom) > Date.now() ? `tls.cert: ${cert} is not valid before ${validFrom}` : null;
}

function parse<T>(files: TlsOptions, name: 'cert' | 'key', words: string, create: () => T): T {
  try {
    return create();
  } catch (cause) {
    const message = `tls.${name}: ${files[name]} holds no ${words}: ${messageOf(cause)}`;
    throw new ConfigurationError(message, { cause });
  }
}

/** @param setting names the file @throws {ConfigurationError} when it has no certificate in PEM */
export async function readCertificates(path: string, setting: string): Promise<string> {
  const text = readUserFile(path, setting);
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new ConfigurationError(`${setting} ${path}: the file contains no certificate in PEM`);
}

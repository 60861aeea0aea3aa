import { createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate with its key, both in PEM. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Options of {@link createCertificate}. */
export interface TestCertificateOptions {
  /** Host name or IPv4 address that the certificate is for. */
  readonly name: string;
  /** The authority that signs it. @default self-signed */
  readonly issuer?: TestCertificate & { readonly name: string };
  /** Whether it is the certificate of an authority. @default false */
  readonly isAuthority?: boolean;
  /** @default a day ago */
  readonly notBefore?: Date;
  /** @default in a day */
  readonly notAfter?: Date;
}

/** Paths of a certificate and its key in a temporary folder. */
export interface CertificateFolder {
  readonly cert: string;
  readonly key: string;
  remove(): Promise<void>;
}

export async function writeCertificate(name: string): Promise<CertificateFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'waygate-tls-'));
  const paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const { cert, key } = createCertificate({ name });
  await writeFile(paths.key, key);
  await writeFile(paths.cert, cert);
  return { ...paths, remove: () => rm(folder, { recursive: true, force: true }) };
}

const DAY = 86_400_000;

/**
 * Creates an X.509 certificate (RFC 5280) with an ECDSA key. Node reads certificates but creates none, and the tests need
 * no `openssl`.
 */
export function createCertificate(options: TestCertificateOptions): TestCertificate {
  const { issuer, isAuthority = false, name } = options;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const signedPart = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    distinguishedName(issuer?.name ?? name),
    sequence(
      utcTime(options.notBefore ?? new Date(Date.now() - DAY)),
      utcTime(options.notAfter ?? new Date(Date.now() + DAY)),
    ),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(basicConstraints(isAuthority), subjectAlternativeName(name))),
  );
  const signature = sign(signedPart, issuer?.key ?? privateKey);
  const certificate = sequence(signedPart, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  const base64 = certificate.toString('base64').replace(/(.{64})(?=.)/g, '$1\n');
  return { key, cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n` };
}

function sign(content: Buffer, key: KeyObject | string): Buffer {
  return createSign('SHA256').update(content).sign(key);
}

/** Encodes a value in DER (X.690 §8.1). */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...contents: readonly Buffer[]): Buffer => der(0x30, ...contents);
const integer = (bytes: Buffer): Buffer => der(0x02, bytes);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));

function distinguishedName(commonName: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(commonName)))));
}

function utcTime(date: Date): Buffer {
  const text = date
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '')
    .slice(2);
  return der(0x17, Buffer.from(text));
}

function basicConstraints(isAuthority: boolean): Buffer {
  const content = sequence(...(isAuthority ? [der(0x01, Buffer.from([0xff]))] : []));
  return sequence(oid('551d13'), der(0x01, Buffer.from([0xff])), der(0x04, content));
}

function subjectAlternativeName(name: string): Buffer {
  const isAddress = /^[\d.]+$/.test(name);
  const value = isAddress
    ? der(0x87, Buffer.from(name.split('.').map(Number)))
    : der(0x82, Buffer.from(name));
  return sequence(oid('551d11'), der(0x04, sequence(value)));
}

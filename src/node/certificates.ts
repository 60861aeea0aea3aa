import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import { attemptEach, ConfigurationError, settleAll } from '../errors.ts';
import { UNUSABLE_CERTIFICATES } from '../gateway/admin/site-operations.ts';
import { memoizeByString } from '../memoize.ts';
import type { Log } from '../ports.ts';

/** Paths of a certificate and its private key, both in PEM. */
export interface CertificateFiles {
  /** The certificate, followed by those of intermediate authorities. */
  readonly cert: string;
  /** The private key, without a passphrase. */
  readonly key: string;
}

/** A certificate with its key, both in PEM. */
interface Pair {
  readonly cert: string;
  readonly key: string;
  readonly x509: X509Certificate;
  readonly context: SecureContext;
}

/** Milliseconds between two looks at the files. Watches of the file system miss what is replaced by a link. */
const CHECK_INTERVAL = 2_000;

/**
 * The certificates of a server. A certificate is chosen by the name that the client indicates (SNI, RFC 6066 §3): the first that
 * has the name itself, or a wildcard for it, and otherwise the first of the list. Files that change are read again: all of them
 * are replaced at once, or none.
 */
export class Certificates {
  #files: readonly CertificateFiles[];
  readonly #log: Log;
  #pairs: readonly Pair[];
  /** What the files held when they were last read. */
  #text: string;
  /** Why files that have changed since are not used. It is logged once. */
  #refusal = '';
  find: (name: string) => SecureContext;
  #timer: NodeJS.Timeout | undefined;
  #onChange = (): void => {};

  private constructor(files: readonly CertificateFiles[], log: Log, texts: readonly string[]) {
    this.#files = files;
    this.#log = log;
    this.#pairs = createPairs(files, texts);
    this.#text = texts.join('\0');
    this.find = createLookup(this.#pairs);
  }

  /** @throws {ConfigurationError} when a file is not readable, or a key is not that of its certificate */
  static async read(files: readonly CertificateFiles[], log: Log): Promise<Certificates> {
    const certificates = new Certificates(files, log, await readAll(files));
    // A site with an old certificate is more useful than none.
    for (const problem of certificates.#listOutdated([]))
      log.error({ problem }, `clients refuse a certificate: ${problem}`);
    return certificates;
  }

  /** @throws {ConfigurationError} when one that would be new is not valid at this time */
  requireValidAfter(before: Certificates): void {
    const problems = this.#listOutdated(before.#pairs);
    if (problems.length > 0) throw new ConfigurationError(problems.join('; '), { problems });
  }

  /** Describes those that are not valid at this time. @param known pairs that are left out: a renewal of one need not wait for others */
  #listOutdated(known: readonly Pair[]): readonly string[] {
    return this.#pairs.flatMap(({ cert, x509: { validFrom, validTo } }, at) => {
      if (known.some((pair) => pair.cert === cert)) return [];
      const file = `${nameSetting(this.#files, at, 'cert')}: ${this.#files[at]?.cert}`;
      if (Date.parse(validTo) < Date.now()) return [`${file} expired on ${validTo}`];
      return Date.parse(validFrom) > Date.now() ? [`${file} is not valid before ${validFrom}`] : [];
    });
  }

  /** For a client that indicates no name, and one whose name no certificate has. */
  get first(): { readonly cert: string; readonly key: string } {
    const [{ cert, key } = { cert: '', key: '' }] = this.#pairs;
    return { cert, key };
  }

  /** Reports when each certificate ends, in seconds since the epoch, and how many are of no use. */
  report(): readonly (readonly [series: string, value: number])[] {
    const unusable = this.#listOutdated([]).length + Number(this.#refusal !== '');
    return [
      [UNUSABLE_CERTIFICATES, unusable],
      ...this.#pairs.map(({ x509 }, at) => {
        const file = JSON.stringify(this.#files[at]?.cert);
        const series = `waygate_certificate_end_timestamp_seconds{file=${file}}`;
        return [series, Date.parse(x509.validTo) / 1000] as const;
      }),
    ];
  }

  /** Looks at the files from now on. @param onChange called when they were replaced */
  watch(onChange: () => void): void {
    this.#onChange = onChange;
    const check = async (): Promise<void> => {
      await this.#reload();
      if (this.#timer !== undefined) this.#timer = setTimeout(check, CHECK_INTERVAL).unref();
    };
    this.#timer = setTimeout(check, CHECK_INTERVAL).unref();
  }

  replace(other: Certificates): void {
    this.#files = other.#files;
    this.#pairs = other.#pairs;
    this.#text = other.#text;
    this.#refusal = '';
    this.find = other.find;
    this.#onChange();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Never rejects: a bad file is logged once, and the old ones stay. */
  async #reload(): Promise<void> {
    const files = this.#files;
    try {
      const texts = await readAll(files);
      // Other files may be in use by now.
      if (files !== this.#files) return;
      if (texts.join('\0') === this.#text) {
        this.#refusal = '';
        return;
      }
      const next = new Certificates(files, this.#log, texts);
      next.requireValidAfter(this);
      this.replace(next);
      const until = this.#pairs.map(({ x509 }) => x509.validTo);
      this.#log.info({ until }, 'the certificates were read again');
    } catch (error) {
      if (files !== this.#files) return;
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== this.#refusal)
        this.#log.warn({ err: error }, 'the changed certificates are unusable: the old ones stay');
      this.#refusal = reason;
    }
  }
}

/** Reads certificate and key of each pair, in this order. */
async function readAll(files: readonly CertificateFiles[]): Promise<readonly string[]> {
  const read = async (path: string, setting: string): Promise<string> => {
    try {
      return await readFile(path, 'utf8');
    } catch (cause) {
      throw new ConfigurationError(`${setting}: cannot read ${path}: ${toReason(cause)}`, { cause });
    }
  };
  return settleAll(
    files.flatMap(({ cert, key }, at) => [
      read(cert, nameSetting(files, at, 'cert')),
      read(key, nameSetting(files, at, 'key')),
    ]),
  );
}

function nameSetting(files: readonly CertificateFiles[], at: number, name: 'cert' | 'key'): string {
  return files.length === 1 ? `tls.${name}` : `tls[${at}].${name}`;
}

function createPairs(files: readonly CertificateFiles[], texts: readonly string[]): readonly Pair[] {
  return attemptEach(files, (file, at) => {
    const cert = texts[2 * at] ?? '';
    const key = texts[2 * at + 1] ?? '';
    const parse = <T>(name: 'cert' | 'key', words: string, create: () => T): T => {
      try {
        return create();
      } catch (cause) {
        const message = `${nameSetting(files, at, name)}: ${file[name]} holds no ${words}: ${toReason(cause)}`;
        throw new ConfigurationError(message, { cause });
      }
    };
    const x509 = parse('cert', 'certificate in PEM', () => new X509Certificate(cert));
    const privateKey = parse('key', 'private key in PEM without a passphrase', () => createPrivateKey(key));
    if (!x509.checkPrivateKey(privateKey)) {
      throw new ConfigurationError(
        `${nameSetting(files, at, 'key')}: the key in ${file.key} is not that of the certificate in ${file.cert}`,
      );
    }
    const context = parse('cert', 'usable certificate', () => createSecureContext({ cert, key }));
    return { cert, key, x509, context };
  });
}

/** The names are those that clients send, so the memo is bounded. */
function createLookup(pairs: readonly Pair[]): (name: string) => SecureContext {
  return memoizeByString((name) => {
    const exact = pairs.find(({ x509 }) => x509.checkHost(name, { wildcards: false }) !== undefined);
    const found = exact ?? pairs.find(({ x509 }) => x509.checkHost(name) !== undefined) ?? pairs[0];
    if (found === undefined) throw new ConfigurationError('tls: at least one certificate is required');
    return found.context;
  });
}

function toReason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && cause.code === 'ENOENT' ? 'there is no such file' : cause.message;
}

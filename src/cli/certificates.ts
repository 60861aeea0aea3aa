import { readFile } from 'node:fs/promises';
import { ConfigurationError, messageOf } from '../errors.ts';

/**
 * Reads certificates in PEM.
 *
 * @param setting the option or setting that names the file, for the message
 * @throws {ConfigurationError} when the file cannot be read, or contains no certificate
 */
export async function readCertificates(path: string, setting: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new ConfigurationError(`${setting} ${path}: ${messageOf(error)}`, { cause: error });
  });
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new ConfigurationError(`${setting} ${path}: the file contains no certificate in PEM`);
}

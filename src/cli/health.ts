import type { IncomingMessage } from 'node:http';
import { messageOf } from '../base/errors.ts';
import type { HealthFlags } from '../base/option-types.ts';
import { requireHttpUrl } from './flags.ts';
import type { CommandIo, ExitCode } from './io.ts';

/** Characters of a printed response. Docker keeps 4096 bytes. */
const MAX_LENGTH = 4000;
const TIMEOUT = 5_000;

/** Only 0 and 1 are exit codes of a health check (Dockerfile reference, HEALTHCHECK). */
export async function runHealth(
  io: CommandIo,
  url: string | undefined,
  { ready }: HealthFlags,
): Promise<ExitCode> {
  const base = requireHttpUrl(url ?? 'http://127.0.0.1:8080').replace(/\/+$/, '');
  const probe = `${base}/-/${ready === true ? 'ready' : 'health'}`;
  try {
    const { body, status } = await requestProbe(probe);
    io.writeOut(`${status} ${body.trim()}\n`);
    return status === 200 ? 0 : 1;
  } catch (error) {
    io.writeErr(`waygate: ${probe}: ${messageOf(error)}\n`);
    return 1;
  }
}

/** `fetch` would verify the certificate, but a probe doesn't use the public name. */
async function requestProbe(
  url: string,
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  const { get } = await import(url.startsWith('https:') ? 'node:https' : 'node:http');
  const signal = AbortSignal.timeout(TIMEOUT);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { rejectUnauthorized: false, agent: false, signal }, resolve).on('error', reject);
    });
    let body = '';
    for await (const chunk of response.setEncoding('utf8')) {
      body += chunk;
      if (body.length >= MAX_LENGTH) break;
    }
    return { status: response.statusCode, body: body.slice(0, MAX_LENGTH) };
  } catch (error) {
    throw signal.aborted ? new Error(`no response within ${TIMEOUT} ms`, { cause: error }) : error;
  }
}

import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { startServer } from '../../../support/server.ts';
import { waitUntil } from '../../../support/wait.ts';
import { type Case, flatten, type Step } from './case.ts';
import { type StepOutcome, siteBody, siteFields } from './outcomes.ts';

/** The gateway under test, with a controllable clock, in front of the site of the runner. */
export interface GatewayUnderTest {
  readonly url: string;
  /** The gateway's time: milliseconds since the epoch. */
  now(): number;
  advance(milliseconds: number): void;
  /** Empties the store. */
  clear(): Promise<void>;
  /** Resolves after a background refresh has been stored. */
  stored(): Promise<void>;
  /** Resolves when no request to the site is open: one that failed may be sent again. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export interface GatewayRunner {
  run(of: Case): Promise<{ readonly outcomes: readonly StepOutcome[]; readonly start: number }>;
  stop(): Promise<void>;
}

/** Time between cases: longer than a gateway remembers anything of a site. */
const BETWEEN_CASES = 24 * 3600 * 1000;

interface Current {
  readonly step: Step;
  readonly number: number;
  readonly start: number;
  readonly forwarded: string[][];
  finished: number;
}

/** Runs cases over sockets, one after the other: with a real client, gateway and site. */
export async function startRunner(
  startGateway: (site: string) => Promise<GatewayUnderTest>,
): Promise<GatewayRunner> {
  let current: Current | undefined;
  let gateway: GatewayUnderTest | undefined;

  const site = await startServer((incoming, response) => {
    if (current === undefined || gateway === undefined) throw new Error('unexpected request');
    const { forwarded, number, start, step } = current;
    forwarded.push(incoming.rawHeaders);
    gateway.advance((step.site?.delay ?? 0) * 1000);
    const fields = siteFields(step, number, start, gateway.now(), `http://${incoming.headers.host}`);
    const done = current;
    response.on('close', () => {
      done.finished += 1;
    });
    incoming.resume().on('end', () => respond(step, number, fields, incoming, response));
  });
  gateway = await startGateway(site.origin);
  const { advance, clear, now, settled, stop, stored, url } = gateway;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  return {
    async run(of) {
      await clear();
      advance(BETWEEN_CASES - (now() % 1000));
      const start = now();
      const outcomes: StepOutcome[] = [];
      for (const [index, step] of of.steps.entries()) {
        advance((step.after ?? 0) * 1000);
        const number = index + 1;
        const forwarded: string[][] = [];
        current = { step, number, start, forwarded, finished: 0 };
        const outcome = await send(agent, url, step, start);
        if (step.inBackground === true) {
          const running = current;
          await waitUntil(() => running.finished > 0);
          const { failure, status = 200 } = step.site ?? {};
          if (failure === undefined && status < 500) await stored();
        }
        // A client has its response before the gateway has ended the request to the site.
        await settled();
        // A request may be sent again after a connection without a response was closed.
        const seen = step.site?.failure === 'unreachable' ? forwarded.slice(0, 1) : forwarded;
        outcomes.push({ ...outcome, forwarded: seen });
      }
      return { outcomes, start };
    },
    async stop() {
      agent.destroy();
      await stop();
      await site.close();
    },
  };
}

function respond(
  step: Step,
  number: number,
  fields: string[],
  { method, socket }: IncomingMessage,
  response: ServerResponse,
): void {
  const { failure, status = 200 } = step.site ?? {};
  if (failure === 'unreachable') {
    socket.destroy();
    return;
  }
  const body = method === 'HEAD' ? '' : siteBody(step, number);
  response.sendDate = false;
  if (failure === 'cut') {
    response.writeHead(status, [...fields, 'Content-Length', String(Buffer.byteLength(body) + 1)]);
    response.write(body, () => socket.destroy());
    return;
  }
  response.writeHead(status, fields);
  response.end(body);
}

function send(agent: Agent, url: string, step: Step, start: number): Promise<Omit<StepOutcome, 'forwarded'>> {
  const { host, hostname, port } = new URL(url);
  const headers = ['Host', host, ...flatten(step.headers ?? {}, start)];
  const { method = 'GET', path = '/' } = step;
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, hostname, port, method, path, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      const finish = (): void =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.rawHeaders,
          body: Buffer.concat(chunks).toString(),
        });
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', finish);
      // An incomplete body is compared as far as it was received.
      incoming.on('error', finish);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

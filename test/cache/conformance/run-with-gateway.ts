import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Case, flatten, type Step } from './case.ts';
import { type StepOutcome, siteBody, siteFields } from './outcomes.ts';

/** What the cases are played against: a gateway that goes by this clock, in front of the site at the given address. */
export interface GatewayUnderTest {
  readonly url: string;
  /** Milliseconds since the epoch, as the gateway sees it. */
  now(): number;
  advance(milliseconds: number): void;
  /** Forgets all that is stored. */
  clear(): Promise<void>;
  /** Resolves when what was fetched behind a client's back has been stored. */
  stored(): Promise<void>;
  stop(): Promise<void>;
}

export interface GatewayRunner {
  play(of: Case): Promise<{ readonly played: readonly StepOutcome[]; readonly start: number }>;
  stop(): Promise<void>;
}

/** How far apart in time the cases are: beyond all that a gateway may remember of a site. */
const BETWEEN_CASES = 24 * 3600 * 1000;

interface Current {
  readonly step: Step;
  readonly number: number;
  readonly start: number;
  readonly asked: string[][];
  answered: number;
}

/** Plays cases over sockets, one after the other: a client, a gateway and a site that are nothing to each other. */
export async function startRunner(
  startGateway: (site: string) => Promise<GatewayUnderTest>,
): Promise<GatewayRunner> {
  let current: Current | undefined;
  let gateway: GatewayUnderTest | undefined;

  const site = createServer((incoming, response) => {
    if (current === undefined || gateway === undefined) throw new Error('nobody was to ask');
    const { asked, number, start, step } = current;
    asked.push(incoming.rawHeaders);
    gateway.advance((step.site?.delay ?? 0) * 1000);
    const fields = siteFields(step, number, start, gateway.now(), `http://${incoming.headers.host}`);
    const done = current;
    response.on('close', () => {
      done.answered += 1;
    });
    incoming.resume().on('end', () => answer(step, number, fields, incoming, response));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  gateway = await startGateway(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
  const { advance, clear, now, stop, stored, url } = gateway;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  return {
    async play(of) {
      await clear();
      advance(BETWEEN_CASES - (now() % 1000));
      const start = now();
      const played: StepOutcome[] = [];
      for (const [index, step] of of.steps.entries()) {
        advance((step.after ?? 0) * 1000);
        const number = index + 1;
        const asked: string[][] = [];
        current = { step, number, start, asked, answered: 0 };
        const outcome = await ask(agent, url, step, start);
        if (step.inBackground === true) {
          const running = current;
          await until(() => running.answered > 0);
          if (step.site?.failure === undefined && (step.site?.status ?? 200) < 500) await stored();
        }
        // A connection that breaks off before there is an answer may be tried again.
        const seen = step.site?.failure === 'unreachable' ? asked.slice(0, 1) : asked;
        played.push({ ...outcome, forwarded: seen });
      }
      return { played, start };
    },
    async stop() {
      agent.destroy();
      await stop();
      site.closeAllConnections();
      await new Promise((resolve) => site.close(resolve));
    },
  };
}

function answer(
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

function ask(agent: Agent, url: string, step: Step, start: number): Promise<Omit<StepOutcome, 'forwarded'>> {
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
      // What breaks off is as far as it came.
      incoming.on('error', finish);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 5000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('it did not happen');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

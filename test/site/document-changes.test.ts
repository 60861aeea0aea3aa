import type { IncomingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import type { NotifyOptions } from '../../generated/option-types.d.ts';
import { createSuccessor, getGatewayInternals } from '../../src/gateway/gateway.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../../src/gateway/index.ts';
import { Takeover } from '../../src/gateway/takeover.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { createMemoryState } from '../support/memory-state.ts';
import { startServer } from '../support/server.ts';
import { signMessage } from '../support/signed-message.ts';
import { createSmallIndex } from '../support/small-index.ts';
import { startStubSite } from '../support/stub-site.ts';
import { waitUntil } from '../support/wait.ts';

/** What other systems are told about the documents of sites. */

const SECRET = 'a-secret-of-sixteen';

interface Notice {
  readonly event: string;
  readonly site: string;
  readonly version: number;
  readonly cause: string;
  readonly operations: number;
  readonly changes: { readonly total: number; readonly listed: readonly { readonly text: string }[] };
}

interface Subject {
  readonly gateway: Gateway;
  readonly options: GatewayOptions;
  readonly notices: Notice[];
  readonly sent: { readonly headers: IncomingHttpHeaders; readonly text: string }[];
  /** Statuses of the receiver's next responses; 200 afterwards. */
  readonly statuses: number[];
  discover(...values: readonly string[]): Promise<void>;
}

async function start(
  { notify = {}, ...site }: { readonly name?: string; readonly notify?: Partial<NotifyOptions> } = {},
  options: Partial<GatewayOptions> = {},
): Promise<Subject> {
  const notices: Notice[] = [];
  const sent: Subject['sent'] = [];
  const statuses: number[] = [];
  const receiver = await startServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const status = statuses.shift() ?? 200;
    if (status === 200) {
      sent.push({ headers: request.headers, text });
      notices.push(JSON.parse(text));
    }
    response.writeHead(status).end();
  });
  let index = createSmallIndex();
  const stub = await startStubSite({ index: () => index });
  const whole: GatewayOptions = {
    sites: [{ url: stub.url, ...site }],
    state: createMemoryState(),
    notify: [{ to: 'changes', url: `${receiver.origin}/changed`, secret: SECRET, ...notify }],
    ...options,
  };
  const gateway = createGateway(whole);
  closeAfterTest(receiver.close, stub.close, gateway.stop);
  await gateway.rediscover();
  return {
    gateway,
    options: whole,
    notices,
    sent,
    statuses,
    async discover(...values) {
      index = createSmallIndex({ order: { type: 'string', enum: values } });
      await gateway.rediscover();
    },
  };
}

test('each version is told in a signed notice, with what has changed', async () => {
  const { discover, notices, sent } = await start({ name: 'shop' });
  await discover('asc', 'desc');
  await discover('asc');
  await waitUntil(() => notices.length > 0);
  expect(notices).toEqual([
    {
      event: 'document-served',
      site: 'shop',
      version: 2,
      cause: 'request',
      seenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      operations: 1,
      changes: {
        breaking: 1,
        added: 0,
        removed: 0,
        total: 1,
        listed: [
          {
            severity: 'breaking',
            subject: 'query parameter "order"',
            text: 'the value "desc" was removed',
            operations: ['GET /demo/v1/notes'],
            operationCount: 1,
          },
        ],
      },
    },
  ]);
  const [{ headers, text } = { headers: {}, text: '' }] = sent;
  const time = Number(headers['x-waygate-timestamp']) * 1000;
  expect(headers).toMatchObject(signMessage(SECRET, text, time));
  expect(Math.abs(Date.now() - time)).toBeLessThan(60_000);
});

test('a bounded number of versions waits for a receiver', async () => {
  const { discover, gateway, notices, statuses } = await start();
  // On a slow machine it is asked again meanwhile.
  statuses.push(...Array.from({ length: 20 }, () => 500));
  for (let version = 2; version <= 30; version += 1) await discover(`value-${version}`);
  statuses.length = 0;
  await gateway.stop();
  const versions = notices.map(({ version }) => version).toSorted((one, other) => one - other);
  expect(versions.at(-1)).toBe(30);
  expect(versions.length).toBeLessThanOrEqual(22);
});

test.each<[string, Partial<NotifyOptions>]>([
  ['of another site', { site: 'shop' }],
  ['that wants purges', { to: 'webhook' }],
])('a receiver %s is not told', async (_, notify) => {
  const { discover, gateway, notices } = await start({ notify });
  await discover('asc');
  await gateway.stop();
  expect(notices).toEqual([]);
});

test('a text of the site is data in a notice', async () => {
  const { discover, notices } = await start();
  await discover('asc', 'desc', '"}\n<script>\u001b[2J');
  await waitUntil(() => notices.length === 1);
  expect(notices[0]?.changes.listed[0]?.text).toBe('the value "\\"}\\n<script>\\u001b[2J" was added');
});

test('a gateway that takes the place of another tells its own receivers', async () => {
  const { discover, gateway, notices, options } = await start();
  const { notices: later, options: other } = await start();
  const next = createSuccessor({ ...options, notify: other.notify }, getGatewayInternals(gateway));
  const takeover = new Takeover(next, getGatewayInternals(gateway));
  await takeover.prepare();
  takeover.complete();
  await discover('asc');
  await next.rediscover();
  await waitUntil(() => later.length > 0);
  expect(later.map(({ event, version }) => [event, version])).toEqual([['document-served', 2]]);
  expect(notices).toEqual([]);
});

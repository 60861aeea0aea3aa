import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGateway, type Gateway } from '../../src/gateway/index.ts';
import type { Json } from '../../src/json.ts';
import { systemClock } from '../../src/ports.ts';
import { type ReconcileReport, reconcile } from '../../src/reconcile/index.ts';
import { basicAuth, useWordPress } from '../support/wordpress.ts';
import { fetchExampleSite, SITE_URL } from './example-site.ts';

/**
 * The figures of issue 11: of the operations and of up to 500 sampled responses of each site, the share that is described,
 * and described and valid, before and after `reconcile`. They are printed.
 */
const site = useWordPress();
const TOKEN = 'observed';

/** Writes of an administrator: each resource is created, changed, moved to the trash or deleted. */
const WRITES: readonly (readonly [collection: string, fields: object, change: object])[] = [
  ['posts', { title: 'Goal', status: 'publish', content: 'x' }, { excerpt: 'y' }],
  ['pages', { title: 'Goal', status: 'publish' }, { content: 'y' }],
  ['categories', { name: 'Goal' }, { description: 'y' }],
  ['tags', { name: 'Goal' }, { description: 'y' }],
  [
    'comments',
    { post: 1, content: 'Goal', author_name: 'Ada', author_email: 'ada@example.com' },
    { content: 'y' },
  ],
  ['users', { username: 'goal', email: 'goal@example.com', password: 'goal goal' }, { first_name: 'y' }],
  ['blocks', { title: 'Goal', status: 'publish', content: 'x' }, { content: 'y' }],
  ['navigation', { title: 'Goal', status: 'publish' }, { content: 'y' }],
  ['menus', { name: 'Goal' }, { description: 'y' }],
];

describe.each([
  ['as it states its schemas', 'help'],
  ['without schemas', 'off'],
] as const)('WordPress %s', (_, schemas) => {
  let gateway: Gateway;
  let report: ReconcileReport;
  beforeAll(async () => {
    const { administrator } = site().users;
    const authorization = basicAuth(administrator);
    gateway = createGateway({
      // Time stands still, so that the time budget of the background work is never used up.
      clock: { ...systemClock, now: () => 0 },
      admin: { token: TOKEN },
      sites: [{ url: site().url, validation: { mode: 'observe', responses: 'all' } }],
    });
    await gateway.rediscover();
    const request = async (method: string, path: string, body?: object): Promise<Json> => {
      const response = await gateway.request(`http://gateway.example.com/wp/v2/${path}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const content: Json = await response.json();
      return content;
    };
    for (const [collection, fields, change] of WRITES) {
      const created = await request('POST', collection, fields);
      const { id } = Object(created);
      for (const method of ['PUT', 'PATCH', 'POST']) await request(method, `${collection}/${id}`, change);
      if (['posts', 'pages'].includes(collection)) {
        await request('POST', `${collection}/${id}/autosaves`, { content: 'z' });
        await request('DELETE', `${collection}/${id}`);
      }
      await request('DELETE', `${collection}/${id}?force=true&reassign=1`);
    }
    const shapes = await gateway.request('http://gateway.example.com/-/sites/default/shapes', {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    ({ report } = await reconcile(site().url, {
      schemas,
      auth: { user: administrator.user, password: administrator.password },
      gatewayShapes: await shapes.json(),
      maxRequests: 500,
    }));
    printFigures(`WordPress (${schemas})`, report);
  }, 300_000);
  afterAll(() => gateway.stop());

  test('has described responses of every read operation, if the site states its schemas, and of nine tenths of all', () => {
    const { after } = report.typed;
    const silent = report.untyped
      .filter(({ method }) => method === 'GET')
      .map(({ path, reason }) => `${path} ${reason}`);
    if (schemas === 'help') {
      expect(silent).toEqual([]);
      expect(after.describedReads).toBe(after.reads);
      expect(after.described / after.operations).toBeGreaterThanOrEqual(0.9);
    } else {
      expect(silent.filter((line) => !/ (?:404|costly|no-item-known)$/.test(line))).toEqual([]);
    }
  });

  test('every sampled response is valid', () => {
    const { responses } = report.sampled.after;
    expect(report.sampled.after).toEqual({ responses, described: responses, correct: responses });
    expect(report.remaining).toEqual([]);
  });
});

// `goal.test.ts` has them without schemas.
test.each(['content', 'boards'] as const)(
  'every sampled response of the example site %s is described and valid by the schemas that it states',
  async (name) => {
    const { auth, fetch } = fetchExampleSite(name, true);
    const { report } = await reconcile(SITE_URL, { auth, fetch, maxRequests: 200 });
    printFigures(name, report);
    const { after, before } = report.sampled;
    const { responses } = after;
    expect(responses).toBeGreaterThan(50);
    expect(after).toEqual({ responses, described: responses, correct: responses });
    expect(before).toEqual(after);
  },
);

function printFigures(name: string, { actions, sampled, typed, untyped }: ReconcileReport): void {
  const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
  const { after, before } = sampled;
  console.log(
    [
      `${name}: ${after.responses} sampled responses; ${actions} actions`,
      `described ${share(before.described, before.responses)} → ${share(after.described, after.responses)}`,
      `described and valid ${share(before.correct, before.responses)} → ${share(after.correct, after.responses)}`,
      `operations ${typed.before.described} → ${typed.after.described} of ${typed.after.operations} (${share(typed.after.described, typed.after.operations)})`,
      `GET ${typed.before.describedReads} → ${typed.after.describedReads} of ${typed.after.reads}`,
      ...untyped.map(({ method, path, reason }) => `  ${method} ${path} ${reason}`),
    ].join('\n'),
  );
}

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { calibrate } from '../../src/calibrate/index.ts';
import { createGateway, type Gateway } from '../../src/gateway/index.ts';
import type { SiteValidationReport } from '../../src/gateway/validating/site-validation.ts';
import type { StateStore } from '../../src/ports.ts';
import {
  createInvalidParamResponse,
  createPluginIndex,
  respondAsPlugin,
} from '../gateway/validating/plugin-site.ts';
import { createMemoryState } from '../support/memory-state.ts';
import { type StubRequest, type StubResponse, type StubSite, startStubSite } from '../support/stub-site.ts';

let site: StubSite;
let gateway: Gateway | undefined;
let respond: (request: StubRequest) => StubResponse | undefined;
let texts: Map<string, string>;
let state: StateStore;

beforeEach(async () => {
  respond = respondAsPlugin;
  site = await startStubSite({ index: createPluginIndex(), respond: (request) => respond(request) });
  texts = new Map();
  state = createMemoryState(texts);
});
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
  await site.close();
});

const PLUGIN = { include: ['plugin/v1'], rate: 100_000 };

/** Lists findings as `param rule outcome`, sorted. */
function toLines({ findings }: Awaited<ReturnType<typeof calibrate>>): readonly string[] {
  return findings
    .map(({ outcome, param, reason, rule }) => [param, rule, reason ?? outcome].join(' '))
    .sort();
}

const FINDINGS = [
  'board rest_invalid_type overruled',
  'include rest_invalid_type overruled',
  'limit rest_invalid_type confirmed',
  'limit rest_out_of_bounds confirmed',
  'per_page rest_invalid_type confirmed',
  'per_page rest_invalid_type confirmed',
  'per_page rest_out_of_bounds confirmed',
  'per_page rest_out_of_bounds confirmed',
];

/** Sends a request to a gateway that enforces with the stored evidence. @returns the status and whether it was forwarded */
async function sendThroughGateway(path: string, method = 'GET'): Promise<readonly [number, boolean]> {
  if (gateway === undefined) {
    gateway = createGateway({ sites: [{ url: site.url, validation: { mode: 'enforce' } }], state });
    await gateway.rediscover();
    // Loads the evidence.
    await expect
      .poll(
        async () =>
          (await gateway?.fetch(new Request('http://g.example/wp-json/plugin/v1/wide?per_page=0')))?.status,
      )
      .toBe(400);
  }
  const before = site.requests.length;
  const response = await gateway.fetch(new Request(`http://g.example/wp-json${path}`, { method }));
  await response.text();
  return [response.status, site.requests.length > before];
}

const ADMIN_TOKEN = 'the-token-of-the-tests';

/** Reads the rules from the gateway's validation report. */
async function readRules({ fetch: send }: Gateway): Promise<unknown> {
  const response = await send(
    new Request('http://g.example/-/sites/default/validation', {
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    }),
  );
  const report = (await response.json()) as SiteValidationReport;
  return report.rules;
}

describe('a calibration', () => {
  test('finds out which rules the site applies, with GET requests only', async () => {
    const report = await calibrate(site.url, { ...PLUGIN, state });
    expect(toLines(report)).toEqual(FINDINGS);
    expect(report.stopped).toBeUndefined();
    expect(new Set(site.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  test('lets a gateway enforce what the site refuses, and nothing that it accepts', async () => {
    await calibrate(site.url.replace(/\/$/, ''), { ...PLUGIN, state });
    expect([...texts.keys()]).toEqual(['calibration']);
    expect(await sendThroughGateway('/plugin/v1/things?per_page=1000')).toEqual([400, false]);
    expect(await sendThroughGateway('/plugin/v1/others?limit=x')).toEqual([400, false]);
    expect(await sendThroughGateway('/plugin/v1/things?board=abc')).toEqual([200, true]);
    expect(await sendThroughGateway('/plugin/v1/things?include=1,abc')).toEqual([200, true]);
  });

  test('learns how a write reads an argument of its path that is repeated, by values that name nothing', async () => {
    const route = {
      namespace: 'plugin/v1',
      methods: ['DELETE'],
      endpoints: [{ methods: ['DELETE'], args: { id: { type: 'integer' } } }],
    };
    await site.close();
    site = await startStubSite({
      index: { ...createPluginIndex(), routes: { '/plugin/v1/things/(?P<id>[\\d]+)': route } },
      respond: ({ query }) =>
        /^\d*$/.test(query.get('id') ?? '')
          ? { body: {} }
          : createInvalidParamResponse({ id: 'rest_invalid_type' }),
    });
    await calibrate(site.url, { ...PLUGIN, methods: 'all', state });
    const ids = site.requests.flatMap(({ method, query }) => (method === 'DELETE' ? [query.get('id')] : []));
    expect(ids).toContain('waygate-none');
    // PHP casts each to 0, and `1abc`, `true` and a list to 1, which may exist.
    expect(ids.filter((id) => /\d/.test(id ?? '1'))).toEqual([]);
    gateway = createGateway({ sites: [{ url: site.url, validation: { mode: 'enforce' } }], state });
    await gateway.rediscover();
    expect(await sendThroughGateway('/plugin/v1/things/7?id=abc', 'DELETE')).toEqual([400, false]);
    expect(await sendThroughGateway('/plugin/v1/things/7?id=8', 'DELETE')).toEqual([200, true]);
  });

  test('continues after an interruption, and skips what is known', async () => {
    const interrupt = new AbortController();
    let count = 0;
    respond = (request) => {
      count += 1;
      if (count === 12) interrupt.abort();
      return respondAsPlugin(request);
    };
    const first = await calibrate(site.url, { ...PLUGIN, state, interrupt: interrupt.signal });
    expect(first.stopped).toBe('interrupted');
    expect(texts.size).toBe(1);
    respond = respondAsPlugin;
    const second = await calibrate(site.url, { ...PLUGIN, state });
    expect(second.stopped).toBeUndefined();
    const third = await calibrate(site.url, { ...PLUGIN, state });
    expect(third).toMatchObject({ requests: 0, findings: [], known: third.definitions });
    const whole = await calibrate(site.url, PLUGIN);
    expect(second.requests).toBeLessThan(whole.requests);
    expect(await sendThroughGateway('/plugin/v1/things?per_page=1000')).toEqual([400, false]);
    expect(await sendThroughGateway('/plugin/v1/things?board=abc')).toEqual([200, true]);
  });

  test('is used by a gateway that runs already from its next discovery on, and is not overwritten by it', async () => {
    gateway = createGateway({
      sites: [{ url: site.url, validation: { mode: 'enforce' } }],
      state,
      admin: { token: ADMIN_TOKEN },
    });
    await gateway.rediscover();
    expect(await sendThroughGateway('/plugin/v1/wide?per_page=0')).toEqual([400, true]);
    await calibrate(site.url, { ...PLUGIN, state });
    const calibrated = texts.get('calibration');
    expect(await sendThroughGateway('/plugin/v1/others?limit=x')).toEqual([400, true]);
    await gateway.rediscover();
    expect(await sendThroughGateway('/plugin/v1/things?per_page=1000')).toEqual([400, false]);
    expect(await sendThroughGateway('/plugin/v1/things?board=abc')).toEqual([200, true]);
    expect(await readRules(gateway)).toContainEqual(
      expect.objectContaining({ param: 'limit', rule: 'rest_out_of_bounds', status: 'confirmed' }),
    );
    await gateway.stop();
    expect(texts.get('validation')).toBeDefined();
    expect(texts.get('calibration')).toBe(calibrated);
    gateway = undefined;
    expect(await sendThroughGateway('/plugin/v1/others?limit=x')).toEqual([400, false]);
  });

  test('of a copy is used by a gateway in front of the site', async () => {
    const copy = await startStubSite({ index: createPluginIndex(), respond: respondAsPlugin });
    try {
      await calibrate(copy.url, { ...PLUGIN, state, evidenceFor: site.url });
    } finally {
      await copy.close();
    }
    expect(site.requests).toEqual([]);
    expect(await sendThroughGateway('/plugin/v1/others?limit=x')).toEqual([400, false]);
    expect(await sendThroughGateway('/plugin/v1/things?board=abc')).toEqual([200, true]);
  });

  test('does not outweigh a contradiction that a gateway has seen since', async () => {
    await calibrate(site.url, { ...PLUGIN, state });
    expect(await sendThroughGateway('/plugin/v1/others?per_page=0')).toEqual([400, false]);
    await gateway?.stop();
    gateway = undefined;
    // An operation of the definition has accepted a violation; the calibration is of before.
    const evidence = JSON.parse(texts.get('calibration') ?? '');
    for (const rule of evidence.rules) {
      if (rule.param === 'per_page') Object.assign(rule, { disagreed: 1, confirmed: 0 });
    }
    texts.set('validation', JSON.stringify({ ...evidence, kind: 'validation' }));
    gateway = createGateway({ sites: [{ url: site.url, validation: { mode: 'enforce' } }], state });
    await gateway.rediscover();
    expect(await sendThroughGateway('/plugin/v1/others?per_page=0')).toEqual([400, true]);
    expect((await calibrate(site.url, { ...PLUGIN, state })).requests).toBe(0);
  });

  test('overrules a definition that the site validates at one endpoint and not at another', async () => {
    respond = (request) => (request.route === '/plugin/v1/others' ? { body: [] } : respondAsPlugin(request));
    const report = await calibrate(site.url, { ...PLUGIN, state });
    expect(toLines(report)).toContain('per_page rest_out_of_bounds overruled');
    expect(await sendThroughGateway('/plugin/v1/others?per_page=0')).toEqual([200, true]);
    expect(await sendThroughGateway('/plugin/v1/things?per_page=0')).toEqual([400, true]);
  });

  test('says why no request can ask about an argument', async () => {
    const route = (args: object) => ({
      namespace: 'plugin/v1',
      methods: ['GET'],
      endpoints: [{ methods: ['GET'], args }],
    });
    await site.close();
    const code = { type: 'string', required: true, pattern: '^[A-Z]{3}-[0-9]{7}$' };
    const routes = {
      '/plugin/v1/modes/(?P<mode>on|off)': route({ count: { type: 'integer' } }),
      '/plugin/v1/codes': route({ code, size: { type: 'integer' } }),
    };
    site = await startStubSite({ index: { ...createPluginIndex(), routes } });
    const report = await calibrate(site.url, { ...PLUGIN, state });
    expect(report.findings.map(({ param, reason }) => `${param} ${reason}`).sort()).toEqual([
      'code needs-valid-values',
      'count needs-existing-item',
      'mode needs-existing-item',
      'size needs-valid-values',
    ]);
    expect(report.requests).toBe(0);
  });

  test.each<[string, string, (request: StubRequest) => StubResponse | undefined]>([
    [
      'a parameter that is refused without a violation too',
      'refused-otherwise',
      () => createInvalidParamResponse({ board: 'rest_invalid_type' }),
    ],
    [
      'a check of its own',
      'own-check',
      ({ query }) =>
        query.get('board') === null ? { body: [] } : createInvalidParamResponse({ board: 'custom' }),
    ],
    [
      'a login that the site wants',
      'needs-credentials',
      () => ({ status: 401, body: { code: 'rest_forbidden', message: 'No.', data: { status: 401 } } }),
    ],
    [
      'a failure of the site',
      'server-error',
      () => ({ status: 500, body: { code: 'internal', message: 'No.' } }),
    ],
    ['a page instead of JSON', 'no-verdict', () => ({ headers: { 'Content-Type': 'text/html' }, body: '' })],
  ])('leaves a rule open because of %s', async (_, reason, answer) => {
    respond = answer;
    const report = await calibrate(site.url, { ...PLUGIN, state });
    expect(toLines(report)).toContain(`board rest_invalid_type ${reason}`);
    expect(report.findings.filter(({ outcome, param }) => param === 'board' && outcome !== 'open')).toEqual(
      [],
    );
  });

  test('leaves a route after its first failure', async () => {
    respond = (request) =>
      request.route === '/plugin/v1/things'
        ? { status: 500, body: { code: 'internal', message: 'No.' } }
        : respondAsPlugin(request);
    await calibrate(site.url, { ...PLUGIN, state });
    const sent = site.requests.filter(({ query, route }) => route === '/plugin/v1/things' && query.size > 0);
    expect(sent).toHaveLength(1);
  });

  test('leaves a route that fails without a violation too', async () => {
    respond = ({ query, route }) => {
      if (query.size > 0)
        return createInvalidParamResponse(Object.fromEntries([...query.keys()].map((name) => [name, 'own'])));
      return route === '/plugin/v1/things'
        ? { status: 500, body: { code: 'internal', message: 'No.' } }
        : { body: [] };
    };
    await calibrate(site.url, { ...PLUGIN, state });
    const sent = site.requests.filter(({ route }) => route === '/plugin/v1/things');
    const after = sent.slice(sent.findIndex(({ query }) => query.size === 0) + 1);
    expect(after).toEqual([]);
  });

  test('puts unusable evidence aside with a warning, and begins anew', async () => {
    const messages: string[] = [];
    const record = (_: object, message: string) => void messages.push(message);
    texts.set('calibration', '{"format":1}');
    const report = await calibrate(site.url, {
      ...PLUGIN,
      state,
      log: { info: record, warn: record, error: record },
    });
    expect(messages).toEqual([expect.stringMatching(/its format is 1\..* kept as calibration\.aside$/)]);
    expect(toLines(report)).toEqual(FINDINGS);
    expect(texts.get('calibration')).toContain('"kind":"calibration"');
  });

  test('fails if its evidence cannot be stored', async () => {
    const write = (): Promise<never> => Promise.reject(new Error('no space left'));
    await expect(calibrate(site.url, { ...PLUGIN, state: { ...state, write } })).rejects.toThrow(
      'no space left',
    );
  });

  test('ends when the site cannot be reached', async () => {
    const fetchOnce: typeof fetch = (input, init) =>
      String(input).includes('/plugin/v1/')
        ? Promise.reject(new TypeError('fetch failed'))
        : fetch(input, init);
    const report = await calibrate(site.url, { ...PLUGIN, state, fetch: fetchOnce });
    expect(report).toMatchObject({ stopped: 'unreachable' });
    expect(report.requests).toBeLessThan(12);
  });
});

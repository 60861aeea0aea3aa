import { describe, expect, it } from 'vitest';
import { createTargetResolver, TARGET_REFUSALS } from '../../../src/gateway/router/target.ts';
import { startOnce } from '../../support/close-after-test.ts';
import { startGateway } from '../../support/gateway.ts';
import { runServer } from '../../support/run.ts';
import { createSmallDocument } from '../../support/stub-site.ts';
import { exchange } from './echo-site.ts';
import { describeTarget, describeWhole, TARGET_CASES, type TargetCase } from './target-cases.ts';

const refusals = new Map(Object.entries(TARGET_REFUSALS));

const means = createTargetResolver({
  ...{ mountPath: '', forwardsPages: true, isDiscovered: true },
  site: { base: 'http://a/', root: 'http://a/wp-json/', spelling: 'pretty', prefix: 'wp-json' },
});

/** What the site got: with `passthrough` what was sent, else what it means; or the status and code of a refusal. */
function expectOutcome(row: TargetCase, passthrough: boolean): string {
  const { body, head } = row;
  // Node's parser takes a path, a URL or `*`, in ASCII. After a space it expects the version of HTTP.
  if (head.target.includes(' ')) return '400 gateway_bad_request';
  if (!/^(?:\/|[a-z]+:\/\/|\*$)[!-~]*$/i.test(head.target)) return '400 rest_invalid_target';
  const meaning = passthrough ? describeWhole(row) : row.meaning;
  const refused = refusals.get(meaning.replace('refused ', ''));
  if (refused !== undefined) return `${refused.status} ${refused.code}`;
  // The gateway reads a form, and lets it name no route.
  const isForm = !head.headers.includes('application/json');
  if (isForm && /rest[._]route/.test(body)) return '400 rest_ambiguous_route';
  if (!passthrough) return meaning;
  return `${head.method} ${head.target.replace(/^http:\/\/[^/?]*\/?/i, '/').replace(/#.*/, '')}`;
}

describe.each([true, false])(
  'a gateway, with passthrough: %s, sends a target on or refuses it:',
  (passthrough) => {
    const start = startOnce(async () => {
      const { origin: url } = await runServer(({ method, url }, response) => {
        response.setHeader('X-Received', encodeURI(`${method} ${url}`)).end();
      });
      const site = { url, passthrough, mcp: true, document: createSmallDocument() };
      return startGateway({ gateway: { sites: [site], cache: 'off' } });
    });
    // Without `passthrough` there are no pages.
    const cases = TARGET_CASES.filter((row) => row.meaning !== 'page' || passthrough);

    it.each(cases.map((row) => [row.why, row.head.method, row.head.target.slice(0, 80), row] as const))(
      '%s: %s %j',
      async (_why, _method, _target, row) => {
        const { origin } = await start();
        const response = await exchange(Number(new URL(origin).port), row.head, row.body);
        const [, received] = /^x-received: (.*)\r$/im.exec(response) ?? [];
        const [, code] = /"code":"(\w+)"/.exec(response) ?? [];
        const [method = '', target = ''] = decodeURI(received ?? '').split(' ');
        const got = passthrough
          ? `${method} ${target}`
          : describeTarget(means({ ...row.head, method, target }));
        expect(received === undefined ? `${response.slice(9, 12)} ${code}` : got).toBe(
          expectOutcome(row, passthrough),
        );
      },
    );
  },
);

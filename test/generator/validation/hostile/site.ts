import { startServer } from '../../../support/server.ts';
import { readRecordedIndex } from '../../../support/stub-site.ts';

export interface HostileSite {
  readonly url: string;
  /** Number of requests that the site received, without those for the index. */
  requestCount(): number;
  /** Number of body bytes that the site received. */
  receivedBytes(): number;
  close(): Promise<void>;
}

const endpoint = (methods: readonly string[], args: object): object => ({ methods, args });

/** Patterns and schemas that take a backtracking engine or a recursive parser exponential time. */
const EVIL = {
  '/evil/v1/patterns': {
    namespace: 'evil/v1',
    methods: ['GET', 'POST'],
    endpoints: [
      endpoint(['GET', 'POST'], {
        nested: { type: 'string', pattern: '^(a+)+$' },
        twice: { type: 'string', pattern: '^(a|a)*b$' },
        words: { type: 'string', pattern: '^([a-z]+)*[0-9]$' },
        again: { type: 'string', pattern: '(x+x+)+y' },
        back: { type: 'string', pattern: '^(.+)\\1\\1$' },
        open: { type: 'string', pattern: '((((((((' },
        list: { type: 'array', items: { type: 'string', pattern: '^(a+)+$' }, uniqueItems: true },
        tree: {
          type: 'object',
          patternProperties: { '^(a+)+$': { type: 'integer' } },
          additionalProperties: false,
        },
      }),
    ],
  },
  '/evil/v1/(?P<name>(?:[a-z]+)+)/end': {
    namespace: 'evil/v1',
    methods: ['GET'],
    endpoints: [endpoint(['GET'], {})],
  },
};

/** The site's response to `per_page=0`. The gateway forwards some requests that it would refuse, to retest the rule. */
const REFUSAL = JSON.stringify({
  code: 'rest_invalid_param',
  message: 'Invalid parameter(s): per_page',
  data: { status: 400, params: { per_page: 'no' }, details: {} },
});

/**
 * Starts a site with posts and media of WordPress, and routes with hostile schemas. It reads every request body and accepts
 * every request except `per_page=0`.
 */
export async function startHostileSite(): Promise<HostileSite> {
  const recorded = readRecordedIndex();
  // Each test starts a gateway, which takes ten times as long with all routes.
  const routes = Object.entries(Object(recorded['routes'])).filter(([route]) =>
    /^\/(?:wp\/v2\/(?:posts|media))?$/.test(route),
  );
  const index = JSON.stringify({ ...recorded, routes: { ...Object.fromEntries(routes), ...EVIL } });
  let [requestCount, receivedBytes] = [0, 0];
  const { close, origin } = await startServer((request, response) => {
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
    });
    request.on('end', () => {
      const isIndex = /^\/(?:wp-json\/(?:\?|$)|$)/.test(request.url ?? '') && request.method !== 'POST';
      if (!isIndex) requestCount += 1;
      const { host } = request.headers;
      response.setHeader('Link', `<http://${host}/wp-json/>; rel="https://api.w.org/"`);
      response.setHeader('Content-Type', 'application/json');
      if (request.url?.endsWith('per_page=0') === true) response.writeHead(400).end(REFUSAL);
      else response.end(isIndex ? index : '{"site":"yes"}');
    });
  });
  return { url: `${origin}/`, requestCount: () => requestCount, receivedBytes: () => receivedBytes, close };
}

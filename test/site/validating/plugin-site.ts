import type { SiteValidationReport } from '../../../src/site/validating/site-validation.ts';
import type { StubRequest, StubResponse } from '../../support/stub-site.ts';

/** The token of operators. */
export const TOKEN = 'the-token-of-the-tests';

const PER_PAGE = { type: 'integer', minimum: 1, maximum: 100 };
const IDS = { type: 'array', items: { type: 'integer' } };
const LENIENT = { board: { type: 'integer' }, include: IDS };

/** The root index of a site with a plugin. What the plugin accepts is in {@link respondAsPlugin}. */
export function createPluginIndex(): object {
  const route = (pattern: string, args: object): [string, object] => [
    pattern,
    {
      namespace: pattern.split('/').slice(1, 3).join('/'),
      methods: ['GET'],
      endpoints: [{ methods: ['GET'], args }],
    },
  ];
  return {
    name: 'A site with a plugin',
    namespaces: ['wp/v2', 'plugin/v1', 'else/v1'],
    routes: Object.fromEntries([
      route('/plugin/v1/things', { per_page: PER_PAGE, ...LENIENT }),
      // Descriptions and defaults are no part of a definition.
      route('/plugin/v1/others', {
        per_page: { ...PER_PAGE, description: 'Others per page.', default: 5 },
        limit: PER_PAGE,
        board: { type: 'integer' },
      }),
      route('/plugin/v1/wide', { per_page: { ...PER_PAGE, maximum: 500 } }),
      route('/else/v1/things', { per_page: PER_PAGE }),
      route('/wp/v2/posts', { per_page: PER_PAGE, include: IDS, board: { type: 'integer' } }),
      route('/wp/v2/pages', { per_page: { ...PER_PAGE, maximum: 500 } }),
      route('/wp/v2/products', { per_page: PER_PAGE }),
    ]),
  };
}

/** Responds as a plugin whose `per_page` and `limit` WordPress validates, and that sanitises all else by itself. */
export function respondAsPlugin({ query, route }: StubRequest): StubResponse | undefined {
  if (route === undefined || !/^\/(?:plugin|else)\/v1\//.test(route)) return undefined;
  const codes = Object.fromEntries(
    ['per_page', 'limit'].flatMap((name) => {
      const value = query.get(name);
      if (value === null) return [];
      if (!/^-?\d+$/.test(value)) return [[name, 'rest_invalid_type']];
      const maximum = route.endsWith('/wide') ? 500 : 100;
      return Number(value) < 1 || Number(value) > maximum ? [[name, 'rest_out_of_bounds']] : [];
    }),
  );
  return Object.keys(codes).length > 0 ? createInvalidParamResponse(codes) : { body: [] };
}

/** Creates WordPress's response to invalid parameters. @param codes error codes by the names of the parameters */
export function createInvalidParamResponse(codes: Readonly<Record<string, string>>): StubResponse {
  const names = Object.keys(codes);
  const details = names.map((name) => [name, { code: codes[name], message: 'No.', data: null }]);
  return {
    status: 400,
    body: {
      code: 'rest_invalid_param',
      message: `Invalid parameter(s): ${names.join(', ')}`,
      data: {
        status: 400,
        params: Object.fromEntries(names.map((name) => [name, 'No.'])),
        details: Object.fromEntries(details),
      },
    },
  };
}

/** Reads what a gateway reports of the validation of a site. */
export async function readReport(
  gateway: { request(path: string, init: RequestInit): Response | Promise<Response> },
  name: string,
): Promise<SiteValidationReport> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  return (await gateway.request(`/-/sites/${name}/validation`, { headers })).json();
}

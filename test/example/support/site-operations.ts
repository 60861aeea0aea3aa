import { type BoardState, boardDefinition } from '../../../src/example/boards/index.ts';
import { type ContentState, contentDefinition } from '../../../src/example/content/index.ts';
import { createSite, type InspectableSite } from '../../../src/example/site/create-site.ts';
import { generate } from '../../../src/generate.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/json.ts';
import { readDocumentedOperations } from './documented-operations.ts';
import { PNG } from './site-client.ts';

/** The two sites, the operations of their documents, and requests by the administrator. */

const options = {
  base: 'http://localhost',
  onError(fault: unknown): never {
    throw fault;
  },
};
export const SITES: {
  readonly content: InspectableSite<ContentState>;
  readonly boards: InspectableSite<BoardState>;
} = { content: createSite(contentDefinition, options), boards: createSite(boardDefinition, options) };
export type SiteName = keyof typeof SITES;
const SITE_NAMES = ['content', 'boards'] as const;

/** An operation of a site with its arguments. */
export interface Operation {
  /** `boards PUT /boards/v2/projects/{board_id}` */
  readonly name: string;
  readonly site: SiteName;
  readonly method: string;
  readonly path: string;
  /** Schemas of the arguments outside the path. */
  readonly args: ReadonlyMap<string, JsonObject>;
}

/** Parameters of every route of WordPress, which concern the response alone. */
const GLOBALS = new Set(['_fields', '_embed', '_envelope', '_locale']);

/** The operations of both sites that have arguments, as their documents state them. */
export async function listOperations(): Promise<readonly Operation[]> {
  const sites = SITE_NAMES.map(async (site) => {
    const { files } = await generate('http://localhost/', {
      name: 'site',
      fetch: async (input, init) => SITES[site].fetch(new Request(input, init)),
    });
    const all = readDocumentedOperations(JSON.parse(files.get('site.openapi.json') ?? ''));
    return [...all].map(([operation, args]): Operation => {
      const [method = '', path = ''] = operation.split(' ');
      const own = [...args].filter(([arg]) => !GLOBALS.has(arg) && !path.includes(`{${arg}}`));
      return { name: `${site} ${operation}`, site, method, path, args: new Map(own) };
    });
  });
  return (await Promise.all(sites)).flat().filter(({ args }) => args.size > 0);
}

type Values = Readonly<Record<string, Json>>;

export interface Reply {
  readonly status: number;
  readonly body: Json;
}

/** Sends a request as the administrator. Beside a picture, arguments are in the query. */
export async function sendTo(
  site: SiteName,
  method: string,
  route: string,
  body?: Values,
  hasPicture = false,
): Promise<Reply> {
  const [path = '', query = ''] = route.split('?');
  const url = new URL(`http://localhost/index.php?rest_route=${path}&${query}`);
  const headers = new Headers({ authorization: `Basic ${btoa('admin:demo-admin-password')}` });
  const init: RequestInit = { method, headers };
  if (hasPicture || method === 'DELETE' || method === 'GET') {
    for (const [key, value] of toQuery(Object.entries(body ?? {}))) url.searchParams.append(key, value);
  } else if (body !== undefined) {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(body);
  }
  if (hasPicture) {
    headers.set('content-type', 'image/png');
    headers.set('content-disposition', 'attachment; filename="sea.png"');
    init.body = new Uint8Array(PNG);
  }
  const response = await SITES[site].request(url.href, init);
  const text = await response.text();
  return { status: response.status, body: text.startsWith('<') ? text : JSON.parse(text) };
}

function toQuery(members: readonly (readonly [string, Json])[]): [string, string][] {
  return members.flatMap(([name, value]): [string, string][] => {
    if (Array.isArray(value)) return toQuery(value.map((each) => [`${name}[]`, each]));
    if (!isJsonObject(value)) return [[name, value === null ? '' : String(value)]];
    return toQuery(Object.entries(value).map(([key, each]) => [`${name}[${key}]`, each]));
  });
}

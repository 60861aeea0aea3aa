import type { SiteAddress } from '../discovery/site.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { documentError } from './refusal.ts';

/** The root's `x-waygate`: where the site stands, and all its routes in its order. */
export function readSite(document: JsonObject): {
  readonly address: SiteAddress;
  readonly namespaces: readonly string[];
  readonly routes: readonly { readonly pattern: string; readonly namespace: string }[];
} {
  const root = document['x-waygate'];
  if (!isJsonObject(root)) {
    throw documentError(
      '/x-waygate',
      'is missing',
      'only documents made by `waygate generate` say how a site is reached',
    );
  }
  if (root['format'] !== 1) {
    throw documentError(
      '/x-waygate/format',
      `is ${JSON.stringify(root['format']) ?? 'missing'}`,
      'this waygate reads format 1',
    );
  }
  return {
    address: readAddress(root['site']),
    namespaces: readNamespaces(root['namespaces']),
    routes: readRoutes(root['routes']),
  };
}

function readAddress(site: unknown): SiteAddress {
  const at = '/x-waygate/site';
  if (!isJsonObject(site)) throw documentError(at, 'is not an object', 'it says where the site stands');
  const { spelling } = site;
  if (spelling !== 'pretty' && spelling !== 'plain') {
    throw documentError(
      `${at}/spelling`,
      `is ${JSON.stringify(spelling) ?? 'missing'}`,
      'it is `pretty` or `plain`',
    );
  }
  const { aliases, prefix } = site;
  return {
    base: readUrl(site['base'], `${at}/base`),
    ...(Array.isArray(aliases)
      ? { aliases: aliases.map((alias, position) => readUrl(alias, `${at}/aliases/${position}`)) }
      : {}),
    root: readUrl(site['root'], `${at}/root`),
    spelling,
    prefix: typeof prefix === 'string' ? prefix : 'wp-json',
  };
}

function readUrl(value: unknown, at: string): string {
  if (typeof value !== 'string' || !URL.canParse(value) || !/^https?:/i.test(value)) {
    throw documentError(at, `is ${JSON.stringify(value) ?? 'missing'}`, 'it is an http or https address');
  }
  return value;
}

function readNamespaces(value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
    throw documentError('/x-waygate/namespaces', 'is not a list of strings', 'it names the namespaces of the site');
  }
  return value;
}

function readRoutes(value: unknown): readonly { pattern: string; namespace: string }[] {
  const at = '/x-waygate/routes';
  if (!Array.isArray(value))
    throw documentError(at, 'is not a list', 'it lists the routes in the order of the site');
  return value.map((route: unknown, index) => {
    const pattern = isJsonObject(route) ? route['pattern'] : undefined;
    const namespace = isJsonObject(route) ? (route['namespace'] ?? '') : undefined;
    if (typeof pattern !== 'string' || typeof namespace !== 'string') {
      throw documentError(
        `${at}/${index}`,
        'is not a route',
        'a route is `{ "pattern", "namespace" }`, both strings',
      );
    }
    return { pattern, namespace };
  });
}

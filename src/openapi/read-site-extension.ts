import type { SiteAddress } from '../discovery/site.ts';
import { EXTENSION_NAMES, getSiteExtension } from '../document-extensions.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { createDocumentError } from './document-references.ts';

/**
 * Reads the site extension of a document: the site's address, its namespaces and its routes in matching order.
 *
 * @param siteUrl the site's base URL, which the URLs of a document that a gateway served are relative to
 * @throws {ConfigurationError} with the JSON pointer of the part that cannot be used
 */
export function readSiteExtension(
  document: JsonObject,
  siteUrl?: string,
): {
  readonly address: SiteAddress;
  readonly namespaces: readonly string[];
  readonly routes: readonly { readonly pattern: string; readonly namespace: string }[];
} {
  const root = getSiteExtension(document);
  if (!isJsonObject(root)) {
    throw createDocumentError(
      SITE_POINTER,
      'is missing',
      'documents made by `waygate generate` contain the address of the site',
    );
  }
  if (root['format'] !== 1) {
    throw createDocumentError(
      `${SITE_POINTER}/format`,
      `is ${JSON.stringify(root['format']) ?? 'missing'}`,
      'this version of waygate reads format 1',
    );
  }
  return {
    address: readAddress(root['site'], toBaseUrl(siteUrl)),
    namespaces: readNamespaces(root['namespaces']),
    routes: readRoutes(root['routes']),
  };
}

const SITE_POINTER = `/${EXTENSION_NAMES.site}`;

function toBaseUrl(siteUrl: string | undefined): string | undefined {
  if (siteUrl === undefined || !URL.canParse(siteUrl)) return undefined;
  const { origin, pathname } = new URL(siteUrl);
  return origin + pathname.replace(/\/?$/, '/');
}

function readAddress(site: unknown, siteUrl: string | undefined): SiteAddress {
  const at = `${SITE_POINTER}/site`;
  if (!isJsonObject(site))
    throw createDocumentError(at, 'is not an object', 'expected the address of the site');
  const { spelling } = site;
  if (spelling !== 'pretty' && spelling !== 'plain') {
    throw createDocumentError(
      `${at}/spelling`,
      `is ${JSON.stringify(spelling) ?? 'missing'}`,
      'expected `pretty` or `plain`',
    );
  }
  const { aliases, prefix } = site;
  return {
    base: readUrl(site['base'], `${at}/base`, siteUrl),
    ...(Array.isArray(aliases)
      ? { aliases: aliases.map((alias, position) => readUrl(alias, `${at}/aliases/${position}`, siteUrl)) }
      : {}),
    root: readUrl(site['root'], `${at}/root`, siteUrl),
    spelling,
    prefix: typeof prefix === 'string' ? prefix : 'wp-json',
  };
}

function readUrl(value: unknown, at: string, siteUrl: string | undefined): string {
  if (typeof value === 'string' && URL.canParse(value, siteUrl)) {
    const { href, protocol } = new URL(value, siteUrl);
    if (/^https?:$/.test(protocol)) return URL.canParse(value) ? value : href;
  }
  throw createDocumentError(
    at,
    `is ${JSON.stringify(value) ?? 'missing'}`,
    isRelative(value)
      ? 'a document that a gateway served does not contain the URL of the site: state it, too'
      : 'expected an http or https URL',
  );
}

function isRelative(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('./');
}

function readNamespaces(value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string')) {
    throw createDocumentError(
      `${SITE_POINTER}/namespaces`,
      'is not a list of strings',
      'expected namespace names',
    );
  }
  return value;
}

function readRoutes(value: unknown): readonly { pattern: string; namespace: string }[] {
  const at = `${SITE_POINTER}/routes`;
  if (!Array.isArray(value)) {
    throw createDocumentError(at, 'is not a list', 'expected the routes in the order of the site');
  }
  return value.map((route: unknown, index) => {
    const pattern = isJsonObject(route) ? route['pattern'] : undefined;
    const namespace = isJsonObject(route) ? (route['namespace'] ?? '') : undefined;
    if (typeof pattern !== 'string' || typeof namespace !== 'string') {
      throw createDocumentError(
        `${at}/${index}`,
        'is not a route',
        'expected `{ "pattern", "namespace" }`, both strings',
      );
    }
    return { pattern, namespace };
  });
}

import type { SiteAddress } from '../discovery/site.ts';
import { EXTENSION_NAMES, getSiteExtension } from '../document-extensions.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { createDocumentError } from './document-references.ts';

/**
 * Reads the site extension of a document: the site's address, its namespaces and its routes in matching order.
 *
 * @throws {ConfigurationError} with the JSON pointer of the part that cannot be used
 */
export function readSiteExtension(document: JsonObject): {
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
    address: readAddress(root['site']),
    namespaces: readNamespaces(root['namespaces']),
    routes: readRoutes(root['routes']),
  };
}

const SITE_POINTER = `/${EXTENSION_NAMES.site}`;

function readAddress(site: unknown): SiteAddress {
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
    throw createDocumentError(
      at,
      `is ${JSON.stringify(value) ?? 'missing'}`,
      'expected an http or https URL',
    );
  }
  return value;
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

import { getNamespaces, withReadAsUser } from './base/document-extensions.ts';
import { ConfigurationError, DiscoveryError } from './base/errors.ts';
import { type JsonObject, toJsonObject } from './base/json.ts';
import type { GeneratedFile, GeneratedSite } from './base/option-types.ts';
import { runSteps } from './base/steps.ts';
import { toClient, toQueries, toTypesOfClient } from './generator/client/index.ts';
import { type DiscoverOptions, discover } from './generator/discovery/index.ts';
import { collectDiagnostics } from './generator/discovery/index-values.ts';
import { describeSelection, type RouteSelection, RouteSelector } from './generator/discovery/options.ts';
import type { DiscoveredSite } from './generator/discovery/site.ts';
import { withExamples } from './generator/example-values/document-examples.ts';
import {
  applyOverlayToGeneration,
  type GeneratedDocument,
  type GenerationReport,
  joinToChunks,
  narrowDocument,
  type OpenApiDocument,
  pathsOf,
  printJson,
  toOpenApi,
} from './generator/openapi/index.ts';
import { EXTEND_RULE } from './generator/openapi/overlay.ts';
import { toTypes } from './generator/types/index.ts';

export interface GenerationResult {
  readonly document: OpenApiDocument;
  readonly report: GenerationReport;
  readonly files: ReadonlyMap<string, string>;
}

export interface GenerateOptions
  extends DiscoverOptions,
    FileOptions,
    Pick<GeneratedSite, 'extend' | 'name' | 'server'> {
  /**
   * An OpenAPI Overlay, such as `waygate reconcile` writes, that is validated and applied before types are
   * created.
   * @default none
   */
  readonly overlay?: unknown;
}

export type FileOptions = Pick<GeneratedSite, 'client' | 'only' | 'tanstack'>;

/**
 * Reads a site and creates its files without writing them. The same site always gives the same bytes.
 *
 * @param url any URL of the site
 * @throws {DiscoveryError} if the site can't be read, or has no routes
 * @throws {ConfigurationError} if no route is selected, or the overlay is invalid or leaves no document
 *
 * @example
 * import { generate } from 'waygate';
 *
 * const { files } = await generate('https://example.com', { name: 'site' });
 * console.log(files.get('site.ts'));
 */
export async function generate(url: string, options: GenerateOptions = {}): Promise<GenerationResult> {
  const site = await discover(url, options);
  const name = options.name ?? defaultBaseName(site.address.base);
  const { document, report } = createSiteDocument(site, options);
  const files = new Map<string, string>();
  for (const [file, print] of listFiles(document, report, name, options)) {
    files.set(file, [...(await print())].join(''));
  }
  return { document, report, files };
}

type SiteDocumentOptions = Pick<GenerateOptions, 'extend' | 'server' | 'overlay'> & RouteSelection;

/**
 * Creates the document of a site, with an overlay applied. One without operations would replace an earlier
 * document, so it is an error.
 *
 * @throws {DiscoveryError} if the site has no routes, or its document is too large
 * @throws {ConfigurationError} if no route is selected, or the overlay is invalid
 */
export function createSiteDocument(
  site: DiscoveredSite,
  options: SiteDocumentOptions = {},
): GeneratedDocument {
  const { extend, overlay, server, ...selection } = options;
  const generated = toOpenApi(site, { server });
  if (pathsOf(generated.document).length === 0) throw createEmptyError(site, selection);
  const { document, report } = runSteps(applyOverlayToGeneration(generated, overlay, extend));
  const unmatched = report.diagnostics.find(({ rule }) => rule === EXTEND_RULE);
  if (unmatched) throw new ConfigurationError(unmatched.message);
  return { document: site.isReadAsUser === true ? withReadAsUser(document) : document, report };
}

function createEmptyError(
  { address, index }: DiscoveredSite,
  { exclude = [], include = [] }: RouteSelection,
): ConfigurationError | DiscoveryError {
  if (include.length + exclude.length > 0) {
    return new ConfigurationError(
      `No route of ${address.base} is left by ${describeSelection({ include, exclude })}. The root index names the namespaces: ${address.root}`,
    );
  }
  const what = index.routes.length === 0 ? 'has no routes' : 'has no route with operations';
  return new DiscoveryError(
    `The root index at ${address.root} ${what}. A plugin might hide them: try --auth user:application-password.`,
    { reason: 'no-routes' },
  );
}

/**
 * Limits a stored document to the selected routes.
 *
 * @returns the document, and a sentence for each glob that matches nothing
 * @throws {ConfigurationError} if no route is left
 */
export function selectDocumentRoutes(
  document: OpenApiDocument,
  selection: RouteSelection,
): { readonly document: OpenApiDocument; readonly remarks: readonly string[] } {
  const { exclude = [], include = [] } = selection;
  if (include.length + exclude.length === 0) return { document, remarks: [] };
  const selector = new RouteSelector(selection);
  const narrowed = narrowDocument(document, (...route) => selector.matches(...route));
  if (pathsOf(narrowed).length === 0) {
    const names = getNamespaces(document).join(', ');
    throw new ConfigurationError(
      `No route of the document is left by ${describeSelection(selection)}. ${names === '' ? 'It names no namespaces, as those of waygate do.' : `Its namespaces are ${names}.`}`,
    );
  }
  const { diagnostics, report } = collectDiagnostics();
  selector.reportUnusedGlobs(report);
  return { document: { ...document, ...narrowed }, remarks: diagnostics.map(({ message }) => message) };
}

export type FilePrinter = () => Iterable<string> | Promise<Iterable<string>>;

/**
 * Files of a document by name. The title of modules is the files' name, so that renaming a site changes none.
 *
 * @param report absent for a stored document, which is then only written if `only` names it
 * @throws {ConfigurationError} if `only` names a file that can't be created
 */
export function listFiles(
  document: OpenApiDocument,
  report: GenerationReport | undefined,
  name: string,
  options: FileOptions,
): ReadonlyMap<string, FilePrinter> {
  const { tanstack = 'react' } = options;
  const declared: JsonObject = document;
  const { description: _, ...info } = toJsonObject(declared['info']);
  const untitled: JsonObject = { ...declared, info: { ...info, title: name } };
  const chosen = chooseFiles(report !== undefined, options);
  const isClientOnly = options.only === undefined && chosen.has('client');
  const files: Readonly<Record<GeneratedFile, readonly [file: string, print: FilePrinter]>> = {
    document: [`${name}.openapi.json`, () => joinToChunks(printJson(runSteps(withExamples(document))))],
    types: [`${name}.ts`, async () => [isClientOnly ? toTypesOfClient(name) : await toTypes(untitled)]],
    client: [`${name}.client.ts`, async () => [await toClient(untitled)]],
    tanstack: [`${name}.tanstack.ts`, async () => [await toQueries(untitled, name, tanstack)]],
    report: [`${name}.report.json`, () => joinToChunks(printJson(report ?? null))],
  };
  return new Map(Object.entries(files).flatMap(([kind, file]) => (chosen.has(kind) ? [file] : [])));
}

function chooseFiles(hasReport: boolean, options: FileOptions): ReadonlySet<string> {
  const { client = false, only, tanstack } = options;
  if (only === undefined) {
    return new Set([
      ...(hasReport ? ['document'] : []),
      'types',
      ...(client || tanstack !== undefined ? ['client'] : []),
      ...(tanstack === undefined ? [] : ['tanstack']),
    ]);
  }
  if (only.includes('report') && !hasReport) {
    throw new ConfigurationError(
      'a report needs the site or its index, and not a document that was generated before',
    );
  }
  return new Set(only);
}

export function defaultBaseName(base: string): string {
  const { host, pathname } = new URL(base);
  return `${host}${pathname}`
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
}

import { toClient } from './client/index.ts';
import { type DiscoverOptions, discover } from './discovery/index.ts';
import type { RouteSelection } from './discovery/route-selection.ts';
import type { DiscoveredSite } from './discovery/site.ts';
import { ConfigurationError, DiscoveryError } from './errors.ts';
import { omitUndefined } from './omit-undefined.ts';
import type { GeneratedDocument, GenerationReport, OpenApiDocument } from './openapi/index.ts';
import {
  applyOverlayToGeneration,
  DEFAULT_MAX_DOCUMENT_BYTES,
  joinToChunks,
  printJson,
  printYaml,
  toOpenApi,
} from './openapi/index.ts';
import { runSteps } from './steps.ts';
import { toTypeParts } from './types/index.ts';
import { toValidators } from './validators/index.ts';

/** The files that `waygate generate` creates for a site, and the report. */
export interface GenerationResult {
  readonly document: OpenApiDocument;
  readonly report: GenerationReport;
  /**
   * Contents by file name: `<name>.openapi.json`, `<name>.openapi.yaml`, `<name>.ts`, `<name>.report.json`, and
   * `<name>.client.ts` and `<name>.validators.ts` if they were requested.
   */
  readonly files: ReadonlyMap<string, string>;
}

export interface GenerateOptions extends DiscoverOptions {
  /** Base name of the files. @default derived from the site's URL: host, port and path */
  readonly name?: string | undefined;
  /** URL that the document's paths are relative to, such as a gateway's. @default the site's own */
  readonly server?: string | undefined;
  /**
   * An OpenAPI Overlay, such as `waygate reconcile` writes. It is validated, and applied before the types are created.
   * @default none
   */
  readonly overlay?: unknown;
  /** Whether `<name>.client.ts` is created: a client with types, without dependencies. @default false */
  readonly client?: boolean | undefined;
  /**
   * Whether `<name>.validators.ts` is created: Standard Schema validators of all requests, responses and components. Those of
   * kind `zod` import zod 4, those of kind `json` import nothing.
   * @default none
   */
  readonly validators?: 'zod' | 'json' | undefined;
}

/**
 * Reads a site and creates its document, its types and the report of what was repaired. It writes no file. The same site
 * always gives the same bytes.
 *
 * @param url any URL of the site
 * @returns the files by name, and the report
 * @throws {DiscoveryError} when the site cannot be read, or has no routes
 * @throws {ConfigurationError} when no route is selected, or the overlay is not an overlay, or leaves no document
 *
 * @example
 * import { generate } from 'waygate';
 *
 * const { files } = await generate('https://example.com', { name: 'site' });
 * console.log(files.get('site.ts'));
 */
export async function generate(url: string, options: GenerateOptions = {}): Promise<GenerationResult> {
  return generateFrom(await discover(url, options), options);
}

/** Creates the files of a site that was discovered before. Throws as {@link createSiteDocument} does. */
export async function generateFrom(
  site: DiscoveredSite,
  options: Omit<
    GenerateOptions,
    Exclude<keyof DiscoverOptions, keyof RouteSelection | 'maxDocumentBytes'>
  > = {},
): Promise<GenerationResult> {
  const name = options.name ?? defaultBaseName(site.address.base);
  const { document, report } = createSiteDocument(site, options);
  const files = new Map<string, string>();
  for (const [file, print] of listFiles(document, report, name, options)) {
    files.set(file, [...(await print())].join(''));
  }
  return { document, report, files };
}

/** What the document of a discovered site depends on. `include` and `exclude` are those of the discovery. */
export type SiteDocumentOptions = Pick<GenerateOptions, 'server' | 'overlay' | 'maxDocumentBytes'> &
  RouteSelection;

/**
 * Creates the document of a site, with an overlay applied. A document without operations is an error: its files would
 * replace those of a site that was read before.
 *
 * @throws {DiscoveryError} when the site has no routes, or its document exceeds `maxDocumentBytes`
 * @throws {ConfigurationError} when no route is selected, or the overlay is invalid
 */
export function createSiteDocument(
  site: DiscoveredSite,
  { maxDocumentBytes = DEFAULT_MAX_DOCUMENT_BYTES, overlay, server, ...selection }: SiteDocumentOptions = {},
): GeneratedDocument {
  const generated = toOpenApi(site, omitUndefined({ maxDocumentBytes, server }));
  if (Object.keys(generated.document.paths).length === 0) throw createEmptyError(site, selection);
  return overlay === undefined ? generated : runSteps(applyOverlayToGeneration(generated, overlay));
}

function createEmptyError(
  { address, index }: DiscoveredSite,
  { exclude = [], include = [] }: RouteSelection,
): ConfigurationError | DiscoveryError {
  const quote = (patterns: readonly string[]): string => patterns.map((text) => `"${text}"`).join(', ');
  const parts = [
    ...(include.length === 0 ? [] : [`include ${quote(include)}`]),
    ...(exclude.length === 0 ? [] : [`exclude ${quote(exclude)}`]),
  ];
  if (parts.length > 0) {
    return new ConfigurationError(
      `No route of ${address.base} is left by ${parts.join(' and ')}. The root index names the namespaces: ${address.root}`,
    );
  }
  const what = index.routes.length === 0 ? 'has no routes' : 'has no route with operations';
  return new DiscoveryError(
    `The root index at ${address.root} ${what}. A plugin may hide them: try --auth user:application-password.`,
    { reason: 'no-routes' },
  );
}

/** Creates the content of a file in chunks: the files of a large document have a hundred megabytes. */
export type FilePrinter = () => Iterable<string> | Promise<Iterable<string>>;

/**
 * Lists the files of a document by name: JSON and YAML, if there is a report, which follows at the end; between, those that
 * programs import. They have the name of the files for a title, so that a site that is renamed leaves them unchanged.
 */
export function listFiles(
  document: OpenApiDocument,
  report: GenerationReport | undefined,
  name: string,
  { client = false, validators }: Pick<GenerateOptions, 'client' | 'validators'>,
): ReadonlyMap<string, FilePrinter> {
  const { description: _, ...info } = document.info;
  const untitled: OpenApiDocument = { ...document, info: { ...info, title: name } };
  const files = new Map<string, FilePrinter>();
  if (report !== undefined) {
    files.set(`${name}.openapi.json`, () => joinToChunks(printJson(document)));
    files.set(`${name}.openapi.yaml`, () => joinToChunks(printYaml(document)));
  }
  files.set(`${name}.ts`, async () => joinToChunks(await toTypeParts(untitled)));
  if (client) files.set(`${name}.client.ts`, async () => [await toClient(untitled)]);
  if (validators !== undefined) {
    // TypeScript resolves `.js` to the types under every kind of module resolution.
    const options = { kind: validators, types: `./${name}.js` };
    files.set(`${name}.validators.ts`, async () => [await toValidators(untitled, options)]);
  }
  if (report !== undefined) files.set(`${name}.report.json`, () => joinToChunks(printJson(report)));
  return files;
}

/** Derives the base name of a site's files from its base URL, in characters that every file system accepts: `example.com-blog`, `127.0.0.1-8081`. */
export function defaultBaseName(base: string): string {
  const { host, pathname } = new URL(base);
  return `${host}${pathname}`
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
}

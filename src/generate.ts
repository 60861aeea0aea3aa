import { type DiscoverOptions, discover } from './discovery/index.ts';
import type { DiscoveredSite } from './discovery/site.ts';
import type { GenerationReport } from './openapi/index.ts';
import { stringifyDocument, toOpenApi, toYaml, overlayGeneration } from './openapi/index.ts';
import { toTypes } from './types/index.ts';

/** What `waygate generate` makes of a site. */
export interface GenerationResult {
  readonly report: GenerationReport;
  /** By file name: `<name>.openapi.json`, `<name>.openapi.yaml`, `<name>.ts`, `<name>.report.json`. */
  readonly files: ReadonlyMap<string, string>;
}

export interface GenerateOptions extends DiscoverOptions {
  /** What the files are called. @default made from the site's address (`nameOf`) */
  readonly name?: string | undefined;
  /** The address that the document's paths are below, such as a gateway's. @default the site's own */
  readonly server?: string | undefined;
  /**
   * An OpenAPI Overlay, such as `waygate reconcile` writes, that is applied before the types are made. It may come from
   * a file: it is checked.
   * @default none
   */
  readonly overlay?: unknown;
}

/**
 * Reads a site and makes its document, its types and the report of what was repaired. Writes nothing. The same site
 * gives the same bytes.
 *
 * @param url any address of the site
 * @throws DiscoveryError where the site cannot be read
 */
export async function generate(url: string, options: GenerateOptions = {}): Promise<GenerationResult> {
  return generateFrom(await discover(url, options), options);
}

/** The same from a site that has been read. */
export async function generateFrom(
  site: DiscoveredSite,
  options: Pick<GenerateOptions, 'name' | 'server' | 'overlay'> = {},
): Promise<GenerationResult> {
  const { name = defaultFileName(site.address.base), overlay, server } = options;
  const stated = toOpenApi(site, server === undefined ? {} : { server });
  const { document, report } = overlay === undefined ? stated : overlayGeneration(stated, overlay);
  return {
    report,
    files: new Map([
      [`${name}.openapi.json`, stringifyDocument(document)],
      [`${name}.openapi.yaml`, toYaml(document)],
      [`${name}.ts`, await toTypes(document)],
      [`${name}.report.json`, `${JSON.stringify(report, null, 2)}\n`],
    ]),
  };
}

/** `example.com`, `127.0.0.1-8081`, `example.com-blog`: host, port and path in what every file system takes. */
export function defaultFileName(base: string): string {
  const { host, pathname } = new URL(base);
  return `${host}${pathname}`
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
}

import type { SiteAddress } from '../../discovery/site.ts';
import type { RequestHead } from '../../http/request-head.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { readOperations } from '../../openapi/index.ts';
import { createOperationMatcher, type OperationMatcher } from '../../router/matcher.ts';
import { createTargetResolver } from '../../router/target.ts';
import { createUpstreamAddressing } from '../../upstream/addressing.ts';
import { createSiteUrls, type SiteUrls } from '../../upstream/base-urls.ts';
import { createResponseValidator, type ResponseValidator } from '../../validation/response/index.ts';
import { createDocumentRepresentations, type DocumentRepresentations } from './document-representations.ts';
import { createDocumentValidators, type DocumentValidators } from './document-validators.ts';
import { createRequestResolver, type Reading } from './resolved-request.ts';
import { withGatewayServers } from './served-document.ts';

/**
 * All that requests to one site are served from, made once from its document and never changed: a request that began
 * on a snapshot ends on it, whatever replaces it meanwhile.
 */
export interface Snapshot {
  /** Scheme, host and port to ask, and the site's own `Host`. */
  readonly origin: string;
  readonly host: string;
  /** Where the interface stands. */
  readonly address: SiteAddress;
  /** The site's own name, for the title of its documentation. */
  readonly title: string;
  readonly operationCount: number;
  /** What a request's head means here. */
  readonly read: (head: RequestHead) => Reading;
  /** Finds operations by method and route. */
  readonly matcher: OperationMatcher;
  /** The addresses by which the site names itself. */
  readonly bases: SiteUrls;
  /** Judge the requests by the document; `null` in front of an origin that was not discovered. */
  readonly judges: DocumentValidators | null;
  /** Judges the site's answers by the document. */
  readonly answers: ResponseValidator;
  /** How often each rule of the generator was applied to the site, where it has been read. */
  readonly diagnostics: Readonly<Record<string, number>> | null;
  /** The document as it goes out; `null` in front of an origin that was not discovered. */
  readonly renditions: DocumentRepresentations | null;
}

export interface SnapshotOptions {
  /** `/content`, or empty. */
  readonly mount: string;
  readonly passthrough: boolean;
  /** The site's path as callers know it (`publicPath`). @default the mount */
  readonly publicPath?: string;
  /** What the generator had to repair: how often each of its rules was applied. @default it is not known */
  readonly diagnostics?: Readonly<Record<string, number>>;
}

/**
 * @param document an OpenAPI document as `toOpenApi` makes it, generated now or stored
 * @throws ConfigurationError where the document is not one that a gateway can be started from
 */
export function createSnapshot(document: unknown, options: SnapshotOptions): Snapshot {
  const { mount, passthrough, publicPath = mount } = options;
  const api = readOperations(document);
  // What is no object at all has been refused there.
  const content: JsonObject = isJsonObject(document) ? document : {};
  const matcher = createOperationMatcher(api);
  const { prefix } = api.address;
  const renditions = createDocumentRepresentations(
    withGatewayServers(content, { publicPath, prefix, passthrough }),
  );
  return {
    ...endOf(api.address),
    address: api.address,
    title: titleOf(content) ?? api.address.base,
    operationCount: api.routes.reduce((count, { operations }) => count + operations.size, 0),
    read: createRequestResolver({
      resolve: createTargetResolver({
        mount,
        site: api.address,
        passthrough,
        discovery: true,
        hasRoute: matcher.hasRoute,
      }),
      matcher,
      addressing: createUpstreamAddressing(api.address),
    }),
    matcher,
    bases: basesOf(api.address),
    judges: createDocumentValidators(content, api),
    answers: createResponseValidator(content),
    diagnostics: options.diagnostics ?? null,
    renditions,
  };
}

/** What a plain reverse proxy in front of any origin is served from: no document, no routes. */
export function createOriginSnapshot(url: string, { mount, passthrough }: SnapshotOptions): Snapshot {
  const base = new URL(url.endsWith('/') ? url : `${url}/`).href;
  const site: SiteAddress = { base, root: base, spelling: 'plain', prefix: 'wp-json' };
  const matcher = createOperationMatcher({ address: site, namespaces: [], routes: [] });
  return {
    ...endOf(site),
    address: site,
    title: base,
    operationCount: 0,
    read: createRequestResolver({
      resolve: createTargetResolver({ mount, site, passthrough, discovery: false, hasRoute: () => false }),
      matcher,
      addressing: createUpstreamAddressing(site, { wordpress: false }),
    }),
    matcher,
    bases: basesOf(site),
    judges: null,
    answers: createResponseValidator({}),
    diagnostics: null,
    renditions: null,
  };
}

function titleOf({ info }: JsonObject): string | undefined {
  const title = isJsonObject(info) ? info['title'] : undefined;
  return typeof title === 'string' ? title : undefined;
}

function endOf({ base }: SiteAddress): Pick<Snapshot, 'origin' | 'host'> {
  const { origin, host } = new URL(base);
  return { origin, host };
}

function basesOf({ base, aliases = [] }: SiteAddress): SiteUrls {
  return createSiteUrls([base, ...aliases].map((url) => ({ url })));
}

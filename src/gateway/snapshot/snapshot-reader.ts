import { defined } from '../../defined.ts';
import type { FailureReason } from '../../discovery/failure-reasons.ts';
import { discover } from '../../discovery/index.ts';
import { DiscoveryError } from '../../errors.ts';
import { checkOverlay, overlayGeneration, toOpenApi } from '../../openapi/index.ts';
import type { GatewayOptions } from '../options/gateway-options.ts';
import { mountPath, publicPath } from '../options/mount-path.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { createOriginSnapshot, createSnapshot, type Snapshot, type SnapshotOptions } from './snapshot.ts';

/**
 * Creates the snapshot that serves a site before its discovery: from the stored document, or, without discovery, from the
 * site's address. Returns `null` if there is neither.
 *
 * @throws {ConfigurationError} when the stored document lacks what a gateway needs
 */
export function createInitialSnapshot(options: SiteOptions, gateway: GatewayOptions): Snapshot | null {
  const mounting = toSnapshotOptions(options, gateway);
  if (options.document !== undefined) return createSnapshot(options.document, mounting);
  return options.discovery === 'off' ? createOriginSnapshot(options.url, mounting) : null;
}

function toSnapshotOptions(options: SiteOptions, { publicUrl }: GatewayOptions): SnapshotOptions {
  const mount = mountPath(options);
  return { mount, passthrough: options.passthrough ?? false, publicPath: publicPath(publicUrl, mount) };
}

/** Discovers a site, and creates its snapshot; `null` if nothing has changed. Rejects if the site cannot be read. */
export type SnapshotReader = (signal: AbortSignal) => Promise<Snapshot | null>;

/** @throws {ConfigurationError} when the overlay is invalid */
export function createSnapshotReader(options: SiteOptions, gateway: GatewayOptions): SnapshotReader {
  const mounting = toSnapshotOptions(options, gateway);
  const { overlay } = options;
  if (overlay !== undefined) checkOverlay(overlay);
  if (options.discovery === 'off') return () => Promise.resolve(null);

  const { fetch } = gateway;
  let lastIndex = '';
  let isPlainProxy = false;

  return async (signal) => {
    const discoverOptions = { ...options.discover, signal, ...defined({ fetch }) };
    const site = await discover(options.url, discoverOptions).catch((error: unknown) => {
      if (lastIndex === '' && options.document === undefined && isSiteWithoutIndex(options, error)) {
        return null;
      }
      throw error;
    });
    if (site === null) {
      if (isPlainProxy) return null;
      isPlainProxy = true;
      gateway.log?.warn(
        { site: mounting.mount },
        'the site has no root index: all requests are forwarded without a document',
      );
      return createOriginSnapshot(options.url, mounting);
    }
    // The comparison is a hundred times cheaper than the model, and most discoveries find no change.
    const index = JSON.stringify([site.address, site.index]);
    if (index === lastIndex) return null;
    const generation = toOpenApi(site);
    const { document, report } = overlay === undefined ? generation : overlayGeneration(generation, overlay);
    const snapshot = createSnapshot(document, { ...mounting, diagnostics: report.rules });
    lastIndex = index;
    return snapshot;
  };
}

/** Failures that prove that the site responds but has no root index. */
const NO_INDEX_REASONS = [
  'not-an-index',
  'empty',
  'not-json',
  'client-error',
  'html',
  'not-found',
  'not-wordpress',
] as const satisfies readonly FailureReason[];

const NO_INDEX_REASON_SET: ReadonlySet<string> = new Set(NO_INDEX_REASONS);

/** With passthrough a site without REST API is still proxied. */
function isSiteWithoutIndex({ passthrough }: SiteOptions, error: unknown): boolean {
  return passthrough === true && error instanceof DiscoveryError && NO_INDEX_REASON_SET.has(error.reason);
}

import type { FailureReason } from '../../discovery/failure-reasons.ts';
import { discover } from '../../discovery/index.ts';
import { DiscoveryError } from '../../errors.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { applyOverlayToGeneration, checkOverlay, toOpenApi } from '../../openapi/index.ts';
import type { GatewayOptions } from '../options/gateway-options.ts';
import { toMountPath, toPublicPath } from '../options/mount-path.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { createPlainProxySnapshot, createSnapshot, type Snapshot, type SnapshotOptions } from './snapshot.ts';

/**
 * Creates the snapshot that serves a site before its discovery: from the stored document, or, without discovery, from the
 * site's address. Returns `null` if there is neither.
 *
 * @throws {ConfigurationError} when the stored document lacks what a gateway needs
 */
export function createInitialSnapshot(options: SiteOptions, gateway: GatewayOptions): Snapshot | null {
  const snapshotOptions = toSnapshotOptions(options, gateway);
  if (options.document !== undefined) return createSnapshot(options.document, snapshotOptions);
  return options.discovery === 'off' ? createPlainProxySnapshot(options.url, snapshotOptions) : null;
}

function toSnapshotOptions(options: SiteOptions, { publicUrl }: GatewayOptions): SnapshotOptions {
  const mount = toMountPath(options);
  return { mount, passthrough: options.passthrough ?? false, publicPath: toPublicPath(publicUrl, mount) };
}

/** Discovers a site and creates its snapshot. Resolves to `null` if nothing has changed; rejects if discovery fails. */
export type SnapshotDiscovery = (signal: AbortSignal) => Promise<Snapshot | null>;

/**
 * Creates the function that discovers one site.
 *
 * @throws {ConfigurationError} when the overlay is invalid
 */
export function createSnapshotDiscovery(options: SiteOptions, gateway: GatewayOptions): SnapshotDiscovery {
  const snapshotOptions = toSnapshotOptions(options, gateway);
  const { overlay } = options;
  if (overlay !== undefined) checkOverlay(overlay);
  if (options.discovery === 'off') return () => Promise.resolve(null);

  const { fetch } = gateway;
  let lastIndex = '';
  let isPlainProxy = false;

  return async (signal) => {
    const discoverOptions = { ...options.discover, signal, ...omitUndefined({ fetch }) };
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
        { site: snapshotOptions.mount },
        'the site has no root index: all requests are forwarded without a document',
      );
      return createPlainProxySnapshot(options.url, snapshotOptions);
    }
    // Comparing the index is a hundred times cheaper than creating a snapshot, and most discoveries find no change.
    const index = JSON.stringify([site.address, site.index]);
    if (index === lastIndex) return null;
    const generation = toOpenApi(site);
    const { document, report } =
      overlay === undefined ? generation : applyOverlayToGeneration(generation, overlay);
    const snapshot = createSnapshot(document, { ...snapshotOptions, diagnosticCounts: report.rules });
    lastIndex = index;
    return snapshot;
  };
}

/** Failures that prove that the site responds but has no root index. */
const NO_INDEX_REASONS: ReadonlySet<string> = new Set<FailureReason>([
  'not-an-index',
  'empty',
  'not-json',
  'client-error',
  'html',
  'not-found',
  'not-wordpress',
]);

/** Whether discovery failed because the site has no root index, and `passthrough` allows to proxy it nevertheless. */
function isSiteWithoutIndex({ passthrough }: SiteOptions, error: unknown): boolean {
  return passthrough === true && error instanceof DiscoveryError && NO_INDEX_REASONS.has(error.reason);
}

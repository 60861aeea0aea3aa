import { hostname } from 'node:os';
import { ConfigurationError } from '../../errors.ts';
import { readBuild } from '../version.ts';

/** The used parts of the SDK, which is installed on wish: its own types may be missing. */
interface Sdk {
  readonly NodeTracerProvider: new (options: object) => { register(): void; shutdown(): Promise<void> };
  readonly BatchSpanProcessor: new (exporter: unknown) => unknown;
}
interface Exporter {
  readonly OTLPTraceExporter: new (options: { url: string }) => unknown;
}
interface Resources {
  resourceFromAttributes(attributes: Readonly<Record<string, string>>): { merge(other: unknown): unknown };
  detectResources(options: { detectors: readonly unknown[] }): unknown;
  readonly envDetector: unknown;
}

const PACKAGES = [
  '@opentelemetry/sdk-trace-node',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
];
/** Milliseconds that the last spans may take at the end. */
const SHUTDOWN_TIMEOUT = 2_000;

/**
 * Registers the official SDK, which sends spans to a collector. Its variables `OTEL_*` apply.
 *
 * @param url of the collector, such as `http://127.0.0.1:4318`; spans go to `/v1/traces` below it
 * @returns sends what is left
 * @throws {ConfigurationError} when the SDK is not installed
 */
export async function registerOtlp(url: string | undefined): Promise<() => Promise<void>> {
  if (url === undefined) return () => Promise.resolve();
  const [sdk, exporter, resources] = await loadSdk();
  const { commit, version } = readBuild();
  const attributes = {
    'service.name': 'waygate',
    'service.version': version,
    'service.instance.id': `${hostname()}:${process.pid}`,
    'vcs.ref.head.revision': commit,
  };
  const { detectResources, envDetector, resourceFromAttributes } = resources;
  const resource = resourceFromAttributes(attributes).merge(detectResources({ detectors: [envDetector] }));
  const traces = new exporter.OTLPTraceExporter({ url: `${url.replace(/\/+$/, '')}/v1/traces` });
  const provider = new sdk.NodeTracerProvider({
    resource,
    spanProcessors: [new sdk.BatchSpanProcessor(traces)],
  });
  provider.register();
  return async () => {
    const late = new Promise((resolve) => setTimeout(resolve, SHUTDOWN_TIMEOUT).unref());
    await Promise.race([provider.shutdown().catch(() => {}), late]);
  };
}

async function loadSdk(): Promise<readonly [Sdk, Exporter, Resources]> {
  try {
    const [sdk, exporter, resources] = await Promise.all(PACKAGES.map((name) => import(name)));
    return [sdk, exporter, resources];
  } catch (cause) {
    throw new ConfigurationError(
      `otlp: the SDK of OpenTelemetry is not installed beside waygate: npm install @opentelemetry/api ${PACKAGES.join(' ')}`,
      { cause },
    );
  }
}

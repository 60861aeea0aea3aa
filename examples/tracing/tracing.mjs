// Sends the spans of waygate to a collector: node --import ./tracing.mjs node_modules/.bin/waygate serve …
// The variables of the SDK apply: OTEL_EXPORTER_OTLP_ENDPOINT (http://localhost:4318), OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER.
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const provider = new NodeTracerProvider({
  resource: detectResources({ detectors: [envDetector] }),
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
provider.register();
process.once('beforeExit', () => provider.shutdown());

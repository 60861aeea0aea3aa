import type { RequestHead } from '../http/exchange.ts';
import { fieldValue, withoutFields } from '../http/fields.ts';
import type { RequestTrace, SpanOutcome } from '../http/request-trace.ts';

/** The used part of `@opentelemetry/api`, which is an optional peer: its own types might be missing. */
export interface OpenTelemetry {
  readonly ROOT_CONTEXT: unknown;
  readonly SpanKind: { readonly SERVER: number; readonly CLIENT: number };
  readonly SpanStatusCode: { readonly ERROR: number };
  readonly propagation: {
    extract(context: unknown, carrier: Fields): unknown;
    inject(context: unknown, carrier: Fields): void;
  };
  readonly trace: {
    /** A proxy has no delegate until an SDK is registered. */
    getTracerProvider(): { getDelegateTracer(name: string): Tracer | undefined };
    setSpan(context: unknown, span: Span): unknown;
  };
}

type Fields = Record<string, string>;
type Attributes = Readonly<Record<string, string | number>>;

interface Tracer {
  startSpan(name: string, options: { kind: number; attributes: Attributes }, context: unknown): Span;
}

interface Span {
  spanContext(): { readonly traceId: string };
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { code: number }): unknown;
  updateName(name: string): unknown;
  end(): void;
}

/** Loads the API of OpenTelemetry. @returns `null` if it is not installed */
export async function loadOpenTelemetry(): Promise<OpenTelemetry | null> {
  const specifier: string = '@opentelemetry/api';
  try {
    return await import(specifier);
  } catch {
    return null;
  }
}

const TRACEPARENT: ReadonlySet<string> = new Set(['traceparent']);

/** Names and attributes are those of the semantic conventions for HTTP. */
export class SpanTrace implements RequestTrace {
  readonly traceId: string;
  readonly #api: OpenTelemetry;
  readonly #tracer: Tracer;
  readonly #method: string;
  readonly #span: Span;
  readonly #context: unknown;

  constructor(api: OpenTelemetry, tracer: Tracer, head: RequestHead & { readonly protocol: string }) {
    const { headers, method, protocol, target } = head;
    this.#api = api;
    this.#tracer = tracer;
    this.#method = method;
    const carrier: Fields = {};
    for (const name of ['traceparent', 'tracestate']) {
      const value = fieldValue(headers, name);
      if (value !== undefined) carrier[name] = value;
    }
    const attributes = {
      'http.request.method': method,
      'url.path': withoutQuery(target),
      'url.scheme': protocol,
      'server.address': fieldValue(headers, 'host') ?? '',
      'user_agent.original': fieldValue(headers, 'user-agent') ?? '',
    };
    const parent = api.propagation.extract(api.ROOT_CONTEXT, carrier);
    this.#span = tracer.startSpan(method, { kind: api.SpanKind.SERVER, attributes }, parent);
    this.#context = api.trace.setSpan(parent, this.#span);
    this.traceId = this.#span.spanContext().traceId;
  }

  beginSite({
    headers,
    method,
    target,
  }: Parameters<RequestTrace['beginSite']>[0]): ReturnType<RequestTrace['beginSite']> {
    const attributes = {
      'http.request.method': method,
      'url.path': withoutQuery(target),
      'server.address': fieldValue(headers, 'host') ?? '',
    };
    const span = this.#tracer.startSpan(
      method,
      { kind: this.#api.SpanKind.CLIENT, attributes },
      this.#context,
    );
    const carrier: Fields = {};
    this.#api.propagation.inject(this.#api.trace.setSpan(this.#context, span), carrier);
    // Other fields of a propagator belong to the client, and other clients can get the response.
    const { traceparent } = carrier;
    let isEnded = false;
    return {
      headers:
        traceparent === undefined
          ? headers
          : [...withoutFields(headers, TRACEPARENT), 'traceparent', traceparent],
      end: (status) => {
        if (!isEnded) this.#end(span, { status });
        isEnded = true;
      },
    };
  }

  end(route: string | null, outcome: SpanOutcome): void {
    if (route !== null) {
      this.#span.updateName(`${this.#method} ${route}`);
      this.#span.setAttributes({ 'http.route': route });
    }
    this.#end(this.#span, outcome);
  }

  #end(span: Span, { attributes = {}, status }: SpanOutcome): void {
    const all = { ...attributes, 'http.response.status_code': status };
    for (const [name, value] of Object.entries(all)) {
      if (value !== null && value !== undefined) span.setAttributes({ [name]: value });
    }
    if (status === null || status >= 500) span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
    span.end();
  }
}

/** The query can contain passwords and nonces. */
function withoutQuery(target: string): string {
  return target.replace(/\?.*$/s, '');
}

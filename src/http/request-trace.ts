export interface SpanOutcome {
  /** `null` without a response. */
  readonly status: number | null;
  readonly attributes?: Readonly<Record<string, string | number | null | undefined>>;
}

export interface SiteSpan {
  /** The request's fields for the site, with the `traceparent` of this span. */
  readonly headers: string[];
  /** Idempotent. */
  end(status: number | null): void;
}

/** The spans of one request. Only a registered SDK of OpenTelemetry makes some. */
export interface RequestTrace {
  readonly traceId: string;
  /** Begins a part of the request's work, and ends the part before it. */
  begin(part: 'validation' | 'store'): void;
  leave(): void;
  beginSite(request: {
    readonly method: string;
    readonly target: string;
    readonly headers: string[];
  }): SiteSpan;
  /** @param route template of the operation's path; `null` if it is not known */
  end(route: string | null, outcome: SpanOutcome): void;
}

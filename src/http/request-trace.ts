export interface SpanOutcome {
  readonly status: number | null;
  readonly attributes?: Readonly<Record<string, string | number | null | undefined>>;
}

export interface SiteSpan {
  /** Fields for the site, with the `traceparent` of this span. */
  readonly headers: string[];
  end(status: number | null): void;
}

/** Only a registered SDK of OpenTelemetry makes spans. */
export interface RequestTrace {
  readonly traceId: string;
  beginSite(request: {
    readonly method: string;
    readonly target: string;
    readonly headers: string[];
  }): SiteSpan;
  /** @param route template of the operation's path, if it is known */
  end(route: string | null, outcome: SpanOutcome): void;
}

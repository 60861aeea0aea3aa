import { PathExpander } from '../reconcile/path-expander.ts';
import type { OperationMatcher } from '../router/matcher.ts';
import type { OriginVerdict } from '../validation/evidence/origin-verdict.ts';
import type { ResolveReference } from '../validation/wordpress/index.ts';
import { findRequiredValues, type ProbeBase } from './draw-probes.ts';
import { matchPath, type ProbeEndpoint } from './endpoints.ts';
import type { ProbeClient } from './probe-client.ts';
import { createProbeRequest, type ProbePath } from './probe-request.ts';

/** Why no valid request to an endpoint is known. */
export type MissingBase =
  /** No path of the route is known, or the site wants an existing item. */
  | 'needs-existing-item'
  /** No valid value of a required argument is known. */
  | 'needs-valid-values';

export interface EndpointRequestsContext {
  readonly client: ProbeClient;
  readonly matcher: OperationMatcher;
  readonly resolve: ResolveReference;
}

/** The valid requests of one site's endpoints: probes are made from them. Each is found out once. */
export class EndpointRequests {
  readonly #context: EndpointRequestsContext;
  readonly #bases = new Map<ProbeEndpoint, Promise<ProbeBase | MissingBase>>();
  readonly #controls = new Map<ProbeEndpoint, Promise<OriginVerdict | null>>();
  readonly #existingPaths = new Map<ProbeEndpoint, Promise<ProbePath | null>>();

  constructor(context: EndpointRequestsContext) {
    this.#context = context;
  }

  /** Returns the site's verdict on a request that violates nothing; `null` when there is none. */
  getControl(endpoint: ProbeEndpoint): Promise<OriginVerdict | null> {
    const known = this.#controls.get(endpoint);
    if (known !== undefined) return known;
    const control = this.getBase(endpoint).then(async (base) =>
      typeof base === 'string' ? null : this.#sendControl(endpoint, base),
    );
    this.#controls.set(endpoint, control);
    return control;
  }

  async #sendControl(
    { operation }: ProbeEndpoint,
    { path, values }: Pick<ProbeBase, 'path' | 'values'>,
  ): Promise<OriginVerdict | null> {
    const request = createProbeRequest(operation, path, values);
    if (request === null) return null;
    const outcome = await this.#context.client.send(request);
    return outcome.kind === 'verdict' ? outcome.verdict : null;
  }

  getBase(endpoint: ProbeEndpoint): Promise<ProbeBase | MissingBase> {
    const known = this.#bases.get(endpoint);
    if (known !== undefined) return known;
    const created = this.#createBase(endpoint);
    this.#bases.set(endpoint, created);
    return created;
  }

  async #createBase(endpoint: ProbeEndpoint): Promise<ProbeBase | MissingBase> {
    const { resolve } = this.#context;
    const path = await this.#findPath(endpoint);
    if (path === null) return 'needs-existing-item';
    const values = findRequiredValues(endpoint, path, resolve);
    return values === null ? 'needs-valid-values' : { path, values, resolve };
  }

  /** Returns the path of an item that does not exist, or of an existing one if a read refuses the other. */
  async #findPath(endpoint: ProbeEndpoint): Promise<ProbePath | null> {
    const { operation, path } = endpoint;
    const hasGroups = operation.path.includes('{');
    if (operation.method !== 'GET' || !hasGroups) return path;
    if (path === null) return this.#findExistingPath(endpoint);
    const values = findRequiredValues(endpoint, path, this.#context.resolve);
    const verdict = values === null ? null : await this.#sendControl(endpoint, { path, values });
    const refusesGroup =
      verdict?.kind === 'refused' && verdict.params.some((name) => Object.hasOwn(path.groups, name));
    return refusesGroup ? this.#findExistingPath(endpoint) : path;
  }

  /** Reads the collection above an item, and returns the path of its first item. */
  #findExistingPath(endpoint: ProbeEndpoint): Promise<ProbePath | null> {
    const known = this.#existingPaths.get(endpoint);
    if (known !== undefined) return known;
    const created = this.#readCollection(endpoint);
    this.#existingPaths.set(endpoint, created);
    return created;
  }

  async #readCollection({ operation }: ProbeEndpoint): Promise<ProbePath | null> {
    const { client, matcher } = this.#context;
    const collection = operation.path.slice(0, operation.path.indexOf('{')).replace(/\/+$/, '');
    const outcome = await client.send({ method: 'GET', path: collection, query: '', body: null });
    if (outcome.kind === 'failure' || outcome.body === undefined) return null;
    const expander = new PathExpander();
    expander.addResponse(collection, outcome.body);
    const [path] = expander.expand(operation.path, 1);
    return path === undefined ? null : matchPath(operation, path, matcher);
  }
}

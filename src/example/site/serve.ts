import type { Json } from '../../json.ts';
import { authenticate } from './authenticate.ts';
import type { SiteDefinition } from './definition.ts';
import { dispatch, type Ground } from './dispatch.ts';
import { embed, readEmbed } from './embed.ts';
import { type Incoming, withinSite } from './incoming.ts';
import { envelope, errorOutcome, type Outcome } from './outcome.ts';
import { answerOutside } from './outside.ts';
import { readBody, takeBytes } from './read-body.ts';
import { type Address, isMismatch, methodOf, readAddress, routeOf } from './read-request.ts';
import { refuseCallback, type Written, writeResponse } from './write-response.ts';

export interface ServerOptions {
  /** In milliseconds. */
  readonly latency: number;
  /** In bytes. */
  readonly bodyLimit: number;
  /** The address that the site writes; undefined for the one that is asked. */
  readonly base: string | undefined;
}

/** Answers requests as a site does: its interface, or what is outside of it. */
export function createServer<State>(
  definition: SiteDefinition<State>,
  ground: Ground<State>,
  { latency, bodyLimit, base: ownBase }: ServerOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = new URL(request.url);
    const base = ownBase ?? url.origin;
    const address = readAddress(url);
    const sent = request.method;
    const method = methodOf(sent, address.query, request.headers);
    const bytes = await takeBytes(request, bodyLimit);
    const read =
      'kind' in bytes ? null : await readBody(bytes, request.headers.get('content-type'), { sent, method });
    const form = sent === 'POST' && read !== null ? read.form : new Map<string, Json>();
    if (isMismatch(address, form)) return mismatch();
    const route = routeOf(address, form);
    if (route === null)
      return answerOutside(definition, url, { base, state: ground.state(), now: ground.now() });

    const authenticated = authenticate(request.headers.get('authorization'), definition.users);
    const incoming: Incoming = {
      method,
      route,
      query: address.query,
      form: new Map(),
      json: new Map(),
      body: null,
      files: [],
      ...read,
      headers: request.headers,
      user: authenticated.ok ? authenticated.user : null,
      base,
    };
    const jsonp = readJsonp(address);
    const written: Written = {
      incoming,
      sent,
      overridden: method !== sent && !address.query.has('_method'),
      jsonp: jsonp ?? undefined,
    };
    if (latency > 0) await new Promise((resolve) => setTimeout(resolve, latency));
    if (jsonp === null) return refuseCallback(base);
    if ('kind' in bytes) return writeResponse(errorOutcome(bytes), written);
    const outcome = authenticated.ok ? await dispatch(ground, incoming) : errorOutcome(authenticated.error);
    return writeResponse(await wrap(ground, incoming, outcome), written);
  };
}

/** The name of the function to call; undefined where none is wanted, null where it is no name (wp_check_jsonp_callback). */
function readJsonp({ query }: Address): string | undefined | null {
  const name = query.get('_jsonp');
  if (name === undefined || name === '') return undefined;
  return typeof name === 'string' && /^[\w.]+$/.test(name) ? name : null;
}

/** `_embed` and `_envelope`, which count in the query alone. */
async function wrap<State>(ground: Ground<State>, incoming: Incoming, outcome: Outcome): Promise<Outcome> {
  const { query } = incoming;
  const wanted = query.get('_embed');
  const body =
    wanted === undefined || outcome.raw !== undefined
      ? outcome.body
      : await embed(outcome.body, readEmbed(wanted), (href) => fetchWithin(ground, incoming, href));
  if (!query.has('_envelope')) return { ...outcome, body };
  return { status: 200, headers: new Map(), body: envelope(outcome, body) };
}

/** A link of the site's own interface, run for the same caller in the context `embed`. */
async function fetchWithin<State>(
  ground: Ground<State>,
  outer: Incoming,
  href: string,
): Promise<Json | null> {
  if (!href.startsWith(`${outer.base}/`)) return null;
  const address = readAddress(new URL(href));
  const route = routeOf(address, new Map());
  if (route === null) return null;
  const query = new Map([...address.query].filter(([name]) => name !== 'rest_route'));
  if (!query.has('context')) query.set('context', 'embed');
  const outcome = await dispatch(ground, withinSite(outer, { method: 'GET', route, query }));
  return outcome.body;
}

function mismatch(): Response {
  return new Response('A variable mismatch has been detected.\n', {
    status: 400,
    headers: { 'Content-Type': 'text/html; charset=UTF-8' },
  });
}

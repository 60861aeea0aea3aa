import type { AddressExplanation, ExplainedFact } from '../../console/cache/explanation.tsx';
import { explainCode } from '../../console/problems/problem-words.ts';
import { toValueText } from '../../docs/details/plain-text.ts';
import { explainCacheDetail } from '../../docs/try/cache-details.ts';
import { siteKey } from '../admin/site-operations.ts';
import { inspectRead, type RequestInspection } from '../inspect-read.ts';
import type { MountedSite } from '../mounted-site.ts';
import type { ResolvedRequest } from '../snapshot/resolve-request.ts';
import type { ConsoleContext } from './console-context.ts';
import { toDocsUrl } from './console-links.tsx';
import {
  describeKey,
  describeLookup,
  describeRule,
  describeStored,
  describeWrites,
  MAX_ITEMS,
} from './explain-storage.ts';
import { readTypedAddress, type TypedAddress, type TypedText } from './typed-address.ts';

/** An explanation, or a sentence that tells why there is none. */
export function explainAddress(
  context: ConsoleContext,
  ofPage: MountedSite,
  root: string,
  text: TypedText,
): AddressExplanation | string {
  const typed = readTypedAddress(text, context, ofPage);
  if (typeof typed === 'string') return typed;
  if (typed.hasHost && context.isServedHost?.(typed.head) === false) {
    return 'The gateway refuses this host with 421: the setting "hosts" does not list it.';
  }
  const inspection = inspectAtKnownHost(typed);
  if (inspection === null) return 'The site has not been read yet.';
  const { resolved } = inspection;
  // What comes from the store is the answer to the question, so it is first.
  const [verdict, ...details] = describeCaching(context, typed.site, inspection);
  return {
    isStored: (inspection.caching?.lookup?.responses.length ?? 0) > 0,
    facts: [
      ...(verdict === undefined ? [] : [verdict]),
      {
        name: 'Site',
        text: `${siteKey(typed.site)}, mounted at ${typed.site.mount === '' ? '/' : typed.site.mount}`,
      },
      describeTarget(resolved),
      ...describeOperation(context, root, typed.site, resolved),
      ...describeValidity(inspection),
      ...details,
    ],
  };
}

/** The gateway's address is part of the key. If none was typed, one is used under which the resource is stored. */
function inspectAtKnownHost({ hasHost, head, site }: TypedAddress): RequestInspection | null {
  const inspection = inspectRead(site, head);
  const lookup = inspection?.caching?.lookup ?? null;
  if (inspection === null || hasHost || lookup === null || lookup.responses.length > 0) return inspection;
  const [base] = listPublicBases(site, inspection);
  if (base === undefined || !URL.canParse(base)) return inspection;
  const { host, protocol } = new URL(base);
  return inspectRead(site, {
    ...head,
    headers: ['host', host, ...head.headers.slice(2)],
    protocol: protocol === 'https:' ? 'https' : 'http',
  });
}

/** Lists the addresses of the gateway under which responses of a resource are in memory. */
function listPublicBases(
  { caching }: MountedSite,
  { caching: inspected, snapshot }: RequestInspection,
): readonly string[] {
  if (caching === null || inspected?.resource.kind !== 'resource') return [];
  const { resourceKey } = inspected.resource.properties;
  const selected = caching.cache.store.inspector?.select(caching.views.selectTags(snapshot, [resourceKey]));
  const keys = selected?.keys.filter((key) => key.split('\n', 3)[2] === resourceKey) ?? [];
  return [...new Set(keys.map((key) => key.split('\n', 2)[1] ?? ''))];
}

const SPELLINGS = {
  plain: 'with rest_route in the query',
  pretty: 'below the prefix of the REST API',
  short: 'in the short form of the gateway',
} as const;

function describeTarget(resolved: ResolvedRequest): ExplainedFact {
  const name = 'Meaning';
  if (resolved.kind === 'route') {
    const { route, spelling } = resolved.target;
    return { name, text: `The REST route ${route}, written ${SPELLINGS[spelling]}.` };
  }
  if (resolved.kind === 'page') return { name, text: `A page of the site: ${resolved.target.path}` };
  const { target } = resolved;
  switch (target.kind) {
    case 'refused':
      return { name, text: `Refused: ${target.message}` };
    case 'not-found':
      return { name, text: 'Nothing: the gateway responds with 404 itself.' };
    default:
      return { name, text: 'The gateway responds itself: documentation, document or types.' };
  }
}

function describeOperation(
  context: ConsoleContext,
  root: string,
  site: MountedSite,
  resolved: ResolvedRequest,
): readonly ExplainedFact[] {
  if (resolved.kind !== 'route') return [];
  const { match } = resolved;
  const name = 'Operation';
  if (match.kind === 'none') return [{ name, text: 'None: the document has no such route.' }];
  if (match.kind === 'method-not-allowed') {
    return [{ name, text: `None: the route allows ${match.methods.join(', ')} only.` }];
  }
  const { method, path, id } = match.operation;
  const certainty = match.isCertain ? '' : ' (another route may match at the site)';
  return [{ name, text: `${method} ${path}${certainty}`, url: toDocsUrl(context, root, site, id) }];
}

function describeValidity({ resolved, validation }: RequestInspection): readonly ExplainedFact[] {
  if (resolved.kind !== 'route' || resolved.match.kind !== 'found') return [];
  if (validation === null) {
    return [{ name: 'Validity', text: 'Not validated: it is not certain which parameters the site reads.' }];
  }
  const { isRefused, mode, parameters, violations } = validation;
  const items = [...parameters.path, ...parameters.query].map(
    ([name, value]) => `${name} = ${toValueText(value, 80)}`,
  );
  const facts: ExplainedFact[] = [
    items.length === 0
      ? { name: 'Parameters', text: 'none' }
      : {
          name: 'Parameters',
          text: 'as the site reads them:',
          items: items.slice(0, MAX_ITEMS),
          itemCount: items.length,
        },
  ];
  if (violations.length === 0) return [...facts, { name: 'Validity', text: `Valid (mode ${mode}).` }];
  const consequence = isRefused
    ? 'The gateway refuses it'
    : mode === 'off'
      ? 'Requests are not validated, so it is forwarded'
      : 'It is forwarded, and the response of the site is compared with the result';
  return [
    ...facts,
    {
      name: 'Validity',
      text: `Invalid. ${consequence} (mode ${mode}).`,
      items: violations.map(
        ({ param, rule, status }) =>
          `${param === '' ? 'the request' : param}: ${explainCode(rule)} (${status === 'core' ? 'known' : status === 'unknown' ? 'watched' : status})`,
      ),
    },
  ];
}

/** The first fact is what the store does. */
function describeCaching(
  { clock }: ConsoleContext,
  site: MountedSite,
  inspection: RequestInspection,
): readonly ExplainedFact[] {
  const { caching: inspected, resolved, snapshot } = inspection;
  if (resolved.kind === 'local') return [];
  if (site.caching === null) return [{ name: 'Store', text: 'Nothing of this site is cached.' }];
  if (inspected === null) {
    return [{ name: 'Store', text: 'The gateway refuses a request with these header fields.' }];
  }
  const { lookup, resource } = inspected;
  if (resource.kind === 'bypass') {
    return [{ name: 'Store', text: `Never stored: ${explainCacheDetail(resource.detail)}.` }];
  }
  if (lookup === null) return [];
  const now = clock.now();
  const labels =
    lookup.selected ??
    resource.properties.getPurgeLabels(
      { status: 200, reason: '', headers: ['content-type', 'application/json'] },
      new TextEncoder().encode('[]'),
      lookup.publicBase,
    );
  const scope = `${site.caching.views.getStoreScope(snapshot)} `;
  const tags = labels.tags.map((tag) => tag.slice(scope.length));
  return [
    { name: 'Store', text: describeLookup(lookup, now) },
    ...describeStored(lookup, now),
    describeRule(resource),
    describeKey(lookup, resource, listPublicBases(site, inspection)),
    {
      name: 'Tags',
      text:
        lookup.selected === undefined
          ? 'by its address; what its content shows adds more:'
          : 'a purge of any of them purges it:',
      items: tags.slice(0, MAX_ITEMS),
      itemCount: tags.length,
    },
    ...describeWrites(site.caching.views.listWrites(snapshot, labels)),
  ];
}

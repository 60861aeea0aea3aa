import type { OperationPolicy } from '../../docs/layout.tsx';
import type { Operation } from '../../openapi/index.ts';
import type { ValidationMode } from '../../validation/evidence/ledger.ts';
import { createModeResolver } from '../../validation/evidence/modes.ts';
import { createCacheRuleResolver } from '../../wordpress/cache-key.ts';
import type { SiteOptions } from '../options/site-options.ts';

const VALIDATION_TEXTS: Readonly<Record<ValidationMode, string>> = {
  off: 'The gateway forwards requests without validating them.',
  observe:
    "The gateway validates requests and forwards all of them. It compares its results with the site's responses.",
  enforce: 'The gateway refuses requests that break a known rule, and observes all other rules.',
  strict: 'The gateway refuses requests that the document forbids.',
};

/** Creates the function that describes how the gateway validates and caches an operation. */
export function createPolicyDescriber(
  { cache = {}, validation = {} }: SiteOptions,
  hasStore: boolean,
): (operation: Operation) => readonly OperationPolicy[] {
  const findMode = createModeResolver({ mode: validation.mode ?? 'off', routes: validation.routes });
  const options = cache === 'off' || !hasStore ? undefined : cache;
  const resolveRule =
    options === undefined ? undefined : createCacheRuleResolver(options.rules ?? [], options.default ?? true);

  const describeCaching = ({ method, namespace, path }: Operation, pattern: string): string => {
    if (resolveRule === undefined) return 'The gateway stores no responses.';
    if (method !== 'GET' && method !== 'HEAD')
      return 'Never stored. A success removes the stored responses that it changes.';
    const { rule, usesStore } = resolveRule({
      route: pattern === '' ? path : pattern,
      namespace,
      method,
      isInDocument: true,
    });
    const ttl = rule.getTtl(200);
    if (!usesStore) return 'Never stored.';
    if (ttl === 0)
      return "Never stored for requests with credentials, nor if the response is for one visitor. Others are stored for as long as the site's response says.";
    const stale =
      rule.staleWhileRevalidate > 0
        ? `, then served for ${rule.staleWhileRevalidate} seconds while they are refreshed`
        : '';
    return `Never stored for requests with credentials, nor if the response is for one visitor, such as a cart. Other responses are fresh for ${ttl} seconds${stale}. The site's own freshness ${
      rule.overridesResponse ? 'is ignored' : 'has precedence'
    }.`;
  };

  return (operation) => {
    const { pattern = '' } = operation;
    const mode = findMode({ pattern, namespace: operation.namespace }, operation.method);
    return [
      { label: 'Caching', text: describeCaching(operation, pattern) },
      { label: 'Validation', text: VALIDATION_TEXTS[mode] },
    ];
  };
}

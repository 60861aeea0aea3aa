import type { Diagnostic } from '../../base/diagnostics.ts';
import { EXTENSION_NAMES } from '../../base/document-extensions.ts';
import { sortByKey } from '../../base/group-by.ts';
import { type Json, type JsonObject, jsonTexts, memberAt, toJsonObject } from '../../base/json.ts';
import type { RouteOperation, SiteCounts, SiteModel } from '../model/site.ts';
import { listOperations, listShown } from './operations.ts';

export interface OverlayChange {
  readonly target: string;
  readonly description?: string;
  readonly change: 'update' | 'remove';
  readonly places: number;
  readonly evidence?: Json;
}

/** The content of `<name>.report.json`. Without a timestamp, it is equal for an unchanged site. */
export interface GenerationReport {
  readonly format: 1;
  readonly site: string;
  readonly counts: SiteCounts & {
    readonly paths: number;
    /** Operations whose responses the site or a convention describes. */
    readonly typed: { readonly site: number; readonly conventions: number };
  };
  /** Operations that an overlay of reconcile has compared with a response of the site. @default none */
  readonly compared?: readonly string[];
  readonly rules: { readonly [rule: string]: number };
  readonly overlay?: readonly OverlayChange[];
  readonly diagnostics: readonly Diagnostic[];
}

export function createGenerationReport(site: SiteModel, document: JsonObject): GenerationReport {
  const sources = new Map(
    site.paths.flatMap(({ operations, template }) =>
      operations.map(({ method, routes }) => [`${method} ${template}`, routes[0].typedBy] as const),
    ),
  );
  const operations = listShown(listOperations(document));
  const typed = operations.map(({ method, path }) => sources.get(`${method} ${path}`));
  const count = (source: RouteOperation['typedBy']): number => typed.filter((each) => each === source).length;
  return {
    format: 1,
    site: site.address.base,
    counts: {
      ...site.counts,
      operations: operations.length,
      typed: { site: count('site'), conventions: count('convention') },
      paths: site.paths.length,
    },
    rules: countRules(site.diagnostics),
    diagnostics: site.diagnostics,
  };
}

export function addOverlayToReport(
  report: GenerationReport,
  overlay: unknown,
  changes: readonly OverlayChange[],
  diagnostics: readonly Diagnostic[],
): GenerationReport {
  const compared = jsonTexts(memberAt(toJsonObject(overlay), 'info', EXTENSION_NAMES.compared));
  return {
    ...report,
    ...(compared.length === 0 ? {} : { compared }),
    rules: countRules(diagnostics, report.rules),
    overlay: [...(report.overlay ?? []), ...changes],
    diagnostics: [...report.diagnostics, ...diagnostics],
  };
}

function countRules(
  diagnostics: readonly Diagnostic[],
  start: GenerationReport['rules'] = {},
): GenerationReport['rules'] {
  const counts = new Map(Object.entries(start));
  for (const { rule } of diagnostics) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return Object.fromEntries(sortByKey(counts));
}

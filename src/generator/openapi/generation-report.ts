import type { Diagnostic } from '../../base/diagnostics.ts';
import { EXTENSION_NAMES } from '../../base/document-extensions.ts';
import { sortByKey } from '../../base/group-by.ts';
import { type Json, jsonTexts, memberAt, toJsonObject } from '../../base/json.ts';
import type { SiteCounts, SiteModel } from '../model/site.ts';

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
  readonly counts: SiteCounts & { readonly paths: number };
  /** Operations that an overlay of reconcile has compared with a response of the site. @default none */
  readonly compared?: readonly string[];
  readonly rules: { readonly [rule: string]: number };
  readonly overlay?: readonly OverlayChange[];
  readonly diagnostics: readonly Diagnostic[];
}

export function createGenerationReport(site: SiteModel): GenerationReport {
  return {
    format: 1,
    site: site.address.base,
    counts: { ...site.counts, paths: site.paths.length },
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

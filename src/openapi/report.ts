import type { Diagnostic } from '../diagnostics.ts';
import type { SiteModel, SiteCounts } from '../model/site.ts';
import type { OverlayChange } from './overlay.ts';

/** What was read and what was repaired: the content of `<name>.report.json`. No clock, so that it can be committed. */
export interface GenerationReport {
  readonly format: 1;
  readonly site: string;
  readonly counts: SiteCounts & { readonly paths: number };
  /** How often each rule was applied, by name. */
  readonly rules: { readonly [rule: string]: number };
  /** What an overlay changed, where one was applied. */
  readonly overlay?: readonly OverlayChange[];
  readonly diagnostics: readonly Diagnostic[];
}

export function createGenerationReport(site: SiteModel): GenerationReport {
  const rules = new Map<string, number>();
  for (const { rule } of site.diagnostics) rules.set(rule, (rules.get(rule) ?? 0) + 1);
  return {
    format: 1,
    site: site.address.base,
    counts: { ...site.counts, paths: site.paths.length },
    rules: Object.fromEntries([...rules].sort(([a], [b]) => (a < b ? -1 : 1))),
    diagnostics: site.diagnostics,
  };
}

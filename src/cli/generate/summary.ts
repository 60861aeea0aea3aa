import { join } from 'node:path';
import type { GenerationReport } from '../../openapi/index.ts';

/**
 * Formats the result of a generation for a person.
 *
 * @param files the names of the written files
 * @param out the folder that holds them
 */
export function formatGenerationSummary(
  report: GenerationReport,
  files: readonly string[],
  out: string,
): string {
  const { counts, diagnostics, rules } = report;
  const { carried, declared } = counts.arguments;
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length;
  const width = Math.max(0, ...Object.keys(rules).map((rule) => rule.length));
  return [
    report.site,
    `  ${counts.routes} routes, ${counts.endpoints} endpoints → ${counts.paths} paths, ${counts.operations} operations`,
    `  ${carried} of ${declared} arguments documented`,
    `  ${diagnostics.length} diagnostics, ${warnings} of them warnings${diagnostics.length > 0 ? ':' : ''}`,
    ...Object.entries(rules).map(([rule, count]) => `    ${rule.padEnd(width)}  ${count}`),
    ...overlayLines(report.overlay),
    'Written:',
    ...files.map((file) => `  ${join(out, file)}`),
    '',
  ].join('\n');
}

function overlayLines(overlay: GenerationReport['overlay']): readonly string[] {
  if (overlay === undefined) return [];
  const noun = overlay.length === 1 ? 'action' : 'actions';
  return [`  ${overlay.length} overlay ${noun} applied; the report lists each`];
}

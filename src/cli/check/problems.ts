import { ConfigurationError, WaygateError } from '../../base/errors.ts';
import type { TextPosition } from '../config/configuration-file.ts';

export const DEFAULT_FILE = 'waygate.yaml';

export interface ConfigurationProblem extends Partial<TextPosition> {
  readonly severity: 'error' | 'warning' | 'notice';
  readonly message: string;
  readonly source?: string;
}

export type ReportProblem = (severity: ConfigurationProblem['severity'], message: string) => void;

export async function reportErrors<T>(
  report: ReportProblem,
  setting: string,
  task: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof WaygateError)) throw error;
    const problems = error instanceof ConfigurationError ? error.problems : [`${setting}: ${error.message}`];
    for (const problem of problems) report('error', problem);
    return undefined;
  }
}

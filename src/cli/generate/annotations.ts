import { relative, resolve } from 'node:path';
import { formatChange } from '../../changes/index.ts';
import type { CommandIo } from '../io.ts';
import { describeStaleFile, type FileCheck } from './check-files.ts';

/** GitHub shows this number of annotations of a step and level. */
const MAX_ANNOTATIONS = 10;

/**
 * Prints a stale result as workflow commands of GitHub Actions, which it shows as annotations of the files. Elsewhere prints
 * nothing. They go to standard error, so that `--json` stays JSON.
 */
export function printAnnotations({ comparison, stale }: FileCheck, cwd: string, io: CommandIo): void {
  const [first] = stale;
  if (io.env['GITHUB_ACTIONS'] !== 'true' || first === undefined) return;
  const changes = comparison.changes.filter(({ severity }) => severity !== 'cosmetic');
  const workspace = io.env['GITHUB_WORKSPACE'] ?? cwd;
  const toFile = (path: string): string => relative(workspace, resolve(cwd, path));
  const commands =
    changes.length === 0
      ? stale.map((file) => ['error', file.path, describeStaleFile(file)] as const)
      : changes.map(
          (change) =>
            [change.severity === 'breaking' ? 'error' : 'warning', first.path, formatChange(change)] as const,
        );
  for (const level of ['error', 'warning'] as const) {
    for (const [, path, message] of commands.filter(([each]) => each === level).slice(0, MAX_ANNOTATIONS)) {
      io.writeErr(
        `::${level} file=${escapeProperty(toFile(path))},title=waygate generate --check::${escapeMessage(message)}\n`,
      );
    }
  }
}

/** Escapes the message of a workflow command, as actions/toolkit does. */
function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** Escapes a property of a workflow command, as actions/toolkit does. */
function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

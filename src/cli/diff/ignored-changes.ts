import { CHANGE_RULES, type ComparisonResult, type DocumentChange } from '../../changes/index.ts';
import { createProblemsError } from '../../errors.ts';
import { parseRouteGlob } from '../../glob.ts';

/** A line of the file of ignored changes: the changes of a rule, of operations and of a subject. */
interface IgnoredChange {
  readonly line: number;
  readonly rule: string;
  /** `undefined` for all operations, and for changes of the document itself. */
  readonly matchesOperation: ((operation: string) => boolean) | undefined;
  readonly matchesSubject: (subject: string) => boolean;
}

/** `value-added`, `member-removed GET /wp/v2/posts*`, `* GET /wp/v2/posts*: response schema Post*` */
const LINE = /^(\S+?)(?:\s+(\S+)\s+(\/\S*?))?(?::\s+(\S.*))?$/;

/**
 * Reads the file of ignored changes. Empty lines, and those that begin with `#`, are comments.
 *
 * @param name of the file, for messages
 * @throws {ConfigurationError} with each line that is none
 */
export function readIgnoredChanges(text: string, name: string): readonly IgnoredChange[] {
  const problems: string[] = [];
  const ignored = text.split(/\r?\n/).flatMap((content, at): readonly IgnoredChange[] => {
    const [, rule = '', method, path = '', subject = '*'] = LINE.exec(content.trim()) ?? [];
    if (content.trim() === '' || content.trim().startsWith('#')) return [];
    if (rule !== '*' && !Object.hasOwn(CHANGE_RULES, rule)) {
      problems.push(
        `${name}:${at + 1}: a line is a rule such as member-removed, or *, then "GET /route*" or nothing, then ": subject*" or nothing`,
      );
    }
    const operation = parseRouteGlob(`${method} ${path}`);
    return [
      {
        line: at + 1,
        rule,
        matchesOperation: method === undefined ? undefined : operation.matches,
        matchesSubject: parseRouteGlob(subject).matches,
      },
    ];
  });
  if (problems.length > 0) throw createProblemsError(problems);
  return ignored;
}

/**
 * Takes ignored changes out of a comparison. A change of several operations stays for those that no line has.
 *
 * @returns the rest, the number of changes that are left out as a whole, and the lines that match nothing
 */
export function leaveOut(
  { changes, omitted }: ComparisonResult,
  ignored: readonly IgnoredChange[],
): { readonly rest: ComparisonResult; readonly count: number; readonly unused: readonly number[] } {
  const used = new Set<IgnoredChange>();
  const rest = changes.flatMap((change): readonly DocumentChange[] => {
    let { operations } = change;
    let isWhole = false;
    for (const each of ignored) {
      const { matchesOperation, matchesSubject, rule } = each;
      if ((rule !== '*' && rule !== change.rule) || !matchesSubject(change.subject)) continue;
      const left = operations.filter((operation) => matchesOperation?.(operation) === false);
      if (matchesOperation !== undefined && left.length === operations.length) continue;
      used.add(each);
      operations = left;
      isWhole ||= left.length === 0;
    }
    return isWhole ? [] : [{ ...change, operations }];
  });
  const unused = ignored.filter((each) => !used.has(each)).map(({ line }) => line);
  return { rest: { changes: rest, omitted }, count: changes.length - rest.length, unused };
}

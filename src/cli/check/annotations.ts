import type { TextPosition } from '../../config/configuration-file.ts';

/** What GitHub shows at a place of a file. */
interface Annotation extends Partial<TextPosition> {
  readonly level: 'error' | 'warning' | 'notice';
  /** Relative to the workspace; absent if it is about no file. */
  readonly file?: string | undefined;
  readonly title: string;
  readonly message: string;
}

/** Writes an annotation as a workflow command of GitHub Actions. */
export function formatAnnotation({ column, file, level, line, message, title }: Annotation): string {
  const place = line === undefined ? '' : `line=${line},col=${column},`;
  const path = file === undefined ? '' : `file=${escapeProperty(file)},${place}`;
  return `::${level} ${path}title=${escapeProperty(title)}::${escapeMessage(message)}\n`;
}

/** Escapes the message of a workflow command, as actions/toolkit does. */
function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** Escapes a property of a workflow command, as actions/toolkit does. */
function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

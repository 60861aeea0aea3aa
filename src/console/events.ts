import { isJsonObject, parseJson } from '../json.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import { describeCause } from './history.ts';
import type { ConsoleContext } from './page.ts';

export interface TimelineEvent {
  readonly time: number;
  readonly text: string;
  readonly isMarked: boolean;
  readonly requestId: string;
}

const WARNING = 40;

export function listEvents(
  { listLogLines, sites }: ConsoleContext,
  site: MountedSite,
): readonly TimelineEvent[] {
  const purges = site.caching?.writes.recent.list() ?? [];
  const isOther = (name: unknown): boolean =>
    typeof name === 'string' && name !== site.settings.name && sites.has(name);
  const lines = listLogLines().flatMap((line): TimelineEvent[] => {
    const entry = parseJson(line);
    if (!isJsonObject(entry) || isOther(entry['site'])) return [];
    const { level, msg, requestId, time } = entry;
    const isMarked = Number(level) >= WARNING;
    return [
      {
        time: Number(time),
        text: describeLine(String(msg), entry),
        isMarked,
        requestId: String(requestId ?? ''),
      },
    ];
  });
  const events = purges.map(
    (purge): TimelineEvent => ({
      time: purge.time,
      text: `purge by ${describeCause(purge)}`,
      isMarked: false,
      requestId: purge.requestId,
    }),
  );
  return [...lines, ...events].sort((one, other) => other.time - one.time);
}

/** Fields that the table shows in other columns, or that are the same in each line. */
const HIDDEN: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'site', 'requestId']);

function describeLine(message: string, entry: Readonly<Record<string, unknown>>): string {
  const { action, result, target, who } = entry;
  if (typeof action === 'string') return `${action} ${String(target)}: ${String(result)}, by ${String(who)}`;
  const fields = Object.entries(entry).flatMap(([name, value]) =>
    HIDDEN.has(name) || typeof value === 'object' || value === '' ? [] : [`${name} ${String(value)}`],
  );
  return fields.length === 0 ? message : `${message} (${fields.join(', ')})`;
}

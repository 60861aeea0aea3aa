import { isJsonObject, parseJson } from '../../base/json.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import { describeCause } from './explain.ts';

export interface TimelineEvent {
  readonly time: number;
  readonly text: string;
  readonly isMarked: boolean;
  /** 0 for a refused configuration, 1 for a site that is down, 2 for anything else. */
  readonly urgency: number;
  readonly requestId: string;
  /** Who purged, if it is known. */
  readonly client: string;
  /** Empty if it is about the gateway. */
  readonly site: string;
}

const WARNING = 40;

/** @param logLines of the log in JSON, the latest first */
export function listEvents(
  logLines: readonly string[],
  sites: readonly MountedSite[],
): readonly TimelineEvent[] {
  const byName = new Map(sites.map((site) => [site.settings.name, site]));
  let isReloaded = false;
  const lines = logLines.flatMap((line): TimelineEvent[] => {
    const entry = parseJson(line);
    if (!isJsonObject(entry)) return [];
    const { action, level, msg, problems, requestId, time } = entry;
    const name = String(entry['site'] ?? '');
    const site = byName.get(name);
    if (site === undefined && name !== '') return [];
    isReloaded ||= msg === 'the configuration was reloaded';
    const isNotInEffect = Array.isArray(problems) && !isReloaded;
    const isDown = 'err' in entry && site?.runtime.lastDiscoveryError != null;
    const isWriteOfAgent = typeof entry['callLevel'] === 'string' && entry['callLevel'] !== 'read';
    // The log has a separate line with the cause of a refused reload.
    const isMarked = (Number(level) >= WARNING && action !== 'reload') || isWriteOfAgent;
    const text = isNotInEffect
      ? `the configuration file is not in effect: ${problems.join('; ')}`
      : describeLine(String(msg), entry);
    return [
      {
        time: Number(time),
        ...{ text, isMarked },
        urgency: isNotInEffect ? 0 : isDown ? 1 : 2,
        requestId: String(requestId ?? ''),
        client: '',
        site: name,
      },
    ];
  });
  const purges = sites.flatMap(({ caching, settings: { name: site } }) =>
    (caching?.writes.recent.list() ?? []).map((purge): TimelineEvent => {
      const { client, requestId, time } = purge;
      const text = `purge by ${describeCause(purge)}`;
      return { ...{ time, text, requestId, client, site }, isMarked: false, urgency: 2 };
    }),
  );
  return [...lines, ...purges].sort((one, other) => other.time - one.time);
}

/** Fields that other columns of the table show, or that are equal in each line. */
const HIDDEN: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'site', 'requestId', 'failures']);

function describeLine(message: string, entry: Readonly<Record<string, unknown>>): string {
  const { action, result, target, who } = entry;
  if (typeof action === 'string')
    return `${action}${target === '' ? '' : ` ${String(target)}`}: ${String(result)}, by ${String(who)}`;
  const fields = Object.entries(entry).flatMap(([name, value]) =>
    HIDDEN.has(name) || [value].flat().some((each) => isJsonObject(each)) || value === ''
      ? []
      : [`${name} ${String(value)}`],
  );
  return fields.length === 0 ? message : `${message} (${fields.join(', ')})`;
}

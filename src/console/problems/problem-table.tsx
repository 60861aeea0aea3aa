import { formatNumber } from '../../count-of.ts';
import { toPlainText } from '../../docs/details/plain-text.ts';
import type { Html } from '../../docs/pages/html.ts';
import { Method } from '../../docs/pages/parts.tsx';
import { explainCacheStatus } from '../../docs/try/cache-status.ts';
import { Time } from '../shell/time.tsx';
import { explainCode, explainFailure, explainSiteStatus } from './problem-words.ts';

/** A refusal or an error, with the requests that had the same. */
export interface ProblemRow {
  readonly number: number;
  /** How often the same problem is among the recent ones. */
  readonly times: number;
  /** Of the latest, in milliseconds since the epoch. */
  readonly time: number;
  readonly requestId: string;
  readonly source: 'gateway' | 'failure' | 'site';
  readonly method: string;
  /** Path template, or the beginning of a path. */
  readonly route: string;
  readonly status: number;
  /** Empty if unknown. */
  readonly code: string;
  readonly rules: readonly {
    readonly param: string;
    readonly rule: string;
    /** What the document states about the parameter: `Maximum 100`; empty if unknown. */
    readonly expected: string;
    /** Address of the rule in the console. */
    readonly url: string;
  }[];
  /** Kind of a failed exchange with the site; empty if there was none. */
  readonly cause: string;
  readonly detail: string;
  readonly cacheStatus: string;
  /** Addresses of the operation; `null` if there are none. */
  readonly docsUrl: string | null;
  readonly trafficUrl: string | null;
}

/** Where errors come from, as the filter names it. */
export const PROBLEM_SOURCES = { gateway: 'gateway', failure: 'no response', site: 'site' } as const;

/** The recent problems of a site. */
export function ProblemTable({
  now,
  rows,
}: {
  readonly rows: readonly ProblemRow[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}): Html {
  if (rows.length === 0) return <p>No such problem since the gateway was started.</p>;
  return (
    <ol class="problems">
      {rows.map((row) => (
        <Problem row={row} now={now} />
      ))}
    </ol>
  );
}

function Problem({ now, row }: { readonly row: ProblemRow; readonly now: number }): Html {
  return (
    <li id={`problem-${row.number}`}>
      <p class="problem-head">
        <b class={`status status-${Math.floor(row.status / 100)}`}>{row.status}</b>{' '}
        <Method method={toPlainText(row.method, 20)} /> <code>{toPlainText(row.route, 160)}</code>
        <span class="problem-time">
          {row.times === 1 ? null : `${formatNumber(row.times)} times, `}
          <Time at={row.time} now={now} />
        </span>
      </p>
      <p>{describe(row)}</p>
      {row.rules.length === 0 ? null : (
        <ul>
          {row.rules.map(({ expected, param, rule, url }) => (
            <li>
              {param === '' ? 'the request as a whole' : <code>{toPlainText(param, 80)}</code>}
              {': '}
              <a href={url}>{toPlainText(explainCode(rule), 120)}</a>
              {expected === '' ? null : ` (${expected})`}
            </li>
          ))}
        </ul>
      )}
      {row.cacheStatus === '' || row.source === 'site' ? null : <p>{explainCacheStatus(row.cacheStatus)}</p>}
      <p class="problem-links">
        <small>
          {row.code === '' ? null : (
            <>
              code <code>{toPlainText(row.code, 80)}</code>,{' '}
            </>
          )}
          request <code>{toPlainText(row.requestId, 40)}</code>
        </small>
        {row.docsUrl === null ? null : <a href={row.docsUrl}>Documentation</a>}
        {row.trafficUrl === null ? null : <a href={row.trafficUrl}>Traffic</a>}
      </p>
    </li>
  );
}

function describe({ cause, code, detail, source, status }: ProblemRow): string {
  if (source === 'gateway') return `refused by the gateway: ${explainCode(code)}`;
  if (source === 'site') {
    const words = explainCode(code);
    return explainSiteStatus(status) + (words === code ? '' : `: ${words}`);
  }
  const words = `the site failed: ${explainFailure(cause)}`;
  return detail === '' ? words : `${words} (${toPlainText(detail, 160)})`;
}

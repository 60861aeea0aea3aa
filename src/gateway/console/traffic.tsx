import type { ConsolePage, ConsoleRequest } from '../../console/index.ts';
import { withUnit } from '../../console/shell/number-format.ts';
import { ChoiceLinks, toQueryUrl } from '../../console/shell/query-links.tsx';
import { type OperationRow, OperationTable } from '../../console/traffic/operation-table.tsx';
import { OPERATION_SORTS, type OperationSort } from '../../console/traffic/traffic-columns.ts';
import { TrafficPlots } from '../../console/traffic/traffic-plots.tsx';
import { TrafficValues } from '../../console/traffic/traffic-values.tsx';
import { findSiteByKey, siteKey } from '../admin/site-operations.ts';
import type { MountedSite } from '../mounted-site.ts';
import {
  NO_OPERATION,
  type OperationTraffic,
  TRAFFIC_SPANS,
  type TrafficSpan,
} from '../traffic/site-traffic.ts';
import type { ConsoleContext } from './console-context.ts';
import { ConsoleLinks } from './console-links.tsx';
import { getOperations } from './operation-facts.ts';

const SPAN_NAMES: Readonly<Record<TrafficSpan, string>> = {
  '10m': withUnit(10, 'min'),
  '1h': withUnit(1, 'h'),
  '6h': withUnit(6, 'h'),
};

/** Names of traffic that belongs to no operation. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  [NO_OPERATION.unknownRoutes]: 'routes outside the document',
  [NO_OPERATION.pages]: 'pages of the site',
  [NO_OPERATION.local]: 'documentation and document',
  [NO_OPERATION.other]: 'further operations',
};

/** Traffic and latency of a site, and of one of its operations. */
export function createTrafficPages(context: ConsoleContext): readonly ConsolePage[] {
  const { sites } = context;
  return [
    {
      path: 'sites/:site/traffic',
      render(request) {
        const site = findSiteByKey(sites, request.params['site'] ?? '');
        if (site === undefined) return null;
        const span = readSpan(request.query);
        const sort = readSort(request.query);
        const { traffic } = site.recorder;
        return {
          title: 'Traffic',
          tab: 'traffic',
          site: siteKey(site),
          sections: [
            { id: 'span', content: () => <SpanLinks query={request.query} span={span} /> },
            { id: 'plots', isLive: true, content: () => <TrafficPlots chart={traffic.read(span)} /> },
            {
              id: 'operations',
              title: 'Operations',
              isLive: true,
              content: () => (
                <OperationTable
                  rows={traffic.listOperations(span).map((each) => toRow(site, each, request))}
                  sort={sort}
                  toSortUrl={(other) => toQueryUrl(request.query, { sort: other })}
                />
              ),
            },
            { id: 'values', isLive: true, content: () => <TrafficValues chart={traffic.read(span)} /> },
          ],
        };
      },
    },
    {
      path: 'sites/:site/traffic/:operation',
      render(request) {
        const site = findSiteByKey(sites, request.params['site'] ?? '');
        const id = request.params['operation'] ?? '';
        const facts = getOperations(site?.runtime.snapshot ?? null).get(id);
        if (site === undefined || (facts === undefined && OTHER_NAMES[id] === undefined)) return null;
        const span = readSpan(request.query);
        const read = () => site.recorder.traffic.readOperation(id, span);
        return {
          title: describeOperation(site, id),
          tab: 'traffic',
          site: siteKey(site),
          sections: [
            {
              id: 'links',
              content: () => (
                <ConsoleLinks
                  context={context}
                  site={site}
                  operation={id}
                  root={request.root}
                  leavesOut="traffic"
                />
              ),
            },
            { id: 'span', content: () => <SpanLinks query={request.query} span={span} /> },
            {
              id: 'plots',
              isLive: true,
              content: () => {
                const chart = read();
                return chart === null ? (
                  <p>No requests in the last six hours.</p>
                ) : (
                  <TrafficPlots chart={chart} />
                );
              },
            },
            {
              id: 'values',
              isLive: true,
              content: () => {
                const chart = read();
                return chart === null ? <p>Nothing was recorded.</p> : <TrafficValues chart={chart} />;
              },
            },
          ],
        };
      },
    },
  ];
}

function SpanLinks({ query, span }: { readonly query: URLSearchParams; readonly span: TrafficSpan }) {
  const choices = TRAFFIC_SPANS.map((value) => ({
    value,
    url: toQueryUrl(query, { span: value }),
    text: SPAN_NAMES[value],
  }));
  return <ChoiceLinks choices={choices} current={span} label="Time up to now" look="segments" />;
}

function readSpan(query: URLSearchParams): TrafficSpan {
  return TRAFFIC_SPANS.find((span) => span === query.get('span')) ?? '1h';
}

function readSort(query: URLSearchParams): OperationSort {
  return OPERATION_SORTS.find((sort) => sort === query.get('sort')) ?? 'requests';
}

function toRow(
  site: MountedSite,
  { operation, summary }: OperationTraffic,
  request: ConsoleRequest,
): OperationRow {
  const facts = getOperations(site.runtime.snapshot).get(operation);
  const query = new URLSearchParams({ span: readSpan(request.query) });
  return {
    url: `${request.root}sites/${encodeURIComponent(siteKey(site))}/traffic/${encodeURIComponent(operation)}?${query}`,
    method: facts?.operation.method ?? null,
    name: facts?.operation.path ?? OTHER_NAMES[operation] ?? operation,
    figures: summary,
  };
}

/** Names an operation for a title. */
function describeOperation({ runtime }: MountedSite, id: string): string {
  const facts = getOperations(runtime.snapshot).get(id);
  return facts === undefined ? (OTHER_NAMES[id] ?? id) : `${facts.operation.method} ${facts.operation.path}`;
}

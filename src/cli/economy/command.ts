import type { EconomyFlags } from '../../../generated/option-types.d.ts';
import { parseDuration } from '../../config/settings.ts';
import { countOf, formatNumber } from '../../count-of.ts';
import { ConfigurationError } from '../../errors.ts';
import type { Described } from '../../json.ts';
import EVIDENCE from '../evidence.json' with { type: 'json' };
import { requireHttpUrl } from '../flags.ts';
import { requestReports } from '../gateway-client.ts';
import { alignColumns, type CommandIo, type ExitCode, onOneLine, toJsonText } from '../io.ts';
import { parseLogLine, readLines } from './access-log.ts';
import { fetchLifetimes, findFrequentReads } from './fetch-lifetimes.ts';
import { type Prediction, Replay } from './replay.ts';

const DEFAULT_LIFETIMES = ['10s', '60s', '10m', '1h', '1d'];

/** Prints what the cache saves a site: of a running gateway, or as an access log predicts it. */
export async function runEconomy(io: CommandIo, subject: string, flags: EconomyFlags): Promise<ExitCode> {
  const { fetch: siteUrl, json, lifetime, maxAddresses, maxRequests } = flags;
  if (/^https?:\/\//i.test(subject)) {
    const sites = await requestReports(requireHttpUrl(subject), flags, io, 'economy', EVIDENCE.economy);
    io.writeOut(json === true ? toJsonText({ sites }) : sites.map(formatEconomy).join('\n'));
    return 0;
  }
  const stated = lifetime.length === 0 ? DEFAULT_LIFETIMES : lifetime;
  const lifetimes = stated.map((text) => {
    const milliseconds = parseDuration(text);
    if (milliseconds !== undefined) return milliseconds / 1000;
    throw new ConfigurationError(`--lifetime ${text} is not a duration such as 30s, 5m or 1h`);
  });
  let known: ReadonlyMap<string, number | null> = new Map();
  if (siteUrl !== undefined) {
    if (subject === '-') throw new ConfigurationError('--fetch reads the log twice, so it must be a file');
    const frequent = await findFrequentReads(subject, maxRequests, maxAddresses);
    known = await fetchLifetimes(requireHttpUrl(siteUrl), frequent);
  }
  const replay = new Replay(lifetimes, maxAddresses, known);
  await readLines(subject, (line) => replay.add(parseLogLine(line)));
  const prediction = replay.predict();
  const fetched = known.size;
  io.writeOut(json === true ? toJsonText({ ...prediction, fetched }) : formatPrediction(prediction, fetched));
  return prediction.lines > prediction.malformed ? 0 : 1;
}

const TITLES = ['lifetime', 'hits', 'per read', 'at the site per s', 'busiest minute'];

function formatPrediction(prediction: Prediction, fetched: number): string {
  const { bypasses, files, from, lifetimes, lines, malformed, marks, reads, to, today, unstorable, writes } =
    prediction;
  if (from === null || to === null) return `No line of ${formatNumber(lines)} is in the combined format.\n`;
  const range = (first: string, best: string): string => (first === best ? first : `${first} to ${best}`);
  const rows = lifetimes.map(({ best, first, lifetime }) => [
    `${formatNumber(lifetime)} s`,
    range(toPercentage(first.hitRatio), toPercentage(best.hitRatio)),
    range(toRatio(first.requestsPerRead), toRatio(best.requestsPerRead)),
    range(first.mean.toFixed(2), best.mean.toFixed(2)),
    range(first.busiestMinute.toFixed(2), best.busiestMinute.toFixed(2)),
  ]);
  const asked = fetched === 0 ? [] : [`The site was asked for ${countOf(fetched, 'address')}.`];
  return `${[
    `${countOf(lines, 'line')} from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}, ${formatNumber(malformed)} in another format`,
    `${formatNumber(reads)} reads of ${formatNumber(prediction.addresses)} addresses may use the store`,
    `${formatNumber(bypasses)} reads do not, ${formatNumber(unstorable)} have a response that is not stored, ${formatNumber(files)} are of files`,
    `${countOf(writes, 'write')}, of which ${formatNumber(marks)} may change pages`,
    `Without the gateway the site has ${today.mean.toFixed(2)} requests per s, ${today.busiestMinute.toFixed(2)} in the busiest minute, without files.`,
    ...asked,
    '',
    ...alignColumns([TITLES, ...rows]),
    '',
    'The first figures are those of a gateway that knows nothing of the site, so that each write marks everything. The second ones are',
    'those of one where a write changes only the addresses that its line names. A log has no cookies: sessions count as visitors.',
  ].join('\n')}\n`;
}

type SiteEconomy = Described<typeof EVIDENCE.economy>;

/** Maximum rows of a table. `--json` prints more. */
const MAX_ROWS = 20;
const WRITE_TITLES = ['write', 'writes', 'marked', 'compared', 'changed', 'evidence', 'needed', 'kept'];

function formatEconomy(economy: SiteEconomy): string {
  const { kinds, site, total, traffic, unrelated, varying, writes } = economy;
  const { hitRatio, reads, siteRequests, siteRequestsPerRead } = traffic;
  const rows = kinds
    .slice(0, MAX_ROWS)
    .map(({ changed, compared, kept, marked, needed, same, write, writes: count }) => [
      onOneLine(write),
      ...[count, marked, compared, changed, same, needed, kept].map(String),
    ]);
  const examples = kinds
    .flatMap(({ dependents }) => dependents)
    .flatMap(({ example, read }) =>
      example === null ? [] : [`  ${onOneLine(`${read}: ${example.page} was changed by ${example.write}`)}`],
    );
  return `${[
    `${site}: ${toPercentage(hitRatio)} hits of ${formatNumber(reads)} reads, ${toRatio(siteRequestsPerRead)} requests at the site per read (${formatNumber(siteRequests)})`,
    `  ${formatNumber(writes.writes)} writes marked ${formatNumber(writes.purged + writes.softPurged)} stored responses and kept ${formatNumber(writes.kept)}`,
    ...(rows.length === 0 ? [] : alignColumns([WRITE_TITLES, ...rows]).map((line) => `  ${line}`)),
    ...(total > rows.length ? [`  ${total - rows.length} more: --json`] : []),
    ...listed('Counter-examples', examples),
    ...listed(
      'Pages that change without a write',
      varying.map(
        ({ changed, compared, places, read }) =>
          `  ${onOneLine(read)}: ${changed} of ${compared}, ${places} places`,
      ),
    ),
    ...listed(
      'Pages that show no item',
      unrelated.map(({ read, responses }) => `  ${onOneLine(read)}: ${responses}`),
    ),
  ].join('\n')}\n`;
}

function listed(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`  ${heading}:`, ...lines.slice(0, MAX_ROWS).map((line) => `  ${line}`)];
}

/** What stands for a value that was not measured. */
const NONE = '–';

/** Formats a share of 0 to 1: `98.0 %`. */
function toPercentage(share: number | null): string {
  return share === null ? NONE : `${(100 * share).toFixed(1)} %`;
}

/** Formats requests at the site per read: `0.12`. */
function toRatio(ratio: number | null): string {
  return ratio === null ? NONE : ratio.toFixed(2);
}

import { join } from 'node:path';
import { Command, Option } from 'commander';
import { ConfigurationError } from '../errors.ts';
import type { Reconciled, ReconcileReport } from '../reconcile/index.ts';
import { checkName, writeFiles } from './files.ts';
import type { ExitCode, Io } from './io.ts';
import {
  checkUrl,
  type DiscoveryFlags,
  discoveryOptions,
  toDiscoverOptions,
  wholeNumber,
} from './options.ts';
import { withProgress } from './progress.ts';

interface ReconcileFlags extends DiscoveryFlags {
  readonly out: string;
  readonly name?: string;
  readonly maxRequests: number;
  readonly json?: boolean;
}

export function reconcileCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command('reconcile')
    .description(
      'Ask a site for some of its answers, by GET alone, and write an OpenAPI Overlay of where its document is wrong of them.',
    )
    .argument('<site-url>', 'any address of the site: its front page, its root index, or a page below')
    .option('--out <dir>', 'folder to write to', '.')
    .option('--name <name>', "name of the file, <name>.overlay.json (default: the site's host)")
    .addOption(
      new Option('--max-requests <n>', 'how many answers are asked for').argParser(wholeNumber).default(200),
    )
    .option('--json', 'print what was found as JSON instead of a summary');
  for (const option of discoveryOptions()) command.addOption(option);
  return command.action(async (url: string, flags: ReconcileFlags) => {
    if (flags.maxRequests < 1) throw new ConfigurationError('--max-requests must be at least 1');
    const options = { ...toDiscoverOptions(flags, io), maxRequests: flags.maxRequests };
    const wished = flags.name === undefined ? undefined : checkName(flags.name);
    const { reconcile } = await import('../reconcile/index.ts');
    const reconciled = await withProgress(io, (onProgress) =>
      reconcile(checkUrl(url), { ...options, onProgress }),
    );
    const { nameOf } = await import('../generate.ts');
    const file = `${wished ?? nameOf(reconciled.report.site)}.overlay.json`;
    await write(reconciled, file, flags, io);
    done(0);
  });
}

async function write(
  { overlay, report }: Reconciled,
  file: string,
  { json, out }: ReconcileFlags,
  io: Io,
): Promise<void> {
  await writeFiles(out, new Map([[file, `${JSON.stringify(overlay, null, 2)}\n`]]));
  io.out(json === true ? `${JSON.stringify(report, null, 2)}\n` : summary(report, join(out, file)));
}

/** What a person reads after a reconciliation. */
function summary(report: ReconcileReport, path: string): string {
  const refused = Object.entries(report.refused).map(([reason, count]) => `${count} ${reason}`);
  const findings = report.operations.flatMap((each) =>
    each.findings.map(({ answers, kind, pointer, saw }) => ({
      place: `${each.operation} ${pointer === '' ? '/' : pointer}`,
      what: kind === 'type' || kind === 'extra' ? `${kind} ${saw}` : kind,
      shown: `${answers} of ${each.judged}`,
    })),
  );
  const [place, what] = [
    widest(findings.map((each) => each.place)),
    widest(findings.map((each) => each.what)),
  ];
  return [
    report.site,
    `  ${report.requests} requests, ${report.judged} answers judged${listed('not answered', refused)}`,
    ...findings.map((each) => `    ${each.place.padEnd(place)}  ${each.what.padEnd(what)}  ${each.shown}`),
    ...(report.stopped === undefined ? [] : [`  Stopped before the end: ${STOPPED[report.stopped]}.`]),
    ...(report.left.length === 0 ? [] : [`  The overlay does not settle ${report.left.length} operations.`]),
    `Written: ${path}, ${report.actions} ${report.actions === 1 ? 'action' : 'actions'}`,
    'Apply with waygate generate --overlay.',
    '',
  ].join('\n');
}

const STOPPED = {
  limit: 'as many requests as allowed; --max-requests allows more',
  'site-asked': 'the site wants to be left alone (429 or 503)',
  bytes: 'as many bytes as are kept',
  time: 'the time was over; --timeout allows more',
} as const;

function listed(what: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `, ${what}: ${items.join(', ')}`;
}

function widest(texts: readonly string[]): number {
  return Math.min(70, Math.max(0, ...texts.map(({ length }) => length)));
}

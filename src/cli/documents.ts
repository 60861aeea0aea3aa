import type { DocumentsFlags } from '../../generated/option-types.d.ts';
import { formatChange } from '../changes/index.ts';
import { countOf } from '../count-of.ts';
import { ConfigurationError } from '../errors.ts';
import type { Described } from '../json.ts';
import { requireHttpUrl } from './flags.ts';
import { requestGateway, requireToken } from './gateway-client.ts';
import { alignColumns, type CommandIo, type ExitCode, onOneLine, toJsonText } from './io.ts';

const CHANGES = {
  breaking: 0,
  total: 0,
  listed: [{ severity: '', subject: '', text: '', operations: [''], operationCount: 0 }],
};
const VERSION = { version: 0, seenAt: '', cause: '', operations: 0, changes: { nullable: CHANGES } };
const DOCUMENTS = {
  site: '',
  pinned: false,
  served: 0,
  held: { nullable: { since: '', changes: CHANGES } },
  versions: [VERSION],
};

type Documents = Described<typeof DOCUMENTS>;
type Changes = Described<typeof CHANGES>;

/** Lists, shows and changes the versions of a site's document at a running gateway. */
export async function runDocuments(
  io: CommandIo,
  action: string,
  version: string | undefined,
  flags: DocumentsFlags,
): Promise<ExitCode> {
  if (!/^(?:list|show|pin|promote|reject|rollback)$/.test(action)) {
    throw new ConfigurationError(
      `waygate documents ${action}: the actions are list, show, pin, promote, reject and rollback`,
    );
  }
  const mayBeHeld = action === 'show' && version === 'held';
  if (
    version !== undefined &&
    !mayBeHeld &&
    !(/^(?:show|rollback)$/.test(action) && /^[1-9]\d{0,8}$/.test(version))
  ) {
    throw new ConfigurationError(
      `waygate documents ${action} ${version}: show and rollback alone take a version, which is a number from 1`,
    );
  }
  const token = requireToken(flags, io);
  const url = requireHttpUrl(flags.gateway);
  const site = flags.site ?? (await findSite(url, token));
  const path = `/-/sites/${encodeURIComponent(site)}/documents`;
  const content =
    action === 'list' || action === 'show'
      ? undefined
      : { action, ...(version === undefined ? {} : { version: Number(version) }) };
  const documents = await requestGateway(url, path, token, DOCUMENTS, content);
  const shown = version ?? (documents.held === null ? String(documents.served) : 'held');
  if (action === 'show' && flags.json !== true) {
    io.writeOut(formatVersion(documents, shown));
  } else if (action === 'show') {
    const { document } = await requestGateway(url, `${path}/${shown}`, token, { document: {} });
    io.writeOut(toJsonText(document));
  } else {
    io.writeOut(flags.json === true ? toJsonText(documents) : formatList(documents));
  }
  return 0;
}

/** @throws {ConfigurationError} when the gateway has several sites */
async function findSite(url: string, token: string): Promise<string> {
  const { sites } = await requestGateway(url, '/-/sites', token, { sites: [{ site: '' }] });
  const [first = { site: '' }, ...others] = sites;
  if (others.length === 0) return first.site;
  const names = sites.map(({ site }) => site).join(', ');
  throw new ConfigurationError(`--site is missing: the gateway has ${names}`);
}

function formatList({ held, pinned, served, site, versions }: Documents): string {
  const rows = versions.map(({ cause, changes, operations, seenAt, version }) => [
    String(version),
    seenAt,
    cause,
    String(operations),
    changes === null ? 'the first version' : countChanges(changes),
  ]);
  const state =
    served === 0 ? 'no document is served' : `version ${served} is served${pinned ? ', and pinned' : ''}`;
  return `${[
    `${site}: ${state}.`,
    ...(held === null ? [] : [`Held back since ${held.since}: ${countChanges(held.changes)}.`]),
    ...alignColumns([['version', 'served since', 'cause', 'operations', 'changes'], ...rows]),
  ].join('\n')}\n`;
}

/** @throws {ConfigurationError} when there is no such version */
function formatVersion({ held, versions }: Documents, shown: string): string {
  const found = shown === 'held' ? held : versions.find(({ version }) => String(version) === shown);
  if (found == null) {
    const what = shown === 'held' ? 'no document is held back' : `there is no version ${shown}`;
    throw new ConfigurationError(`waygate documents show: ${what}`);
  }
  const { changes } = found;
  if (changes === null) return `version ${shown} is the first one that the gateway has seen\n`;
  const lines = changes.listed.map((change) => `  ${onOneLine(formatChange(change))}`);
  const rest = changes.total - changes.listed.length;
  const more = rest > 0 ? [`  and ${rest} more`] : [];
  return `${[`version ${shown}: ${countChanges(changes)}`, ...lines, ...more].join('\n')}\n`;
}

function countChanges({ breaking, total }: Pick<Changes, 'breaking' | 'total'>): string {
  return `${countOf(total, 'change')}, ${breaking} breaking`;
}

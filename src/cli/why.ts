import type { WhyFlags } from '../../generated/option-types.d.ts';
import type { Described } from '../json.ts';
import { requireHttpUrl } from './flags.ts';
import { requestGateway, requireToken } from './gateway-client.ts';
import { type CommandIo, type ExitCode, onOneLine, toJsonText } from './io.ts';

const EXPLAINED = { facts: [{ name: '', text: '', items: [''] }] };

/** Prints why a gateway has stored an address or not, or what became of a past request. */
export async function runWhy(io: CommandIo, subject: string, flags: WhyFlags): Promise<ExitCode> {
  const token = requireToken(flags, io);
  const path = `/-/why?of=${encodeURIComponent(subject)}`;
  const explained = await requestGateway(requireHttpUrl(flags.gateway), path, token, EXPLAINED);
  io.writeOut(flags.json === true ? toJsonText(explained) : explained.facts.map(formatFact).join(''));
  return 0;
}

function formatFact({ items, name, text }: Described<typeof EXPLAINED>['facts'][number]): string {
  const lines = [`${name}: ${text}`, ...items.map((item) => `  ${item}`)];
  return `${lines.map(onOneLine).join('\n')}\n`;
}

import { resolve } from 'node:path';
import { Document } from 'yaml';
import { ConfigurationError } from '../../base/errors.ts';
import { withoutCredentials } from '../../generator/discovery/redact.ts';
import { type ListedSetting, listSettings, SETTINGS, writePath } from '../config/settings.ts';
import { type CommandIo, type ExitCode, toJsonText } from '../io.ts';
import { readMergedConfig, requireValid } from '../serve/resolve-config.ts';
import { DEFAULT_FILE } from './problems.ts';

export async function runConfig(io: CommandIo, action: string, file: string | undefined): Promise<ExitCode> {
  if (action === 'schema') {
    io.writeOut(toJsonText(SETTINGS.serve));
    return 0;
  }
  if (action !== 'print')
    throw new ConfigurationError(`waygate config ${action}: the actions are print and schema`);
  const name = file ?? DEFAULT_FILE;
  const path = resolve(io.cwd ?? '', name);
  const merged = await readMergedConfig({ site: [], config: path }, io.env);
  await requireValid(merged);
  const { locator } = merged;
  const settings = Array.from(listSettings(merged.input, SETTINGS.serve), (listed) => {
    const setting = writePath(listed.path);
    const place = locator.find(setting);
    const position = place?.line === undefined ? name : `${name}:${place.line}:${place.column}`;
    const source = place?.isDeclared === true ? [place.source ?? position, ...place.references] : ['default'];
    return { path: listed.path, value: mask(listed), source: source.join(' ') };
  });
  const document = new Document({});
  for (const { path: names, source, value } of settings) {
    const node = document.createNode(value);
    node.comment = ` ${source}`;
    document.setIn(names, node);
  }
  io.writeOut(document.toString({ lineWidth: 0 }));
  return 0;
}

const MASK = '***';

/** Replaces secrets, and in URLs credentials and the query. */
function mask({ setting, value }: ListedSetting): unknown {
  if (setting.writeOnly === true) return MASK;
  return typeof value === 'string' && value.includes('://') ? withoutCredentials(value, `${MASK}@`) : value;
}

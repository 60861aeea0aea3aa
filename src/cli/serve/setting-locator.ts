import type { ConfigurationFile, FoundSetting, TextPosition } from '../../config/configuration-file.ts';

/** Its position in the configuration file is absent if a flag or the environment states the setting. */
interface SettingPlace extends Pick<FoundSetting, 'isStated' | 'references'>, Partial<TextPosition> {
  /** The flag or the environment variable. */
  readonly source?: string;
}

/** Finds where settings are stated: in the configuration file, in the environment, or by a flag. */
export class SettingLocator {
  /** The flag or environment variable that states a setting, by its location; that of a flag has no positions in lists. */
  readonly sources: ReadonlyMap<string, string>;
  readonly #file: ConfigurationFile | undefined;

  constructor(file: ConfigurationFile | undefined, sources: ReadonlyMap<string, string>) {
    this.#file = file;
    this.sources = sources;
  }

  /** Finds what a message begins with: a setting, or the nearest one that contains it. */
  find(message: string): SettingPlace | undefined {
    const [setting = ''] = message.split(/[:\s]/, 1);
    const source = this.sources.get(setting) ?? this.sources.get(setting.replace(/\[\d+\]/g, ''));
    if (source !== undefined) return { source, isStated: true, references: [] };
    return this.#file?.find(message);
  }

  /** Writes the place before a message: `waygate.yaml:3:5: port: …`, `--port: port: …`. */
  describe(message: string): string {
    const { column, line, source = '' } = this.find(message) ?? {};
    if (line !== undefined && column !== undefined)
      return this.#file?.describe({ line, column }, message) ?? message;
    return source === '' ? message : `${source}: ${message}`;
  }
}

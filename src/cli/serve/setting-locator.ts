import { ConfigurationFile, type TextPosition } from '../../config/configuration-file.ts';

export interface SettingPlace {
  /** Of the configuration file; absent if a flag or the environment states the setting, or nothing does. */
  readonly position?: TextPosition;
  /** The flag or the environment variable. */
  readonly source?: string;
  /** Whether the setting itself is stated there, and not only what contains it. */
  readonly isStated: boolean;
  /** What its text refers to: `${NAME}`, `file:path`. */
  readonly references: readonly string[];
}

/** Finds where settings are stated: in the configuration file, in the environment, or by a flag. */
export class SettingLocator {
  readonly file: ConfigurationFile | undefined;
  readonly #sources: ReadonlyMap<string, string>;

  /** @param path of the configuration file, if there is one */
  constructor(path: string | undefined, sources: ReadonlyMap<string, string>) {
    this.file = path === undefined ? undefined : new ConfigurationFile(path);
    this.#sources = sources;
  }

  /** Finds what a message begins with: a setting, or the nearest one that contains it. */
  find(message: string): SettingPlace | undefined {
    const [setting = ''] = message.split(/[:\s]/, 1);
    const source = this.#sources.get(setting) ?? this.#sources.get(setting.replace(/\[\d+\]/g, ''));
    if (source !== undefined) return { source, isStated: true, references: [] };
    const found = this.file?.find(message);
    if (found === undefined) return undefined;
    const { column, isStated, line, references } = found;
    return { position: { line, column }, isStated, references };
  }

  /** Writes the place before a message: `waygate.yaml:3:5: port: …`. */
  describe(message: string): string {
    const place = this.find(message);
    return place === undefined ? message : `${this.write(place)}: ${message}`;
  }

  write({ position, source }: SettingPlace): string {
    return source ?? `${this.file?.path}:${position?.line}:${position?.column}`;
  }
}

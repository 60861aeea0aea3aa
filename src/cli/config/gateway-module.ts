import type { Hono } from 'hono';
import { ConfigurationError, messageOf } from '../../base/errors.ts';
import { isShallow, toJsonObject } from '../../base/json.ts';
import type { ConfigurationSource, FoundSetting } from './configuration-file.ts';
import { createOuterApp } from './gateway-settings.ts';
import { loadModule } from './load-module.ts';
import { listReferences } from './settings.ts';
import { MAX_LEVELS, TOO_DEEP } from './structured-file.ts';

/** Seconds for a program and its `app`. A promise that never settles would block all later reloads. */
const MAX_SECONDS = 10;

export class GatewayModule implements ConfigurationSource {
  readonly path: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly #app: unknown;

  static async load(path: string): Promise<GatewayModule> {
    return new GatewayModule(path, await limitTime(loadModule(path), `${path}: `));
  }

  private constructor(path: string, exports: Readonly<Record<string, unknown>>) {
    const { default: preset, gateway = preset } = exports;
    const { app, ...content } = toJsonObject(gateway);
    this.path = path;
    this.content = content;
    this.#app = app;
    const isConfiguration = typeof gateway === 'object' && gateway !== null;
    if (!isConfiguration) this.#refuse('exports no gateway; write: export default defineGateway({ … })');
    if (!isShallow(content, MAX_LEVELS)) this.#refuse(TOO_DEEP);
    if (app !== undefined && !isFunction(app)) this.#refuse('app: must be a function');
  }

  #refuse(message: string): never {
    throw new ConfigurationError(this.describe(message));
  }

  find(text: string): FoundSetting | undefined {
    const [setting = ''] = text.split(/[:\s]/, 1);
    const [first = '', ...names] = setting.split(/[.[\]]+/).filter((name) => name !== '');
    if (this.content[first] === undefined) return undefined;
    const value = names.reduce<unknown>((at, name) => Object(at)[name], this.content[first]);
    const references = typeof value === 'string' ? listReferences(value) : [];
    return { isDeclared: value !== undefined, references };
  }

  describe(message: string): string {
    return `${this.path}: ${message}`;
  }

  async createApp(): Promise<Hono | undefined> {
    if (!isFunction(this.#app)) return undefined;
    try {
      return await limitTime(createOuterApp(this.#app));
    } catch (cause) {
      throw new ConfigurationError(this.describe(`app: ${messageOf(cause)}`), { cause });
    }
  }
}

function isFunction(value: unknown): value is (app: Hono) => unknown {
  return typeof value === 'function';
}

async function limitTime<T>(running: Promise<T>, prefix = ''): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const error = new ConfigurationError(`${prefix}did not end within ${MAX_SECONDS} s`);
    timer = setTimeout(() => reject(error), MAX_SECONDS * 1_000);
  });
  try {
    return await Promise.race([running, limit]);
  } finally {
    clearTimeout(timer);
  }
}

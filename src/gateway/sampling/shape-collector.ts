import type { Json } from '../../json.ts';
import type { StateStore } from '../../ports.ts';
import {
  createResponseShapes,
  observeValue,
  parseShapes,
  type ResponseShapeKey,
  type SeenResponses,
  serializeShapes,
  toResponseShape,
} from '../../validation/shapes/index.ts';
import {
  createStatePersistence,
  type StatePersistence,
  type StatePersistenceOptions,
} from '../options/state-persistence.ts';

/** Collects what the responses of a site have in common, for `waygate reconcile --from`. It keeps no values. */
export interface ShapeCollector {
  /** Whether responses of this key were seen too seldom to know their shape. */
  isNew(key: ResponseShapeKey): boolean;
  /** Adds a response. @param content its JSON; `undefined` if it has no body */
  add(key: ResponseShapeKey, status: number, content: Json | undefined): void;
  list(): readonly SeenResponses[];
  /** Loads stored shapes, once. Never rejects. */
  load(): Promise<void>;
  /** Writes outstanding changes. */
  stop(): Promise<void>;
}

/** Number of responses of one key that are all sampled. Later ones are sampled like those of other operations. */
const NEW_RESPONSES = 20;
/** Milliseconds between a change and the write, which includes all changes of that time. */
const WRITE_DELAY = 10_000;

/** Where the shapes of a site are stored. */
export interface ShapePersistenceOptions
  extends Pick<StatePersistenceOptions, 'stateName' | 'clock' | 'log'> {
  readonly store: StateStore;
  /** URL of the site. State of another site is not loaded. */
  readonly siteUrl: string;
}

/** @param persistenceOptions `null` to keep the shapes in memory only */
export function createShapeCollector(persistenceOptions: ShapePersistenceOptions | null): ShapeCollector {
  const shapes = createResponseShapes();
  const persistence = persistenceOptions === null ? null : createPersistence(persistenceOptions, shapes);
  return {
    isNew: (key) => shapes.countResponses(key) < NEW_RESPONSES,
    add(key, status, content) {
      const shape = content === undefined ? undefined : observeValue(content, { keepsWords: false });
      shapes.add(toResponseShape(key, status, shape));
      persistence?.markChanged();
    },
    list: () => shapes.list(),
    async load() {
      await persistence?.load();
    },
    async stop() {
      await persistence?.stop();
    },
  };
}

function createPersistence(
  { siteUrl, ...options }: ShapePersistenceOptions,
  shapes: ReturnType<typeof createResponseShapes>,
): StatePersistence {
  return createStatePersistence({
    ...options,
    description: 'shapes of responses',
    writeDelay: WRITE_DELAY,
    serialize: () => `${JSON.stringify(serializeShapes(siteUrl, shapes.list()))}\n`,
    restore: (text) => restoreShapes(text, siteUrl, shapes),
  });
}

/** @returns the reason why the text is unusable, or `null` */
function restoreShapes(
  text: string,
  siteUrl: string,
  shapes: ReturnType<typeof createResponseShapes>,
): string | null {
  let content: Json;
  try {
    content = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  const parsed = parseShapes(content);
  if (parsed === null) return 'it has another format';
  if (parsed.site !== siteUrl) return `it is about ${parsed.site}`;
  for (const response of parsed.responses) shapes.add(response);
  return null;
}

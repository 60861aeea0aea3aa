import type { Json } from '../../json.ts';
import type { SiteStates } from '../../state.ts';
import {
  createResponseShapes,
  parseShapes,
  type ResponseShapeKey,
  type SeenResponses,
  shapesToJson,
  toResponseShape,
} from '../../validation/shapes/response-shapes.ts';
import { observeValue } from '../../validation/shapes/shape.ts';

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

export function createShapeCollector(states: SiteStates): ShapeCollector {
  const shapes = createResponseShapes();
  const stored = states.open('shapes', {
    toJson: () => ({ responses: shapesToJson(shapes.list()) }),
    restore({ responses }) {
      if (!Array.isArray(responses)) return false;
      for (const response of parseShapes(responses)) shapes.add(response);
      return true;
    },
  });
  return {
    isNew: (key) => shapes.countResponses(key) < NEW_RESPONSES,
    add(key, status, content) {
      const shape = content === undefined ? undefined : observeValue(content, { keepsWords: false });
      shapes.add(toResponseShape(key, status, shape));
      stored.markChanged();
    },
    list: () => shapes.list(),
    load: () => stored.load(),
    stop: () => stored.stop(),
  };
}

export { forgetMapNames, isMapShape, mapValues } from './map-shapes.ts';
export { mergeShapes } from './merge-shapes.ts';
export { observeValue, readEnumeration } from './observe-value.ts';
export {
  countStatuses,
  createResponseShapes,
  FORCED_VARIANT,
  mergeResponses,
  type ResponseShapeKey,
  type ResponseShapes,
  type SeenResponses,
  toResponseShape,
  variantOf,
} from './response-shapes.ts';
export { createShapesReport, parseShapes, parseShapesReport, shapesToJson } from './serialize-shapes.ts';
export {
  countShapeNodes,
  EMPTY_SHAPE,
  isPropertyName,
  MAX_SHAPE_DEPTH,
  MAX_SHAPE_MEMBERS,
  type ObjectsShape,
  pruneShape,
  type Shape,
} from './shape.ts';
export { nameStringFormat } from './string-formats.ts';

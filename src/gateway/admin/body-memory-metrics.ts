import type { BodyMemoryStats } from '../exchange/body-memory.ts';
import { formatMetric } from './prometheus-format.ts';

/** Formats the memory of request bodies. @returns lines of Prometheus's text format */
export function formatBodyMemoryMetrics({ bytes, exceeded, maxBytes }: BodyMemoryStats): readonly string[] {
  return [
    ...formatMetric({
      name: 'waygate_body_memory_bytes',
      type: 'gauge',
      help: 'Bytes of request bodies that are in memory for validation.',
      samples: [['', bytes]],
    }),
    ...formatMetric({
      name: 'waygate_body_memory_max_bytes',
      type: 'gauge',
      help: 'Limit of waygate_body_memory_bytes.',
      samples: [['', maxBytes]],
    }),
    ...formatMetric({
      name: 'waygate_body_memory_exceeded_total',
      type: 'counter',
      help: 'Request bodies for which there was no memory: forwarded without validation, or refused with 503.',
      samples: [['', exceeded]],
    }),
  ];
}

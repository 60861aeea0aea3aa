import { beforeEach, describe, expect, test } from 'vitest';
import { DependencyLearning } from '../../../src/cache/dependencies/dependency-learning.ts';
import { ReportedLearning, ReportReceiver } from '../../../src/cache/dependencies/shared-learning.ts';
import { storedResponse } from '../stores/store-contract.ts';

const WRITE = 'PUT /shop/{id}';
const READ = '/forum/{id}';
const GROUP = 'site other';
const OBSERVATIONS = 20;

let now: number;
let contradictions: number;
let learning: DependencyLearning;
let receiver: ReportReceiver;
let workers: readonly ReportedLearning[];

const CONTENTS = { version: 'one', ofRead: () => '', ofWrite: () => '' };

beforeEach(() => {
  now = 1000;
  contradictions = 0;
  learning = new DependencyLearning({
    observations: OBSERVATIONS,
    onContradiction: () => {
      contradictions += 1;
    },
  });
  receiver = new ReportReceiver(learning);
  workers = [new ReportedLearning(), new ReportedLearning()];
  learning.useDocument(CONTENTS);
  for (const [number, worker] of workers.entries()) {
    worker.useDocument(CONTENTS);
    receiver.add(number, now);
  }
});

const tick = (): number => {
  now += 10;
  return now;
};

function write(number: number, resource: string, kind = WRITE): void {
  const worker = workers[number] as ReportedLearning;
  const logged = worker.startWrite(tick());
  const tags = ['item'];
  const effect = { tags, effectTags: tags, namespace: 'shop', groups: [GROUP], hasCertainEffect: true };
  worker.finishWrite(logged, { kind, resource, ...effect }, tick());
}

function read(number: number, key: string, body = 'same'): void {
  const requestTime = tick();
  const response = storedResponse(requestTime, {
    responseTime: tick(),
    body: new TextEncoder().encode(body),
    tags: ['topic'],
    group: { name: GROUP, routeClass: READ },
  });
  workers[number]?.observeStored(key, response);
}

function report(...numbers: readonly number[]): void {
  tick();
  for (const number of numbers) receiver.receive(number, (workers[number] as ReportedLearning).take(now));
}

/** Teaches that the kinds are independent: each worker writes, and the other one reads. */
function teach(): void {
  for (const key of KEYS) read(0, key);
  for (let index = 0; index < 2 * OBSERVATIONS; index += 1) {
    write(index % 2, `resource ${index}`);
    for (const key of KEYS) read((index + 1) % 2, key);
  }
  report(0, 1);
}

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];
const independentPairs = (): readonly unknown[] => [...learning.pairs].filter((pair) => pair.isIndependent);

describe('learning in several processes', () => {
  test('counts a write of one worker and a read of another one', () => {
    teach();
    expect(independentPairs()).toHaveLength(1);
    expect(workers.map((worker) => worker.pairs.listIndependentKinds(WRITE, false))).toEqual([[], []]);
    workers[0]?.setIndependent([[WRITE, READ]]);
    expect(workers[0]?.pairs.listIndependentKinds(WRITE, false)).toEqual([READ]);
    workers[0]?.setIndependent([]);
    expect(workers[0]?.pairs.listIndependentKinds(WRITE, false)).toEqual([]);
  });

  test('finds a contradiction between a write of one worker and a read of another one', () => {
    teach();
    write(0, 'resource');
    read(1, 'a', 'changed');
    report(0, 1);
    expect(contradictions).toBe(1);
    expect(independentPairs()).toEqual([]);
  });

  test('does not compare a fetch before each worker has reported its writes until then', () => {
    teach();
    write(0, 'resource', 'PUT /other/{id}');
    read(1, 'a', 'changed');
    report(1);
    expect(contradictions).toBe(0);
    // The write of the other kind is the only one in between.
    report(0);
    expect(contradictions).toBe(0);
    expect([...learning.pairs].find(({ writeKind }) => writeKind !== WRITE)?.changes).toBe(1);
    expect(independentPairs()).toHaveLength(1);
  });

  test('compares nothing across the end of a worker, whose last writes are not known', () => {
    teach();
    write(0, 'resource');
    receiver.remove(0, tick());
    read(1, 'a', 'changed');
    report(1);
    expect(contradictions).toBe(0);
    write(1, 'resource');
    read(1, 'a', 'changed again');
    report(1);
    expect(contradictions).toBe(1);
  });

  test('compares nothing across a change of the document', () => {
    teach();
    learning.useDocument({ ...CONTENTS, version: 'two' });
    write(0, 'resource');
    read(1, 'a', 'changed');
    report(0, 1);
    expect(contradictions).toBe(0);
  });
});

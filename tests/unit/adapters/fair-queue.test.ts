import { describe, expect, it } from '@jest/globals';
import { FairQueue } from '../../../src/adapters/outbound/security/fair-queue.js';

/** A queue whose computations end when the test says so. */
class HeldQueue {
  readonly started: string[] = [];
  readonly refused: string[] = [];
  readonly #ends: (() => void)[] = [];
  readonly #queue: FairQueue;

  constructor(concurrency: number, capacity: number) {
    this.#queue = new FairQueue(concurrency, capacity, () => new Error('full'));
  }

  add(source: string, times = 1): void {
    for (let time = 0; time < times; time += 1) {
      const compute = () => {
        this.started.push(source);
        return new Promise<void>((resolve) => this.#ends.push(resolve));
      };
      void this.#queue.run(source, compute).catch(() => this.refused.push(source));
    }
  }

  async endOne(): Promise<void> {
    this.#ends.shift()?.();
    await this.settle();
  }

  settle(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  async endAll(): Promise<void> {
    while (this.#ends.length > 0) await this.endOne();
  }
}

describe('a fair queue', () => {
  it('runs as many at once as it may, and the next when one ends', async () => {
    const queue = new HeldQueue(2, 10);
    queue.add('a', 4);
    expect(queue.started).toHaveLength(2);
    await queue.endOne();
    expect(queue.started).toHaveLength(3);
    await queue.endAll();
    expect([queue.started.length, queue.refused.length]).toEqual([4, 0]);
  });

  it('lets sources take turns, however many one of them has waiting', async () => {
    const queue = new HeldQueue(1, 100);
    queue.add('flood', 50);
    queue.add('ada');
    queue.add('grace', 2);
    await queue.endAll();
    expect(queue.started.slice(0, 7)).toEqual(['flood', 'flood', 'ada', 'grace', 'flood', 'grace', 'flood']);
  });

  it('refuses the newest of whoever has the most waiting once it is full', async () => {
    const queue = new HeldQueue(1, 4);
    queue.add('flood', 5);
    queue.add('ada');
    queue.add('grace');
    queue.add('flood', 3);
    await queue.settle();
    expect(queue.refused).toEqual(['flood', 'flood', 'flood', 'flood', 'flood']);
    await queue.endAll();
    expect(queue.started).toEqual(['flood', 'flood', 'ada', 'grace', 'flood']);
  });

  it('refuses a newcomer when nobody has more waiting than one', async () => {
    const queue = new HeldQueue(1, 2);
    for (const source of ['a', 'b', 'c', 'd']) queue.add(source);
    await queue.settle();
    expect(queue.refused).toEqual(['d']);
  });

  it('goes on after a computation that fails', async () => {
    const queue = new FairQueue(1, 10, () => new Error('full'));
    const failing = queue.run('a', () => Promise.reject(new Error('broken')));
    const next = queue.run('a', () => Promise.resolve('fine'));
    await expect(failing).rejects.toThrow('broken');
    await expect(next).resolves.toBe('fine');
  });
});

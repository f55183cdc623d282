import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { WriterTurn } from '../../../src/adapters/outbound/persistence/knex/dialect/writer-turn.js';

/** A thread that takes its turn whenever it is told to, tells so, and passes it on when told again. */
const OTHER_THREAD = `
  const { parentPort, workerData: memory } = require('node:worker_threads');
  const tickets = new Int32Array(memory);
  parentPort.on('message', async (told) => {
    if (told === 'pass') {
      Atomics.add(tickets, 1, 1);
      Atomics.notify(tickets, 1);
      return;
    }
    const ticket = Atomics.add(tickets, 0, 1);
    parentPort.postMessage('asked');
    for (let served = Atomics.load(tickets, 1); served !== ticket; served = Atomics.load(tickets, 1)) {
      const passed = Atomics.waitAsync(tickets, 1, served);
      if (passed.async) await passed.value;
    }
    parentPort.postMessage('taken');
  });
`;

describe('the turn to write', () => {
  it('is one writer’s at a time, in the order in which they asked', async () => {
    const turn = new WriterTurn();
    const sameTurn = new WriterTurn(turn.memory);
    const seen: string[] = [];
    const write = async (of: WriterTurn, name: string): Promise<void> => {
      await of.take();
      seen.push(`${name} begins`);
      await new Promise((resume) => setTimeout(resume, 2));
      seen.push(`${name} ends`);
      of.pass();
    };
    const names = Array.from({ length: 20 }, (_, index) => `writer ${index}`);
    await Promise.all(names.map((name, index) => write(index % 2 === 0 ? turn : sameTurn, name)));
    expect(seen).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('comes to another thread when it is passed on, and back again', async () => {
    const turn = new WriterTurn();
    const other = new Worker(OTHER_THREAD, { eval: true, workerData: turn.memory });
    const told: string[] = [];
    const hears = async (word: string): Promise<void> => {
      while (!told.includes(word)) await new Promise((resume) => other.once('message', resume));
    };
    other.on('message', (word: string) => told.push(word));
    try {
      await turn.take();
      other.postMessage('take');
      await hears('asked');
      const again = turn.take().then(() => told.push('back'));
      expect(told).toEqual(['asked']);
      turn.pass();
      await hears('taken');
      expect(told).toEqual(['asked', 'taken']);
      other.postMessage('pass');
      await again;
      expect(told).toEqual(['asked', 'taken', 'back']);
    } finally {
      await other.terminate();
    }
  });
});

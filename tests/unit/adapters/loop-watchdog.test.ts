import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Exchange } from '../../../src/adapters/inbound/http/server/exchange.js';
import { LoopWatchdog } from '../../../src/adapters/inbound/http/server/loop-watchdog.js';
import { RecordingLogger } from '../../support/recording-logger.js';

const HELD_MS = 400;
const TWO_BEATS_MS = 120;

/** Holds the event loop, and everybody with it. */
const hold = (milliseconds: number): void => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
};

const exchange = (route: string): Exchange => ({
  id: route,
  route,
  actor: 'anonymous',
  routine: false,
  unhurried: false,
});

describe('a watchdog', () => {
  let logger: RecordingLogger;
  let counted: string[];
  let watchdog: LoopWatchdog;

  beforeEach(() => {
    logger = new RecordingLogger();
    counted = [];
    watchdog = new LoopWatchdog({ logger, counters: { count: (name) => void counted.push(name) } });
  });

  afterEach(() => watchdog.stop());

  it('names the requests in hand in one line, and counts what it leaves out', async () => {
    for (const route of ['/slow', '/slow', '/other']) watchdog.begin(exchange(route));
    watchdog.start();
    hold(HELD_MS);
    await sleep(TWO_BEATS_MS);
    hold(HELD_MS);
    await sleep(TWO_BEATS_MS);
    expect(counted.length).toBeGreaterThanOrEqual(2);
    expect(new Set(counted)).toEqual(new Set(['event_loop_delays_total']));
    expect(logger.lines).toEqual([
      {
        level: 'warn',
        message: 'event loop delayed',
        fields: {
          delayMs: expect.any(Number),
          cpuMs: expect.any(Number),
          routes: '/slow, /other',
          untold: 0,
        },
      },
    ]);
    expect(logger.lines[0]?.fields['delayMs']).toBeGreaterThanOrEqual(200);
  });

  it('names what was answered while it held the loop, and nothing that was quick', async () => {
    const [slow, quick] = [exchange('/slow'), exchange('/quick')];
    watchdog.begin(slow);
    watchdog.begin(quick);
    watchdog.end(quick, 1);
    watchdog.start();
    hold(HELD_MS);
    watchdog.end(slow, HELD_MS);
    await sleep(TWO_BEATS_MS);
    expect(logger.lines.map(({ fields }) => fields['routes'])).toEqual(['/slow']);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { describeDatabase } from '../support/databases.js';
import { fillFeed } from '../support/fill-feed.js';
import { underLoad, type Load } from '../support/load.js';
import { MoveRun, STEPS } from '../support/move-run.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { ServedAlerts } from '../support/served-alerts.js';
import { withSpread } from '../support/statistics.js';
import { longestOf, p99Of, SteadyLoad } from '../support/steady-load.js';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2);
/** Rows that take some seconds to move. */
const EVENTS = Number(process.env['GATEHOUSE_BENCH_ROWS'] ?? 100_000);
const ROUNDS = Number(process.env['GATEHOUSE_BENCH_ROUNDS'] ?? 5);
const WARM_UP_MS = 2_000;
/** As long as nothing moves, before and after each move. */
const QUIET_MS = 4_000;

const top = async (write: Load): Promise<number> => {
  await underLoad(write, SECONDS);
  return underLoad(write, SECONDS);
};

/** What a round saw of one direction: 99 of 100 took no longer, in milliseconds. */
interface Beside {
  readonly before: number;
  readonly upToCut: number;
  readonly fromCut: number;
  readonly afterwards: number;
  readonly longest: number;
  readonly seconds: number;
  readonly pauseMs: number;
  readonly steps: ReadonlyMap<string, number>;
}

const moveBeside = async (load: SteadyLoad, move: () => MoveRun): Promise<Beside> => {
  const quietFrom = performance.now();
  await sleep(QUIET_MS);
  const run = move();
  expect(await run.exited).toBe(0);
  const ended = performance.now();
  await sleep(QUIET_MS);
  const [begun, cut] = [run.at.get('begun') ?? 0, run.at.get('cut') ?? 0];
  const p99 = (from: number, to: number): number => p99Of(load.between(from, to));
  return {
    before: p99(quietFrom, begun),
    upToCut: p99(begun, cut),
    fromCut: p99(cut, ended),
    afterwards: p99(ended, Infinity),
    longest: longestOf(load.between(begun, ended)),
    seconds: (ended - begun) / 1_000,
    pauseMs: run.pauseMs ?? Number.NaN,
    steps: new Map(
      STEPS.slice(1).map((step, index) => [step, p99(run.at.get(STEPS[index] ?? step) ?? 0, run.at.get(step) ?? 0)]),
    ),
  };
};

const describeBeside = (way: string, rounds: readonly Beside[]): string => {
  const of = (figure: (round: Beside) => number, digits = 0): string => withSpread(rounds.map(figure), digits);
  const steps = STEPS.slice(1).map((step) => `until ${step} ${of(({ steps }) => steps.get(step) ?? Number.NaN)}`);
  // Each database has a pace of its own: what is served from one is held against what was served from it in quiet.
  return [
    `${way}: over after ${of(({ seconds }) => seconds, 1)} s; writers waited ${of(({ pauseMs }) => pauseMs)} ms`,
    `p99 ${of(({ before }) => before)} ms before, ${of(({ upToCut }) => upToCut)} up to the cut: ratio ${of((round) => round.upToCut / round.before, 2)}`,
    `p99 ${of(({ fromCut }) => fromCut)} ms from then on, ${of(({ afterwards }) => afterwards)} afterwards: ratio ${of((round) => round.fromCut / round.afterwards, 2)}`,
    `p99 ${steps.join(', ')}; longest ${of(({ longest }) => longest)}`,
  ].join('\n  ');
};

const [one, ...others] = selectedDatabases();
for (const other of others)
  describeDatabase(one ?? other, 'those who ask', (openOne) =>
    describeDatabase(other, 'while the storage moves there and back', (openOther) => {
      it('wait little longer than before', async () => {
        const places = [await openOne()];
        // Made before: to make one is work for the server as well.
        for (let round = 0; round <= ROUNDS; round += 1) places.push(await openOther(), await openOne());
        const { settings, service, write } = await ServedAlerts.start(places[0] ?? '');
        const settingsAt = (place: number) => ({ ...settings, DATABASE_URL: places[place] ?? '' });
        const move = (place: number): MoveRun => MoveRun.start(settingsAt(place), places[place + 1] ?? '');
        try {
          // What is more than the slower of both takes piles up after a move to it. And what is run first has to be compiled.
          const tops = [await top(write)];
          expect(await move(0).exited).toBe(0);
          tops.push(await top(write));
          expect(await move(1).exited).toBe(0);
          await fillFeed(places[2] ?? '', EVENTS);
          const half = Math.floor(Math.min(...tops) / 2);
          const load = new SteadyLoad(write, half);
          await sleep(WARM_UP_MS);
          const [there, back]: [Beside[], Beside[]] = [[], []];
          for (let place = 2; place + 2 < places.length; place += 2) {
            there.push(await moveBeside(load, () => move(place)));
            back.push(await moveBeside(load, () => move(place + 1)));
          }
          await load.stop();
          process.stdout.write(
            `${EVENTS} rows, ${half} alerts a second, half of what the slower database takes\n` +
              `${describeBeside(`${one} → ${other}`, there)}\n${describeBeside(`${other} → ${one}`, back)}\n`,
          );
        } finally {
          await service.end('SIGTERM');
        }
      });
    }),
  );

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
const EVENTS = Number(process.env['GATEHOUSE_BENCH_ROWS'] ?? 20_000);
/** Alerts a second; half of what the slower database takes, unless told. */
const RATE = process.env['GATEHOUSE_BENCH_RATE'];
const ROUNDS = Number(process.env['GATEHOUSE_BENCH_ROUNDS'] ?? 5);
/** Until what a service runs is compiled. */
const WARM_UP_MS = 10_000;
/** As long as nothing moves, before and after each move. */
const QUIET_MS = 8_000;

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

type Open = () => Promise<string>;

/** How many alerts a second are half of what the slower of both takes: what is more piles up after a move to it. */
const halfOfTop = async (databases: readonly Open[]): Promise<number> => {
  const tops: number[] = [];
  for (const open of databases) {
    const { service, write } = await ServedAlerts.start(await open());
    tops.push(await top(write));
    await service.end('SIGTERM');
  }
  return Math.floor(Math.min(...tops) / 2);
};

/** There and back beside a service of its own: what came to one in the rounds before would make each longer than the last. */
const round = async (openOne: Open, openOther: Open, perSecond: number): Promise<readonly [Beside, Beside]> => {
  const places = [await openOne(), await openOther(), await openOne()];
  await fillFeed(places[0] ?? '', EVENTS);
  const { settings, service, write } = await ServedAlerts.start(places[0] ?? '');
  const move = (place: number): MoveRun =>
    MoveRun.start({ ...settings, DATABASE_URL: places[place] ?? '' }, places[place + 1] ?? '');
  const load = new SteadyLoad(write, perSecond);
  try {
    await sleep(WARM_UP_MS);
    return [await moveBeside(load, () => move(0)), await moveBeside(load, () => move(1))];
  } finally {
    await load.stop();
    await service.end('SIGTERM');
  }
};

const [one, ...others] = selectedDatabases();
for (const other of others)
  describeDatabase(one ?? other, 'those who ask', (openOne) =>
    describeDatabase(other, 'while the storage moves there and back', (openOther) => {
      it('wait little longer than before', async () => {
        const rate = RATE === undefined ? await halfOfTop([openOne, openOther]) : Number(RATE);
        const [there, back]: [Beside[], Beside[]] = [[], []];
        for (let left = ROUNDS; left > 0; left -= 1) {
          const [to, from] = await round(openOne, openOther, rate);
          there.push(to);
          back.push(from);
          process.stdout.write(`${describeBeside('there', [to])}\n${describeBeside('back', [from])}\n`);
        }
        process.stdout.write(
          `${EVENTS} rows, ${rate} alerts a second${RATE === undefined ? ', half of what the slower database takes' : ''}\n` +
            `${describeBeside(`${one} → ${other}`, there)}\n${describeBeside(`${other} → ${one}`, back)}\n`,
        );
      });
    }),
  );

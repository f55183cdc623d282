import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { everyTarget, findRegistered } from '../support/cost/every-target.js';
import { HonestClients } from '../support/cost/honest-clients.js';
import { MeasuredService } from '../support/cost/measured-service.js';
import { compose } from '../support/cost/run-suite.js';
import { send } from '../support/cost/send.js';
import { attacksOn, type Attack } from '../support/cost/shapes.js';
import type { Caller, Target } from '../support/cost/target.js';
import { makeWorld, type World } from '../support/cost/world.js';
import { describeEachDatabase } from '../support/databases.js';
import { ServiceProcess } from '../support/service-process.js';
import { median } from '../support/statistics.js';

/** How long it takes on each database: 60 for the whole hour. */
const MINUTES = Number(process.env['HOSTILE_MINUTES'] ?? 4);
/** Hostile requests a second. */
const RATE = Number(process.env['HOSTILE_RATE'] ?? 2);

const ROUND_MS = 60_000;
const ALONE_MS = 20_000;
const HOSTILE_MS = ROUND_MS - ALONE_MS;
const WARM_UP_MS = 10_000;
const PATIENCE_MS = 10_000;
const MOST_AT_ONCE = 4;
const MOST_TIMES_SLOWER = 3;
/** Of garbage that was collected, and yet not all of it: a store that grows does so by more in a few rounds. */
const MOST_GROWTH_MB = 20;

interface Prepared {
  readonly target: Target;
  readonly caller: Caller;
  readonly attack: Attack;
  readonly body: Buffer | undefined;
}

/** Numbers that are the same in each run. */
const numbers = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

/** Half of them by nobody in particular. */
const CALLERS: readonly Caller[] = ['nobody', 'nobody', 'administrator', 'person'];

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length * share)] ?? 0;

describeEachDatabase('hostile requests beside honest ones', (openTestDatabase) => {
  let service: MeasuredService;
  let world: World;
  let targets: Target[];
  let honest: HonestClients;

  beforeAll(async () => {
    const databaseUrl = await openTestDatabase();
    const registered = await findRegistered(databaseUrl);
    world = await makeWorld(databaseUrl);
    service = await MeasuredService.start(
      (flags) => ServiceProcess.start(world.settings, { flags, onLog: () => undefined }),
      databaseUrl,
    );
    targets = await everyTarget(service.url, world, registered);
    honest = await HonestClients.create(service.port, service.url, world);
  });

  afterAll(async () => {
    honest.close();
    await service.close();
  });

  const draw = numbers(20_261_122);

  const pick = <Of>(of: readonly Of[]): Of => {
    const picked = of[draw(of.length)];
    if (picked === undefined) throw new Error('There is nothing to pick from.');
    return picked;
  };

  /** Made before the clock runs: what is slow to make here would be taken for slow answers. */
  const prepare = (count: number): Prepared[] =>
    Array.from({ length: count }, () => {
      const target = pick(targets);
      const attack = pick(
        attacksOn(target, () => true).filter(
          ({ segment }) => segment === undefined || target.pathWith('') !== undefined,
        ),
      );
      return { target, caller: pick(CALLERS), attack, body: attack.body?.() };
    });

  /** How often each status was the answer; what is promised for overload is none of the faults. */
  const statuses = new Map<string, number>();

  const attackAtRate = async (attacks: readonly Prepared[], milliseconds: number): Promise<number> => {
    const endAt = performance.now() + milliseconds;
    const running = new Set<Promise<void>>();
    let sent = 0;
    for (const { target, caller, attack, body } of attacks) {
      if (performance.now() >= endAt) break;
      while (running.size >= MOST_AT_ONCE) await Promise.race(running);
      const one = compose(target, caller, attack, body)
        .then((request) => send(service.port, request, PATIENCE_MS))
        .then(({ status, gaveUp, retryAfter }) => {
          const seen = gaveUp ? 'none' : status === 503 && retryAfter ? 'overloaded' : String(status);
          statuses.set(seen, (statuses.get(seen) ?? 0) + 1);
        })
        .finally(() => running.delete(one));
      running.add(one);
      sent += 1;
      await sleep(1_000 / RATE);
    }
    await Promise.all(running);
    return sent;
  };

  it(
    `keep the service up, its memory flat and honest answers quick for ${MINUTES} minutes`,
    async () => {
      const here = monitorEventLoopDelay({ resolution: 5 });
      const [alone, beside] = [new Map<string, number[]>(), new Map<string, number[]>()];
      const failures: string[] = [];
      const memory: number[] = [];
      let sent = 0;
      const keep = (
        into: Map<string, number[]>,
        { took, failures: failed }: Awaited<ReturnType<HonestClients['run']>>,
      ) => {
        failures.push(...failed);
        for (const [name, values] of took) into.set(name, [...(into.get(name) ?? []), ...values]);
      };
      await honest.run(WARM_UP_MS);
      here.enable();
      const endAt = performance.now() + MINUTES * 60_000;
      while (performance.now() < endAt && service.running) {
        keep(alone, await honest.run(ALONE_MS));
        const attacks = prepare(Math.ceil((HOSTILE_MS / 1_000) * RATE));
        const [answers, count] = await Promise.all([honest.run(HOSTILE_MS), attackAtRate(attacks, HOSTILE_MS)]);
        keep(beside, answers);
        sent += count;
        await service.collectGarbage();
        memory.push(service.memoryMb());
      }
      const p99 = (of: ReadonlyMap<string, number[]>) => percentile([...of.values()].flat(), 0.99);
      const lines = [...alone.keys()].map(
        (name) =>
          `  ${name.padEnd(20)} p50 ${median(alone.get(name) ?? []).toFixed(1)} → ${median(beside.get(name) ?? []).toFixed(1)} ms,` +
          ` p99 ${percentile(alone.get(name) ?? [], 0.99).toFixed(1)} → ${percentile(beside.get(name) ?? [], 0.99).toFixed(1)} ms\n`,
      );
      const half = Math.floor(memory.length / 2);
      // The first round fills caches.
      const growth = memory.length < 4 ? 0 : median(memory.slice(half)) - median(memory.slice(1, half));
      process.stdout.write(
        `${expect.getState().currentTestName ?? ''}: ${sent} hostile requests, answered with ${JSON.stringify(Object.fromEntries(statuses))}\n` +
          `  all together         p99 ${p99(alone).toFixed(1)} → ${p99(beside).toFixed(1)} ms (here ${(here.percentile(99) / 1e6).toFixed(1)} ms)\n` +
          lines.join('') +
          `  memory ${memory.map((each) => each.toFixed(0)).join(', ')} MB\n`,
      );
      expect(service.running).toBe(true);
      expect(failures).toEqual([]);
      expect([...statuses].filter(([status]) => status === 'none' || Number(status) >= 500)).toEqual([]);
      expect(growth).toBeLessThan(MOST_GROWTH_MB);
      expect(p99(beside)).toBeLessThan(MOST_TIMES_SLOWER * p99(alone));
    },
    (MINUTES + 5) * 60_000,
  );
});

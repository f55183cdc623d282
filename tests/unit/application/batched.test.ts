import { describe, expect, it } from '@jest/globals';
import { Batched, type BatchRules } from '../../../src/application/shared/batched.js';
import { Conflict, Unavailable } from '../../../src/domain/shared/domain-error.js';

interface Command {
  readonly name: string;
  readonly lane?: number;
  readonly weight?: number;
}

const RULES: BatchRules<Command> = {
  laneOf: ({ lane = 1 }) => lane,
  weightOf: ({ weight = 1 }) => weight,
  maxWeight: 4,
  mostWaiting: 5,
  mostAtOnce: 2,
  patienceMs: 10_000,
};

/** Handles batches when it is told to, and remembers which there were. */
const gathering = (answer: (names: readonly string[]) => readonly string[]) => {
  const batches: string[][] = [];
  const opened: (() => void)[] = [];
  const batched = new Batched<Command, string>(async (take) => {
    await new Promise<void>((resume) => opened.push(resume));
    const names = take().map(({ name }) => name);
    batches.push(names);
    return answer(names);
  }, RULES);
  const handleAll = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn += 1) {
      opened.shift()?.();
      await new Promise((resume) => setImmediate(resume));
    }
  };
  return { batched, batches, handleAll };
};

const echo = (names: readonly string[]): readonly string[] => names.map((name) => `did ${name}`);
const outcomes = async (running: readonly Promise<string>[]): Promise<string[]> =>
  (await Promise.allSettled(running)).map((each) =>
    each.status === 'fulfilled' ? each.value : (each.reason as Error).constructor.name,
  );

describe('commands that are batched', () => {
  it('are handled together when they arrive together, and each has its own answer', async () => {
    const { batched, batches, handleAll } = gathering(echo);
    const running = ['a', 'b', 'c'].map((name) => batched.execute({ name }));
    const seen = outcomes(running);
    await handleAll();
    expect(await seen).toEqual(['did a', 'did b', 'did c']);
    expect(batches).toEqual([['a', 'b', 'c']]);
  });

  it('weigh no more than a batch may, unless one alone does', async () => {
    const { batched, batches, handleAll } = gathering(echo);
    const running = [
      { name: 'a', weight: 3 },
      { name: 'b', weight: 2 },
      { name: 'huge', weight: 9 },
      { name: 'c' },
    ].map((command) => batched.execute(command));
    const seen = outcomes(running);
    await handleAll();
    await seen;
    expect(batches).toEqual([['a'], ['b'], ['huge'], ['c']]);
  });

  it('of one lane do not wait for those of another', async () => {
    const held: (() => void)[] = [];
    const batched = new Batched<Command, string>(async (take) => {
      const commands = take();
      if (commands[0]?.lane === 1) await new Promise<void>((resume) => held.push(resume));
      return commands.map(({ name }) => name);
    }, RULES);
    const waiting = batched.execute({ name: 'slow', lane: 1 });
    expect(await batched.execute({ name: 'quick', lane: 2 })).toBe('quick');
    held.forEach((resume) => resume());
    expect(await waiting).toBe('slow');
  });

  it('of many lanes gather while batches of others are under way', async () => {
    const { batched, batches, handleAll } = gathering(echo);
    const commands = [1, 2, 3, 1, 2, 3, 3].map((lane, place) => ({ name: `${lane}${'abcdefg'[place]}`, lane }));
    const seen = outcomes(commands.map((command) => batched.execute(command)));
    await handleAll();
    expect(await seen).toEqual(commands.map(({ name }) => `did ${name}`));
    // As gathered as their turn found them: each of those of the third lane waited for the first two.
    expect(batches).toEqual([
      ['1a', '1d'],
      ['2b', '2e'],
      ['3c', '3f', '3g'],
    ]);
  });

  it('of other lanes do not wait longer than they have patience for those that are held up', async () => {
    const held: (() => void)[] = [];
    const batched = new Batched<Command, string>(
      async (take) => {
        const commands = take();
        if (commands[0]?.lane !== 3) await new Promise<void>((resume) => held.push(resume));
        return commands.map(({ name }) => name);
      },
      { ...RULES, patienceMs: 5 },
    );
    const stuck = [1, 2].map((lane) => batched.execute({ name: 'stuck', lane }));
    expect(await batched.execute({ name: 'quick', lane: 3 })).toBe('quick');
    expect(await batched.execute({ name: 'again', lane: 3 })).toBe('again');
    held.forEach((resume) => resume());
    expect(await Promise.all(stuck)).toEqual(['stuck', 'stuck']);
  });

  it('are tried alone when their batch was refused, so that one alone fails', async () => {
    const { batched, batches, handleAll } = gathering((names) => {
      if (names.includes('bad')) throw new Conflict('no');
      return echo(names);
    });
    const running = ['a', 'bad', 'c'].map((name) => batched.execute({ name }));
    const seen = outcomes(running);
    await handleAll();
    expect(await seen).toEqual(['did a', 'Conflict', 'did c']);
    expect(batches).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  });

  it('are not tried again when nobody knows whether their batch was committed', async () => {
    const { batched, batches, handleAll } = gathering(() => {
      throw new Unavailable('database');
    });
    const running = ['a', 'b'].map((name) => batched.execute({ name }));
    const seen = outcomes(running);
    await handleAll();
    expect(await seen).toEqual(['Unavailable', 'Unavailable']);
    expect(batches).toEqual([['a', 'b']]);
  });

  it('are refused when too many wait', async () => {
    const { batched, handleAll } = gathering(echo);
    const running = Array.from({ length: 7 }, (_, index) => batched.execute({ name: `${index}` }));
    const seen = outcomes(running);
    await handleAll();
    expect((await seen).filter((outcome) => outcome === 'Unavailable')).toHaveLength(2);
  });
});

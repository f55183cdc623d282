import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onDatabase } from './stores.js';

const MAIN = fileURLToPath(new URL('../../dist/infrastructure/main.js', import.meta.url));

const BATCH = 400;
/** By how much longer each run may last than the one before, in the middle: what it brought before it brings no more, but it compares anew. */
const PATIENCE = 1.4;
/** So many are a fault. */
const MOST_RUNS = 30;

/** Fills the feed: what most rows of an installation are. */
export const plantEvents = (url: string, count: number): Promise<void> =>
  onDatabase(url, async ({ schema }) => {
    const rows = Array.from({ length: count }, (_, index) => ({
      feed: index % 97,
      author_id: index % 31,
      action: 1,
      target_type: 1,
      target_title: `Cogs jam\t${index}\\N`,
      created_at: new Date(Date.UTC(2026, 0, 1) + index).toISOString(),
    }));
    await schema.batchInsert('activity_events', rows, BATCH);
  });

type Settings = Readonly<Record<string, string>>;

export const SECRET_KEY_OF_COMMANDS = Buffer.alloc(32, 7);

/** The settings of an installation that nobody serves. */
const settingsOf = (databaseUrl: string): Settings => ({
  DATABASE_URL: databaseUrl,
  SECRET_KEY: SECRET_KEY_OF_COMMANDS.toString('base64'),
});

const start = (settings: Settings, parameters: readonly string[]): ChildProcess =>
  spawn(process.execPath, [MAIN, 'storage', ...parameters], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });

/** Runs a command to its end, and answers its exit code. */
export const runStorage = async (from: string | Settings, ...parameters: string[]): Promise<number | null> => {
  const settings = typeof from === 'string' ? settingsOf(from) : from;
  const [code] = (await once(start(settings, parameters), 'exit')) as [number | null];
  return code;
};

/**
 * Runs the same move again and again, each killed at a random moment, until one comes through.
 *
 * @param failures whether a run may end with a sentence, as when it loses its connection.
 */
export const moveUnderKills = async (
  from: string | Settings,
  to: string,
  longestMs: number,
  { failures = 'throw' }: { readonly failures?: 'throw' | 'run again' } = {},
): Promise<{ readonly kills: number }> => {
  for (let kills = 0; kills < MOST_RUNS; kills += 1) {
    const child = start(typeof from === 'string' ? settingsOf(from) : from, ['move', '--to', to]);
    const ended = once(child, 'exit') as Promise<[number | null]>;
    const patience = randomInt(200, longestMs) * PATIENCE ** kills;
    const killer = new AbortController();
    const timer = sleep(patience, undefined, { signal: killer.signal }).then(
      () => child.kill('SIGKILL'),
      () => undefined,
    );
    const [code] = await ended;
    killer.abort();
    await timer;
    if (code === 0) return { kills };
    if (code !== null && failures === 'throw') throw new Error(`The move ended with ${code}.`);
  }
  throw new Error(`The move did not come through in ${MOST_RUNS} runs.`);
};

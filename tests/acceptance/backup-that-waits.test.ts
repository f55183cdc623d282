import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { describeDatabase } from '../support/databases.js';
import { isFree } from '../support/free-journal.js';
import { SECRET_KEY_OF_COMMANDS } from '../support/storage-kills.js';
import { onDatabase } from '../support/stores.js';

const MAIN = fileURLToPath(new URL('../../dist/infrastructure/main.js', import.meta.url));
/** More than a pipe takes from whoever writes to it, however it is compressed. */
const ENTRIES = 4_000;
const BYTES = 400;
const BATCH = 400;

const addEntries = (url: string, count: number): Promise<void> =>
  onDatabase(url, async ({ schema }) => {
    const entries = Array.from({ length: count }, (_, index) => ({
      feed: 1,
      author_id: 1,
      action: 1,
      target_type: 1,
      target_title: randomBytes(BYTES).toString('base64'),
      created_at: new Date(index).toISOString(),
    }));
    await schema.batchInsert('activity_events', entries, BATCH);
  });

describeDatabase('sqlite', 'a backup', (openTestDatabase) => {
  it('that waits for whoever reads it keeps nothing in the journal of the file', async () => {
    const url = await openTestDatabase();
    const path = url.slice('sqlite:'.length);
    await addEntries(url, ENTRIES);
    const backup = spawn(process.execPath, [MAIN, 'backup', '--to', '-'], {
      env: { PATH: process.env['PATH'], DATABASE_URL: url, SECRET_KEY: SECRET_KEY_OF_COMMANDS.toString('base64') },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exited = once(backup, 'exit');
    try {
      await once(backup.stdout, 'readable');
      await addEntries(url, 1);
      expect([isFree(path), backup.exitCode]).toEqual([true, null]);
      backup.stdout.resume();
      expect(await exited).toEqual([0, null]);
    } finally {
      backup.kill();
    }
  });
});

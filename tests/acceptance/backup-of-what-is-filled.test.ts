import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openStorageEnd } from '../../src/adapters/outbound/persistence/knex/dialect/storage/open-storage-end.js';
import { createAesSecretBox } from '../../src/adapters/outbound/security/aes-secret-box.js';
import {
  archivePeer,
  asSource,
  asTarget,
  left,
  UNTOUCHED,
  type StorageControl,
} from '../../src/domain/storage/storage-control.js';
import { describeEachDatabase } from '../support/databases.js';
import { Installation } from '../support/installation.js';
import { SECRET_KEY_OF_COMMANDS } from '../support/storage-kills.js';

const MOVE = '7f3a91c2';

/** Lets a database say what it says while a command is at work on it, or after that was killed. */
const mark = async (url: string, control: StorageControl): Promise<void> => {
  const end = await openStorageEnd(url);
  await end.mark(control, await end.control());
  await end.close();
};

describeEachDatabase('a backup', (openTestDatabase) => {
  let installation: Installation;
  let count = 0;

  beforeAll(() => {
    installation = new Installation({ SECRET_KEY: SECRET_KEY_OF_COMMANDS.toString('base64') });
  });
  afterAll(() => installation.remove());

  const backUp = async (url: string, ...more: string[]) => {
    const file = join(installation.directory, `${++count}.ghb`);
    const outcome = await installation.run(['backup', '--to', file, ...more], { DATABASE_URL: url });
    return { ...outcome, written: existsSync(file) };
  };
  const formatsOf = (url: string) => (url.startsWith('sqlite:') ? [[], ['--format', 'sqlite']] : [[]]);

  it('is refused where a restore or a move fills the database: half of the rows are no installation', async () => {
    for (const peer of [archivePeer('whole.ghb'), 'db.example/gatehouse']) {
      const url = await openTestDatabase();
      await mark(url, asTarget(UNTOUCHED, MOVE, peer));
      for (const format of formatsOf(url))
        expect(await backUp(url, ...format)).toEqual({
          code: 1,
          stdout: '',
          stderr: `gatehouse: This database is being filled from ${peer} (${MOVE}), and that has not ended: run the same command again, or give it up by "gatehouse storage abort".\n`,
          written: false,
        });
    }
  });

  it('that is refused so has the status of the database say that nobody is at work, and what to run again', async () => {
    for (const [peer, again] of [
      [archivePeer('whole.ghb'), 'restore again'],
      ['db.example/gatehouse', 'move again to go on'],
    ] as const) {
      const url = await openTestDatabase();
      await mark(url, asTarget(UNTOUCHED, MOVE, peer));
      const { code, stdout } = await installation.run(['storage', 'status'], { DATABASE_URL: url });
      expect([code, stdout]).toEqual([
        0,
        expect.stringContaining(
          `\ncommand   none: run the same ${again}, or give it up by "gatehouse storage abort"\n`,
        ),
      ]);
    }
  });

  it('follows to what a database was left for, also where the last mark is missing there, and to nothing else', async () => {
    const [before, now] = [await openTestDatabase(), await openTestDatabase()];
    const sealedSuccessor = createAesSecretBox(SECRET_KEY_OF_COMMANDS, 'stored secrets').seal(now);
    await mark(before, left(asSource(UNTOUCHED, { move: MOVE, peer: 'elsewhere', sealedSuccessor })));
    const target = asTarget(UNTOUCHED, MOVE, 'before');
    await mark(now, { ...target, state: 'ready' });
    for (const format of formatsOf(before))
      expect(await backUp(before, ...format)).toMatchObject({ code: 0, written: true });
    const refusal = {
      code: 1,
      stderr: expect.stringMatching(/^gatehouse: DATABASE_URL names a database that was left for elsewhere: /),
      written: false,
    };
    for (const other of [target, asTarget(UNTOUCHED, 'another', 'before')]) {
      await mark(now, other);
      expect(await backUp(before)).toMatchObject(refusal);
    }
  });
});

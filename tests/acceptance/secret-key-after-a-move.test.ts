import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, expect, it } from '@jest/globals';
import { describeDatabase } from '../support/databases.js';
import { Installation } from '../support/installation.js';
import { selectedDatabases } from '../support/selected-databases.js';

const newKey = (): string => randomBytes(32).toString('base64');
const fileOf = (url: string): string => url.slice('sqlite:'.length);
const DONE = /SECRET_KEY opens everything now, and SECRET_KEY_PREVIOUS can be removed\.\n$/;

// By way of each kind of database. The last one is a file, so that keys lie beside both ends.
for (const between of selectedDatabases())
  describeDatabase('sqlite', 'the secret key', (openFile) =>
    describeDatabase(between, 'of an installation that was moved twice', (openBetween) => {
      const installation = new Installation();
      afterAll(() => installation.remove());

      it('is changed for a start with the first DATABASE_URL as well, and beside the file that serves', async () => {
        const [first, second, last] = [await openFile(), await openBetween(), await openFile()];
        const [before, after] = [newKey(), newKey()];
        for (const url of [first, last]) writeFileSync(`${fileOf(url)}.key`, `${before}\n`, { mode: 0o600 });
        const run = (command: string[], settings: Record<string, string> = {}) =>
          installation.run(command, { DATABASE_URL: first, ...settings });
        // Gives the database its key.
        expect(await run(['user', 'create', '--username', 'ada', '--email', 'ada@example.com'])).toMatchObject({
          code: 0,
        });
        const ofSecond = { DATABASE_URL: second, SECRET_KEY: before };
        expect(await run(['storage', 'move', '--to', second])).toMatchObject({ code: 0 });
        expect(await run(['storage', 'move', '--to', last], ofSecond)).toMatchObject({ code: 0 });

        writeFileSync(`${fileOf(first)}.key`, `${after}\n`);
        const refused = await run(['user', 'list']);
        expect(refused).toEqual({
          code: 1,
          stdout: '',
          stderr: expect.stringMatching(
            /^gatehouse: The storage was moved to .*, whose address is sealed with another key than SECRET_KEY: set SECRET_KEY_PREVIOUS to that key, or set DATABASE_URL to .*\.\n$/,
          ),
        });
        const both = { SECRET_KEY_PREVIOUS: before };
        expect(await run(['secret-key', 'rotate'], both)).toMatchObject({
          code: 0,
          stderr: expect.stringMatching(DONE),
        });
        for (const settings of [{}, { DATABASE_URL: second, SECRET_KEY: after }, { DATABASE_URL: last }])
          expect([settings, await run(['user', 'list'], settings)]).toEqual([
            settings,
            { code: 0, stderr: '', stdout: expect.stringContaining('ada@example.com') },
          ]);
        expect(readFileSync(`${fileOf(last)}.key`, 'utf8').trim()).toBe(after);
        expect(statSync(`${fileOf(last)}.key`).mode & 0o777).toBe(0o600);

        // As where it was killed before its end.
        expect(await run(['secret-key', 'rotate'], both)).toMatchObject({
          code: 0,
          stderr: expect.stringMatching(DONE),
        });
        const back = { SECRET_KEY: before, SECRET_KEY_PREVIOUS: after };
        expect(await run(['secret-key', 'rotate'], back)).toMatchObject({
          code: 0,
          stderr: expect.stringMatching(DONE),
        });
        expect(await run(['user', 'list'], { SECRET_KEY: before })).toMatchObject({ code: 0 });
      });
    }),
  );

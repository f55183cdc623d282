import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { migrateDatabase } from '../../src/infrastructure/migrate-database.js';
import { describeDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { MovingStorm } from '../support/moving-storm.js';
import { hasNginx, Nginx } from '../support/nginx.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { keptPrograms, takeBackTo, unpackProgram, type ReleaseProgram } from '../support/release-program.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { onDatabase } from '../support/stores.js';
import { leftOutWithout } from '../support/system-package.js';

for (const database of selectedDatabases().filter((name) => name === 'postgres'))
  for (const release of keptPrograms())
    describeDatabase(database, `two nodes of ${release} behind nginx`, (openTestDatabase) => {
      let before: ReleaseProgram;
      beforeEach(async () => void (before = await unpackProgram(release)));
      afterEach(() => before.remove());

      it('are updated one after the other under load: both versions serve meanwhile, no request fails, and nothing is lost or doubled', async () => {
        if (leftOutWithout('nginx', hasNginx())) return;
        const [url, ports] = [await openTestDatabase(), [await freePort(), await freePort()]];
        const storm = await MovingStorm.start(url, 2, ports, {
          program: before.main,
          beforeServing: () => takeBackTo(url, before.migrations),
        });
        const nginx = await Nginx.start(ports);
        try {
          storm.front = nginx.url;
          await storm.more();
          // While both nodes are still of the release before.
          await onDatabase(url, (opened) => migrateDatabase(opened, new RecordingLogger()));
          await storm.more();
          expect(await storm.replace(0)).toBe(0);
          // One of each: what either gives out or writes the other one takes.
          storm.front = undefined;
          await storm.more(600);
          storm.front = nginx.url;
          await storm.more(50);
          expect(await storm.replace(1)).toBe(0);
          await storm.more();
          await storm.calm();
          expect(storm.failures).toEqual([]);
          expect(await storm.stored()).toEqual(storm.acknowledged);
          expect(await storm.stillSignedIn()).toEqual([200, 200]);
        } finally {
          await storm.close();
          await nginx.stop();
        }
      });
    });

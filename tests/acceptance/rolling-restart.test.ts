import { expect, it } from '@jest/globals';
import { describeDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { MovingStorm } from '../support/moving-storm.js';
import { hasNginx, Nginx } from '../support/nginx.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { leftOutWithout } from '../support/system-package.js';

const ROUNDS = 2;

for (const database of selectedDatabases().filter((name) => name === 'postgres'))
  describeDatabase(database, 'two nodes behind nginx', (openTestDatabase) => {
    it('are replaced one after the other under load without a request that fails, and lose and double nothing', async () => {
      if (leftOutWithout('nginx', hasNginx())) return;
      const ports = [await freePort(), await freePort()];
      const storm = await MovingStorm.start(await openTestDatabase(), 2, ports);
      const nginx = await Nginx.start(ports);
      try {
        storm.front = nginx.url;
        await storm.more();
        for (let round = 1; round <= ROUNDS; round += 1)
          for (const node of ports.keys()) {
            expect(await storm.replace(node)).toBe(0);
            await storm.more();
          }
        await storm.calm();
        expect(storm.failures).toEqual([]);
        expect(await storm.stored()).toEqual(storm.acknowledged);
        expect(await storm.stillSignedIn()).toEqual([200, 200]);
      } finally {
        await storm.close();
        await nginx.stop();
      }
    });

    it('go on when one is killed under load: only what was on its way there fails, and what was acknowledged is kept', async () => {
      if (leftOutWithout('nginx', hasNginx())) return;
      const ports = [await freePort(), await freePort()];
      const storm = await MovingStorm.start(await openTestDatabase(), 2, ports);
      const nginx = await Nginx.start(ports);
      try {
        storm.front = nginx.url;
        await storm.more();
        await storm.kill(0);
        await storm.more();
        await storm.calm();
        expect(storm.failures).toEqual([]);
        const stored = await storm.stored();
        // What was stored and could not be answered any more was not acknowledged.
        for (const [title, times] of storm.acknowledged) expect(stored.get(title)).toBeGreaterThanOrEqual(times);
        expect(await storm.stillSignedIn()).toEqual([200, 200]);
      } finally {
        await storm.close();
        await nginx.stop();
      }
    });
  });

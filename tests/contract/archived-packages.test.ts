import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Sensitive } from '../../src/application/shared/sensitive.js';
import { createArchiveCommands } from '../../src/infrastructure/archive-commands.js';
import type { Config } from '../../src/infrastructure/configuration/config.js';
import { describeDatabase } from '../support/databases.js';
import { temporaryFolder, withGit } from '../support/git.js';
import { crossedPairs } from '../support/selected-databases.js';
import { byToken, fetchPackage, sendPackage } from '../support/sent-packages.js';
import { testConfig } from '../support/test-config.js';
import { TestService } from '../support/test-service.js';

const KEY = randomBytes(32);

const settingsAt = (place: string): Partial<Config> => ({
  repositoriesDirectory: join(place, 'repositories'),
  artifactsDirectory: join(place, 'artifacts'),
});

withGit('an archive with files of packages', () => {
  for (const [from, to] of crossedPairs())
    describeDatabase(from, 'an archive with files of packages', (openSource) =>
      describeDatabase(to, 'restored into another database', (openTarget) => {
        const commandsOn = (url: string, place: string) => {
          const told: string[] = [];
          const secretKey = new Sensitive(KEY.toString('base64'));
          const tell = (line: string) => void told.push(line);
          const config = () => testConfig(url, { secretKey, ...settingsAt(place) });
          return { ...createArchiveCommands({ config, environment: {}, print: tell, tell }), told };
        };

        it('brings them back, among those that jobs left', async () => {
          const [source, root, place] = [await openSource(), temporaryFolder(), temporaryFolder()];
          const service = await TestService.start(source, settingsAt(root), KEY);
          const file = join(temporaryFolder(), 'backup.ghb');
          const ada = await service.addUser('ada');
          try {
            const { body } = await service.call<{ id: number }>('POST', '/projects', {
              ...{ token: ada.token, json: { name: 'Mill' } },
            });
            for (const name of ['a.txt', 'b.txt'])
              expect((await sendPackage(service, byToken(ada), body.id, `of ${name}`, { file: name })).status).toBe(
                201,
              );
            const written = commandsOn(source, root);
            await written.backup({ to: file, format: 'archive', verify: true });
            expect(written.told[0]).toMatch(/ and 2 files of CI jobs\.$/);
            const target = await openTarget();
            const restored = commandsOn(target, place);
            await restored.restore({ from: file });
            const again = await TestService.start(target, settingsAt(place), KEY);
            try {
              for (const name of ['a.txt', 'b.txt'])
                expect(await fetchPackage(again, byToken(ada), body.id, { file: name })).toMatchObject({
                  ...{ status: 200, text: `of ${name}` },
                });
            } finally {
              await again.close();
            }
          } finally {
            await service.close();
          }
        });
      }),
    );
});

import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { FolderArtifactCopies } from '../../src/adapters/outbound/artifacts/folder-artifact-copies.js';
import { FolderArtifactFiles } from '../../src/adapters/outbound/artifacts/folder-artifact-files.js';
import { writeArtifacts } from '../../src/application/storage/take-artifacts.js';
import { temporaryFolder } from '../support/git.js';
import { until } from '../support/until.js';

const KEY = 'ab'.repeat(12);

const backupsIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.startsWith('backup-'));

const folderWithFile = (): string => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'ab'));
  writeFileSync(join(folder, 'ab', KEY), 'here');
  return folder;
};

const contentsOf = async (copies: FolderArtifactCopies): Promise<readonly string[]> => {
  const contents: string[] = [];
  for await (const { content } of copies.files()) {
    let text = '';
    for await (const chunk of content) text += Buffer.from(chunk).toString();
    contents.push(text);
  }
  return contents;
};

describe('files of CI jobs as they are at one moment', () => {
  const root = temporaryFolder();
  const elsewhere = ['/dev/shm', '/var/tmp'].find((folder) => statSync(folder).dev !== statSync(root).dev)!;
  const other = mkdtempSync(join(elsewhere, 'gatehouse-'));
  afterAll(() => rmSync(other, { recursive: true }));

  it('are copied where the disk can’t give them second names', async () => {
    symlinkSync(other, join(root, 'ab'));
    writeFileSync(join(other, KEY), 'elsewhere');
    const copies = await FolderArtifactCopies.open(root);
    copies.begin();
    expect(await copies.take([KEY])).toEqual([]);
    rmSync(join(other, KEY));
    expect(await contentsOf(copies)).toEqual(['elsewhere']);
    await copies.discard();
  });

  it('stay as long as they are at work, whatever sweeps beside them', async () => {
    const folder = folderWithFile();
    const copies = await FolderArtifactCopies.open(folder, 5);
    copies.begin();
    await copies.take([KEY]);
    const backup = join(folder, backupsIn(folder)[0]!);
    const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
    utimesSync(backup, twoDaysAgo, twoDaysAgo);
    await until(() => Promise.resolve(statSync(backup).mtimeMs > Date.now() - 3_600_000));
    await FolderArtifactCopies.open(folder);
    expect(await contentsOf(copies)).toEqual(['here']);
    await copies.discard();
    expect(backupsIn(folder)).toEqual([]);
  });

  it('are removed by the service a day after their backup was killed, and not before', async () => {
    const folder = folderWithFile();
    for (const daysAgo of [2, 0]) {
      const path = join(folder, `backup-${daysAgo}`);
      mkdirSync(path);
      utimesSync(path, Date.now() / 1000 - daysAgo * 86_400, Date.now() / 1000 - daysAgo * 86_400);
    }
    await new FolderArtifactFiles(folder).olderThan(new Date());
    expect(backupsIn(folder)).toEqual(['backup-0']);
  });

  it('are no archive where one went before it was written', async () => {
    const folder = folderWithFile();
    const copies = await FolderArtifactCopies.open(folder);
    copies.begin();
    await copies.take([KEY]);
    rmSync(join(folder, backupsIn(folder)[0]!), { recursive: true });
    const archive = { addFile: () => Promise.resolve() };
    await expect(writeArtifacts(archive, copies, 1)).rejects.toThrow('Of 1 files of CI jobs only 0 were there still');
  });
});

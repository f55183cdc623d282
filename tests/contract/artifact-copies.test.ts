import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { FolderArtifactCopies } from '../../src/adapters/outbound/artifacts/folder-artifact-copies.js';
import { temporaryFolder } from '../support/git.js';

const KEY = 'ab'.repeat(12);

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
});
